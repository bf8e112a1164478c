// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/options.hpp"

#include "app/define_options.hpp"

#include <fmt/format.h>

namespace tessera::app_mpi {

const char* const main_footer = R"(Examples:
  mpirun -n 4 tessera-mpi solve --problem poisson3d --n 100
  mpirun -n 4 tessera-mpi solve matrix.mtx -o x.mtx

What a matrix is like ('info'), the gallery ('gallery'), all parameters ('params') and reports side by
side ('compare') are the command tessera's.

Exit codes, on all processes: 0 converged, 2 not converged, 3 diverged or NaN, 4 breakdown,
5 out of memory, 64 usage, 65 bad input data, 70 internal error, 74 output cannot be written,
78 bad configuration.)";

namespace {

constexpr const char* solve_footer =
    R"(Each process has some of the rows, in the file's order: about as many as the others, or with --balance
entries rows with about as many entries. No process holds the whole matrix: of a Matrix Market file that is
not packed each process parses a part and sends entries on to those that have their rows, of a .tsr file
each reads its own rows, and of a problem of the gallery each makes its own. What is packed by gzip, and a
pipe, is unpacked and sent on by process 0. Vectors (--rhs, --near-nullspace, --coordinates) are read by
process 0 as a whole. --partition graph gives each process rows that couple to few of others', as PT-Scotch
finds them, once all is read; x is written in the file's order.

Iterations are the same for any number of processes, but for smoothers that relax each process's rows by
themselves, such as the ilu that is picked for flows on hosts. Process 0 prints; a row for each process says
what it had and how long it took. An error on one process ends all of them with its exit code.

-p takes what 'tessera params' lists, as far as it is there for several processes; gather_rows: levels of at
most so many rows are gathered on process 0; rows_per_process: coarse levels with fewer rows for each process
go to fewer processes, or, by message_costs=measured, to those that are expected to have them done first;
factor_rows: process 0 may factor matrices of so many rows; reproducible: the same bits for any number of
processes.

Examples:
  mpirun -n 4 tessera-mpi solve matrix.mtx
      b is what the file holds, else all ones; the result line says how it ended.
  mpirun -n 4 tessera-mpi solve matrix.mtx --rhs b.mtx -o x.mtx --report report.json
  mpirun -n 8 tessera-mpi solve matrix.mtx.gz --balance entries -p gather_rows=2000
  mpirun -n 8 tessera-mpi solve unstructured.mtx --partition graph
  mpirun -n 2 tessera-mpi solve --problem elasticity3d --n 20 --tolerance 1e-10 -p solver.name=cg
  zcat matrix.mtx.gz | mpirun -n 4 tessera-mpi solve - --rhs random

SIGINT or SIGTERM to any of the processes stops all of them after the iteration that runs, and the best
iterate is written. Ctrl-C goes to mpirun, which passes a signal on and leaves its processes a second or so.)";

}  // namespace

CLI::App* add_solve(CLI::App& app, Options& options) {
  CLI::App& command = *app.add_subcommand("solve", "solve A x = b on all processes");
  command.footer(solve_footer);
  app::add_solve_input(command, options.solve);
  command.add_option(
      "--balance", options.balance,
      "by what the shares of a file's rows are equal: rows, entries (the file is read "
      "twice) [rows]");
  command.add_option("--partition", options.partition,
                     "which rows a process gets: contiguous ones in the matrix's order, or those "
                     "that PT-Scotch finds to have few couplings to the others': order, graph "
                     "[order]");
  app::add_solve_device(command, options.solve,
                        "OMP_NUM_THREADS, else what the host has for each process");
  command.add_option("--messages", options.messages,
                     "whose memory MPI sends from and receives in where the solve is on a GPU: the "
                     "host's, or the GPU's own, for an MPI that takes device pointers (others "
                     "crash): host, device [host]");
  app::add_repeat(command, options.solve.repeat);
  app::add_solve_outputs(command, options.solve, "");
  app::add_quiet(command, options.solve.quiet);
  return &command;
}

bool sends_from_device(const Options& options) {
  if (options.messages.empty() || options.messages == "host") return false;
  if (options.messages == "device") return true;
  throw app::UsageError(
      fmt::format("--messages {}: expected one of: host, device", options.messages));
}

}  // namespace tessera::app_mpi
