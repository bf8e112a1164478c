// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera-tpetra`: `tessera solve` over MPI's processes, with Trilinos's matrices and
/// methods.
#include "app/agreed_failure.hpp"
#include "app/define_options.hpp"
#include "app/machine.hpp"
#include "app/terminal.hpp"
#include "app_tpetra/options.hpp"
#include "app_tpetra/together.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <Tpetra_Core.hpp>

#include <iostream>
#include <memory>
#include <sstream>

namespace {

using tessera::app::ExitCode;

/// The same on all processes: each has the same arguments.
ExitCode parse_and_run(const Teuchos::RCP<const Teuchos::Comm<int>>& processes, int argc,
                       char** argv) {
  CLI::App app("Tessera's solvers over several processes, on Trilinos's Tpetra and Belos.",
               "tessera-tpetra");
  app.formatter(std::make_shared<tessera::app::HelpFormat>());
  app.set_version_flag("--version", tessera::app::version_text);
  app.require_subcommand(1);
  tessera::app_tpetra::Options options;
  const CLI::App* const solve = tessera::app_tpetra::add_solve(app, options);
  app.footer(tessera::app_tpetra::main_footer);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    std::ostringstream text;
    app.exit(request, text, text);
    if (processes->getRank() == 0) std::cout << text.str() << std::flush;
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    throw tessera::app::UsageError(fmt::format("{} (see 'tessera-tpetra {}--help')", error.what(),
                                               solve->parsed() ? "solve " : ""));
  }
  return tessera::app_tpetra::run_solve(processes, options);
}

}  // namespace

int main(int argc, char** argv) {
  tessera::app::guard_standard_streams();
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto processes = Tpetra::getDefaultComm();
  return tessera::app::run_agreed(
      "tessera-tpetra", processes->getRank(), [&] { return parse_and_run(processes, argc, argv); },
      [](int code) { MPI_Abort(MPI_COMM_WORLD, code); });
}
