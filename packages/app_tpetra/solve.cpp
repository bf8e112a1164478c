// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/options.hpp"

#include "app/machine.hpp"
#include "app/output_file.hpp"
#include "app/terminal.hpp"
#include "app_tpetra/preconditioner.hpp"
#include "app_tpetra/together.hpp"
#include "tessera/belos/krylov.hpp"

#include <fmt/format.h>
#include <MatrixMarket_Tpetra.hpp>
#include <Teuchos_CommHelpers.hpp>

#include <cstdio>
#include <optional>
#include <sstream>

namespace tessera::app_tpetra {
namespace {

using Comm = Teuchos::RCP<const Teuchos::Comm<int>>;

/// Checked before anything is read or made. Process 0 alone has outputs.
struct Plan {
  std::unique_ptr<Preconditioning> preconditioning;
  std::optional<app::OutputFile> solution, report, html;
};

Plan make_plan(const Comm& processes, const Options& options) {
  Plan plan;
  together(*processes, [&] {
    if (options.matrix.empty() == options.problem.name.empty())
      throw app::UsageError(
          options.matrix.empty()
              ? "a matrix file or --problem NAME is needed; see 'tessera-tpetra solve --help'"
              : "both a matrix file and --problem: give one of them");
    if (options.problem.name.empty() && !options.problem.settings.empty())
      throw app::UsageError("an option of the gallery's problems, without --problem NAME");
    plan.preconditioning = make_preconditioning(options);
    belos::require_taken(plan.preconditioning->method());
    if (processes->getRank() != 0) return;
    std::vector<app::OutputFile> outputs;
    const auto add = [&outputs](const char* option, const std::string& path,
                                std::optional<app::OutputFile>& output) {
      if (path.empty()) return;
      output.emplace(option, path);
      outputs.push_back(*output);
    };
    add("-o", options.output, plan.solution);
    add("--report", options.report, plan.report);
    add("--html", options.html, plan.html);
    if (plan.solution) app::check_ending(*plan.solution, {".mtx"});
    app::check_distinct({{"the matrix", options.matrix},
                         {"--rhs", options.rhs},
                         {"--config", options.config},
                         {"--muelu", options.muelu}},
                        outputs);
  });
  return plan;
}

double slowest(const Comm& processes, double own_ms) {
  double longest = 0;
  Teuchos::reduceAll(*processes, Teuchos::REDUCE_MAX, own_ms, Teuchos::outArg(longest));
  return longest;
}

/// x as process 0 writes it. Collective.
std::string text_of(const Teuchos::RCP<const Vectors>& x) {
  std::ostringstream text;
  Tpetra::MatrixMarket::Writer<Matrix>::writeDense(text, x);
  return text.str();
}

}  // namespace

app::ExitCode run_solve(const Comm& processes, const Options& options) {
  const bool prints = processes->getRank() == 0 && !options.quiet;
  Plan plan = make_plan(processes, options);
  app::SolveReport report;
  report.build = app::build_info();
  const auto place = std::is_same_v<Matrix::execution_space, Kokkos::DefaultHostExecutionSpace>
                         ? app::Place::host
                         : app::Place::device;
  report.machine = app::machine_info(place);
  report.machine.processes = processes->getSize();
  report.requested_device = "auto";
  const System system = load(processes, options, report);
  const SolverParameters& p = plan.preconditioning->method();
  report.tolerance = p.tolerance;
  report.absolute_tolerance = p.absolute_tolerance;
  report.runs_asked = options.repeat;
  const auto x = Teuchos::rcp(new Vectors(system.A->getDomainMap(), system.b->getNumVectors()));
  for (int i = 0; i < options.repeat + (options.repeat > 1 ? 1 : 0); ++i) {
    Teuchos::RCP<Operator> M;
    processes->barrier();
    const Kokkos::Timer timer;
    together(*processes, [&] { M = plan.preconditioning->set_up(system); });
    const double setup_ms = slowest(processes, timer.seconds() * 1e3);
    const SolverName method =
        belos::chosen_method(p, *system.A, *M, plan.preconditioning->varies());
    if (i == 0) {
      plan.preconditioning->describe(method, report);
      for (const auto& known : solver_names)
        if (known.value == method) report.solver = std::string(known.name);
      if (prints) {
        fmt::print("{}\n{}\n", app::header_text(report), app::hierarchy_text(report));
        app::flush_standard_output();
      }
    }
    x->putScalar(0);
    together(*processes,
             [&] { report.result = belos::solve_by_belos(system.A, M, p, method, *system.b, *x); });
    if (i == 0 && options.repeat > 1) continue;  // warm-up
    report.setup_repeats_ms.push_back(setup_ms);
    report.solve_repeats_ms.push_back(report.result.solve_ms);
  }
  report.setup_ms = app::median(report.setup_repeats_ms);
  report.solve_ms = app::median(report.solve_repeats_ms);
  const std::string solution = options.output.empty() ? std::string() : text_of(x);
  together(*processes, [&] {
    if (prints) {
      fmt::print("{}\n{}", app::convergence_text(report), app::result_text(report));
      app::flush_standard_output();
    }
    app::write_each({[&] {
                       if (plan.solution) plan.solution->write(solution);
                     },
                     [&] {
                       if (plan.report) plan.report->write(app::report_json(report));
                     },
                     [&] {
                       if (plan.html) plan.html->write(app::report_html(report));
                     }});
  });
  return app::exit_code(report.result.status);
}

}  // namespace tessera::app_tpetra
