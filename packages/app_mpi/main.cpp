// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera-mpi`: `tessera solve` over MPI's processes.
#include "app/agreed_failure.hpp"
#include "app/define_options.hpp"
#include "app/machine.hpp"
#include "app/settings.hpp"
#include "app/terminal.hpp"
#include "app_mpi/options.hpp"
#include "app_mpi/together.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <iostream>
#include <memory>
#include <sstream>

namespace {

using tessera::app::ExitCode;
using Processes = std::shared_ptr<const tessera::distributed::Communicator>;

/// MPI for the life of this object.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  }
  ~MpiSession() { MPI_Finalize(); }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// How many processes share this one's host.
int processes_of_host() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int size = 1;
  MPI_Comm_size(host, &size);
  MPI_Comm_free(&host);
  return size;
}

/// The same on all processes: each has the same arguments.
ExitCode parse_and_run(const Processes& processes, int argc, char** argv) {
  CLI::App app("Tessera's solvers over several processes of MPI.", "tessera-mpi");
  app.formatter(std::make_shared<tessera::app::HelpFormat>());
  app.set_version_flag("--version", tessera::app::version_text);
  app.require_subcommand(1);
  tessera::app_mpi::Options options;
  options.solve.command_line = tessera::app::shell_line({argv, argv + argc});
  const CLI::App* const solve = tessera::app_mpi::add_solve(app, options);
  app.footer(tessera::app_mpi::main_footer);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    std::ostringstream text;
    app.exit(request, text, text);
    tessera::app_mpi::together(*processes, [&] {
      if (processes->rank() != 0) return;
      std::cout << text.str();
      tessera::app::flush_standard_output();
    });
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    const bool in_solve = solve->parsed();
    throw tessera::app::UsageError(
        fmt::format("{} (see 'tessera-mpi {}--help')",
                    tessera::app::parse_error_text(in_solve ? *solve : app, error, argc, argv),
                    in_solve ? "solve " : ""));
  }
  const Processes told = tessera::distributed::mpi_communicator(
      MPI_COMM_WORLD, {.takes_device_pointers = tessera::app_mpi::sends_from_device(options)});
  return tessera::app_mpi::run_solve(told, processes_of_host(), options);
}

}  // namespace

int main(int argc, char** argv) {
  tessera::app::guard_standard_streams();
  const MpiSession mpi(argc, argv);
  const Processes processes = tessera::distributed::mpi_communicator(MPI_COMM_WORLD);
  return tessera::app::run_agreed(
      "tessera-mpi", processes->rank(), [&] { return parse_and_run(processes, argc, argv); },
      [](int code) { MPI_Abort(MPI_COMM_WORLD, code); });
}
