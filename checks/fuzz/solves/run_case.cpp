// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/solves/run_case.hpp"

#include "fuzz/solves/verdict.hpp"
#include "support/device.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

namespace tessera::fuzz {

namespace {

using Space = Kokkos::DefaultExecutionSpace;

std::string kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::precondition:
      return "precondition";
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::configuration:
      return "configuration";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::io:
      return "io";
    case ErrorKind::device:
      return "device";
  }
  return "unknown";
}

/// Whether the message has the name as words of their own.
bool names(const std::string& message, const std::string& name) {
  const auto is_part = [&](std::size_t i) {
    return i < message.size() &&
           (std::isalnum(static_cast<unsigned char>(message[i])) != 0 || message[i] == '_');
  };
  for (std::size_t at = message.find(name); at != std::string::npos;
       at = message.find(name, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + name.size())) return true;
  }
  return false;
}

/// How much of the key, from its end on, the message names.
std::size_t named_part(const std::string& message, const std::string& key) {
  for (std::size_t begin = 0; begin < key.size();) {
    if (names(message, key.substr(begin))) return key.size() - begin;
    const std::size_t dot = key.find('.', begin);
    begin = dot == std::string::npos ? key.size() : dot + 1;
  }
  return 0;
}

/// Takes the setting out that the message names best, by its key or else by its value. False where
/// it names none.
bool take_out_named(const std::string& message, Settings& settings) {
  std::size_t best = 0, which = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [key, value] = settings[i];
    const bool is_word = std::isalpha(static_cast<unsigned char>(value.front())) != 0;
    const std::size_t part =
        std::max<std::size_t>(named_part(message, key), is_word && names(message, value) ? 1 : 0);
    if (part > best) best = part, which = i;
  }
  if (best == 0) return false;
  const std::string key = settings[which].first;
  settings.erase(settings.begin() + static_cast<std::ptrdiff_t>(which));
  // An element of a list without settings is none, and ends the list.
  constexpr std::string_view list = "amg.levels.";
  if (!key.starts_with(list)) return true;
  const std::string element = key.substr(0, key.find('.', list.size()) + 1);
  const bool is_left = std::any_of(settings.begin(), settings.end(),
                                   [&](const auto& s) { return s.first.starts_with(element); });
  if (!is_left) {
    std::erase_if(settings, [&](const auto& s) {
      return s.first.starts_with(list) && s.first.substr(0, element.size()) > element;
    });
  }
  return true;
}

/// The same for a format that cannot hold a matrix: the message has the whole key, and the value.
bool take_out_format(const std::string& message, Settings& settings) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& setting) {
    const auto& [key, value] = setting;
    return key.ends_with(".format") && names(message, key) && names(message, "= " + value);
  });
  return found != settings.end() && take_out_named(std::string(found->first), settings);
}

bool all_finite(const std::vector<double>& v) {
  return std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); });
}

template <class Scalar>
class Run {
 public:
  Run(const Case& drawn, Spoil spoil, Outcome& outcome)
      : m_case(drawn), m_spoil(spoil), m_outcome(outcome), m_asked(parameters_of(drawn)) {}

  /// What was at work, for what is said of an exception.
  const char* step() const { return m_step; }

  void all() {
    Tried solver = make();
    if (m_spoil == Spoil::hang) ::sleep(1000);
    if (m_spoil == Spoil::crash) std::abort();
    const std::string before = choices(*solver);
    const Solved first = solve(*solver, m_case.A);
    m_outcome.end = to_string(first.result.status);
    m_outcome.notes = solver->hierarchy().notes;
    const bool keeps_choices = choices(*solver) == before;
    Solved second = solve(*solver, m_case.A);
    if (m_spoil == Spoil::bits && !second.x.empty()) second.x[0] += 1;
    if (keeps_choices) compare(first, second, "the same Solver's second solve");
    if (m_case.is_repeated) {
      Tried other = make();
      compare(first, solve(*other, m_case.A), "another Solver's solve");
    }
    if (m_case.is_updated) {
      m_step = "update_values";
      solver->update_values(m_exec, matrix(m_case.next_A));
      solve(*solver, m_case.next_A);
    }
  }

 private:
  using Tried = std::unique_ptr<Solver<Scalar, Space>>;
  struct Solved {
    SolveResult result;
    std::vector<double> x;
  };

  static std::vector<Scalar> rounded(const std::vector<double>& v) { return {v.begin(), v.end()}; }

  auto matrix(const test::HostMatrix<double>& A) const {
    return test::make_csr(m_exec, test::converted<Scalar>(A));
  }

  Tried make() {
    m_step = "constructor";
    auto solver = std::make_unique<Solver<Scalar, Space>>(m_asked);
    if (m_case.out_of_range) {
      m_outcome.faults.push_back("the constructor takes a number out of its range");
      m_outcome.end = "accepted";
    }
    const std::size_t n = m_case.A.num_rows;
    const auto near_nullspace =
        test::to_multivector(m_exec, rounded(m_case.near_nullspace), n, m_case.num_near_nullspace);
    if (!m_case.nullspace.empty()) {
      m_step = "set_nullspace";
      solver->set_nullspace(m_exec, test::to_multivector(m_exec, rounded(m_case.nullspace), n, 1));
    }
    if (m_case.has_forecast) {
      m_step = "forecast_memory";
      solver->forecast_memory(m_exec, matrix(m_case.A), near_nullspace, m_case.block_size);
    }
    m_step = "setup";
    try {
      solver->setup(m_exec, matrix(m_case.A), near_nullspace, m_case.block_size);
    } catch (const Error&) {
      require_no_solve(*solver);
      throw;
    }
    return solver;
  }

  /// After a setup that failed, the solver is as before its first one.
  void require_no_solve(Solver<Scalar, Space>& solver) {
    try {
      const MultiVector<Scalar, Space> none("none", 0, 1);
      solver.solve(m_exec, none, none);
      m_outcome.faults.push_back("solve goes on after a setup that failed");
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::precondition)
        m_outcome.faults.push_back("solve after a setup that failed: " + std::string(error.what()));
    }
  }

  Solved solve(Solver<Scalar, Space>& solver, const test::HostMatrix<double>& A) {
    m_step = "solve";
    const std::size_t n = A.num_rows, k = m_case.num_columns;
    const auto x = test::to_multivector(m_exec, rounded(m_case.x0), n, k);
    Solved solved;
    solved.result = solver.solve(m_exec, test::to_multivector(m_exec, rounded(m_case.b), n, k), x);
    const std::vector<Scalar> values = test::to_host(x);
    solved.x.assign(values.begin(), values.end());
    if (m_spoil == Spoil::iterations) solved.result.iterations += 1 << 30;
    if (m_spoil == Spoil::x) {
      for (double& value : solved.x)
        value = 2 * value + 1;
    }
    for (const std::string& fault : faults_of(m_case, A, m_asked.solver, solved.result, solved.x))
      m_outcome.faults.push_back(fault);
    return solved;
  }

  /// All that a solve may change of what it goes on with.
  static std::string choices(const Solver<Scalar, Space>& solver) {
    SolveParameters parameters = solver.parameters();
    std::string text;
    for (const auto& [key, value] : parameters::ParameterTree(parameters).values())
      text += key + "=" + parameters::to_text(value) + "\n";
    for (const std::string& note : solver.hierarchy().notes)
      text += note + "\n";
    return text;
  }

  void compare(const Solved& first, const Solved& other, const std::string& what) {
    if (m_asked.solver.time_limit_s > 0) return;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    if (first.result.status != other.result.status ||
        first.result.iterations != other.result.iterations) {
      m_outcome.faults.push_back(fmt::format(
          "{} is {} in {} iterations, and was {} in {}", what, to_string(other.result.status),
          other.result.iterations, to_string(first.result.status), first.result.iterations));
    } else if (!std::equal(first.x.begin(), first.x.end(), other.x.begin(), other.x.end(), same)) {
      m_outcome.faults.push_back(what + " has other bits in x");
    }
  }

  const Case& m_case;
  Spoil m_spoil;
  Outcome& m_outcome;
  SolveParameters m_asked;
  Space m_exec;
  const char* m_step = "";
};

/// Whether the guide has such an error of this case (docs/guide/errors.md): one of its numbers is
/// not finite, or near-nullspace vectors of zeros.
bool has_bad_input(const Case& drawn) {
  const std::size_t n = drawn.A.num_rows;
  for (std::size_t j = 0; n > 0 && j < drawn.near_nullspace.size() / n; ++j) {
    const auto* const begin = drawn.near_nullspace.data() + j * n;
    if (std::all_of(begin, begin + n, [](double value) { return value == 0; })) return true;
  }
  return !all_finite(drawn.A.values) || !all_finite(drawn.near_nullspace);
}

/// Takes out of the case what an error is about, or says how it ended. True where there is
/// something left to be tried.
bool take_error(const Error& error, const std::string& step, Case& drawn, Outcome& outcome) {
  const std::string message = error.what();
  outcome.end = "refused: " + kind_name(error.kind());
  const auto fault = [&](const std::string& why) {
    outcome.faults.push_back(
        fmt::format("{} throws {}, {}: {}", step, kind_name(error.kind()), why, message));
    return false;
  };
  // A limit is kept wherever arrays are made, in solves, too.
  if (error.kind() == ErrorKind::out_of_memory && names(message, "max_memory_mb")) {
    const auto is_limit = [](const auto& setting) { return setting.first == "max_memory_mb"; };
    return std::erase_if(drawn.settings, is_limit) > 0 ? true : fault("and no limit was set");
  }
  if (step == "solve") return fault("and a solve has a status");
  if (drawn.out_of_range) {
    const bool is_right = step == "constructor" && error.kind() == ErrorKind::configuration &&
                          names(message, drawn.out_of_range->first);
    return is_right ? false
                    : fault("expected that " + drawn.out_of_range->first + " is out of range");
  }
  // What a program gives beside the settings is left out then.
  const bool divides = drawn.block_size > 0 && drawn.A.num_rows % drawn.block_size == 0;
  if (error.kind() == ErrorKind::precondition && names(message, "block_size") && !divides)
    return std::exchange(drawn.block_size, 0) != 0 ? true : fault("and none was given");
  if (error.kind() == ErrorKind::configuration && names(message, "nullspace") &&
      !drawn.nullspace.empty()) {
    drawn.nullspace.clear();
    return true;
  }
  switch (error.kind()) {
    case ErrorKind::bad_input:
      if (has_bad_input(drawn)) return false;
      [[fallthrough]];
    case ErrorKind::configuration:
      if (names(message, "TESSERA_ALL_STORAGE_SCALARS")) return false;  // of this build
      if (names(message, "cannot hold"))
        return take_out_format(message, drawn.settings)
                   ? true
                   : fault("which names no format as it is set");
      return take_out_named(message, drawn.settings) ? true : fault("which names no setting");
    default:
      return fault("which no setting explains");
  }
}

template <class Scalar>
bool try_case(Case& drawn, Spoil spoil, Outcome& outcome) {
  Run<Scalar> run(drawn, spoil, outcome);
  try {
    run.all();
    return false;
  } catch (const Error& error) {
    if (spoil != Spoil::message) return take_error(error, run.step(), drawn, outcome);
    return take_error(Error(error.kind(), "no"), run.step(), drawn, outcome);
  } catch (const std::exception& error) {
    outcome.faults.push_back(
        fmt::format("{} throws what is no tessera::Error: {}", run.step(), error.what()));
    return false;
  }
}

}  // namespace

Outcome run_case(Case& drawn, Spoil spoil) {
  Outcome outcome;
  while (drawn.in_float ? try_case<float>(drawn, spoil, outcome)
                        : try_case<double>(drawn, spoil, outcome)) {
  }
  return outcome;
}

}  // namespace tessera::fuzz
