// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which runs, and which of their figures, can be compared.
#include <fmt/format.h>

#include <algorithm>

#include "app/comparison.hpp"
#include "app/report.hpp"

namespace tessera::app {

namespace {

std::string system_text(const SavedRun& run) {
  return fmt::format("{}, {}, {}", run.problem, counted(run.rows, "unknown", "unknowns"),
                     counted(run.entries, "entry", "entries"));
}

std::string rhs_text(const SavedRun& run) {
  return run.num_rhs == 1 ? run.rhs : fmt::format("{}, {} columns", run.rhs, run.num_rhs);
}

/// Whether the seed of the gallery, or of a random right-hand side, can alter the system.
bool depends_on_seed(const SavedRun& run) {
  return run.generated || run.rhs == "random" || run.num_rhs > 1;
}

/// How the system of a run differs from that of the first one. `who` is the run's letter.
void warn_of_system(const SavedRun& first, const SavedRun& run, const std::string& who,
                    std::vector<std::string>& warnings) {
  if (run.rows != first.rows || run.entries != first.entries) {
    warnings.push_back(
        fmt::format("{} solves another system than A ({}; A: {}): ratios compare systems, not "
                    "settings",
                    who, system_text(run), system_text(first)));
    return;
  }
  if (file_name(run.problem) != file_name(first.problem) || run.description != first.description) {
    warnings.push_back(
        fmt::format("{} solves a system of another name than A ({}; A: {}), though of as many "
                    "unknowns and entries: make sure that it is the same one",
                    who, run.problem, first.problem));
  }
  if (file_name(run.rhs) != file_name(first.rhs) || run.num_rhs != first.num_rhs) {
    warnings.push_back(fmt::format("{} has another right-hand side than A ({}; A: {})", who,
                                   rhs_text(run), rhs_text(first)));
  } else if (run.seed != first.seed && depends_on_seed(run)) {
    warnings.push_back(
        fmt::format("{} has another seed than A ({}; A: {})", who, run.seed, first.seed));
  }
}

void warn_of_tolerance(const SavedRun& first, const SavedRun& run, const std::string& who,
                       std::vector<std::string>& warnings) {
  for (const auto& [key, name] : {std::pair("solver.tolerance", "tolerance"),
                                  std::pair("solver.absolute_tolerance", "absolute tolerance")}) {
    const parameters::ParameterValue* one = first.parameter(key);
    const parameters::ParameterValue* other = run.parameter(key);
    if (one == nullptr || other == nullptr || *one == *other) continue;
    warnings.push_back(
        fmt::format("{} has another {} than A ({}; A: {}): more digits take more iterations", who,
                    name, parameters::to_text(*other), parameters::to_text(*one)));
  }
}

bool overlap(const MeasuredTime& a, const MeasuredTime& b) {
  return a.repeated() && b.repeated() && a.min_ms() <= b.max_ms() && b.min_ms() <= a.max_ms();
}

/// "A, B": the runs of which `is` holds.
template <class Predicate>
std::string letters_of(const std::vector<SavedRun>& runs, const Predicate& is) {
  std::string letters;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (is(runs[i])) letters += (letters.empty() ? "" : ", ") + run_letter(i);
  }
  return letters;
}

}  // namespace

std::vector<std::string> comparison_warnings(const std::vector<SavedRun>& runs) {
  std::vector<std::string> warnings;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    warn_of_system(runs[0], runs[i], run_letter(i), warnings);
    warn_of_tolerance(runs[0], runs[i], run_letter(i), warnings);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // Least squares are all that there is, of a system without a solution.
    if (runs[i].status == "converged" || runs[i].status == "least_squares") continue;
    warnings.push_back(
        fmt::format("{} did not converge ({}): its times are not those of a solution",
                    run_letter(i), runs[i].status));
  }
  return warnings;
}

std::vector<std::string> comparison_notes(const std::vector<SavedRun>& runs) {
  std::vector<std::string> notes;
  const bool one_machine = std::all_of(runs.begin(), runs.end(), [&](const SavedRun& run) {
    return run.machine == runs[0].machine && run.space == runs[0].space &&
           run.threads == runs[0].threads && run.processes == runs[0].processes;
  });
  if (!one_machine) notes.emplace_back("the machines differ: times compare them, too");
  const auto is_single = [](const SavedRun& run) { return !run.total.repeated(); };
  const std::string single = letters_of(runs, is_single);
  if (!single.empty()) {
    notes.push_back(single +
                    ": times of one run, with what a first one costs; solve with --repeat 5 for "
                    "medians and extremes");
  }
  const std::pair<const char*, MeasuredTime SavedRun::*> times[] = {{"setup", &SavedRun::setup},
                                                                    {"solve", &SavedRun::solve}};
  for (const auto& [name, time] : times) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (!overlap(runs[0].*time, runs[i].*time)) continue;
      notes.push_back(
          fmt::format("{}: the runs of A and {} overlap, so that the difference may be "
                      "chance",
                      name, run_letter(i)));
    }
  }
  return notes;
}

}  // namespace tessera::app
