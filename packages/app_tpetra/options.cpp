// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/options.hpp"

#include "app/define_options.hpp"

namespace tessera::app_tpetra {

const char* const main_footer =
    R"(For systems from files or the gallery take 'tessera-mpi', which needs no Trilinos and reads files in
shares. This command is for Belos's methods, and for levels that are MueLu's.

Examples:
  mpirun -np 4 tessera-tpetra solve --problem poisson3d --n 100
  mpirun -np 4 tessera-tpetra solve matrix.mtx -o x.mtx

Exit codes, on all processes: 0 converged, 2 not converged, 3 diverged, 4 breakdown,
5 out of memory, 64 usage, 65 bad input data, 70 internal error, 74 output cannot be written,
78 bad configuration.)";

namespace {

constexpr const char* solve_footer =
    R"(The matrix's rows are split into equal shares, one per process. A file is read by process 0 and sent
on; of a problem of the gallery each process makes its own rows.
The method is Belos's of the name solver.name; multigrid's levels are distributed over the processes.
Parameters of solver. that Belos's methods do not know are refused by their names.

Examples:
  mpirun -np 4 tessera-tpetra solve --problem poisson3d --n 100
  mpirun -np 4 tessera-tpetra solve matrix.mtx --rhs b.mtx -o x.mtx --report report.json
  mpirun -np 2 tessera-tpetra solve --problem elasticity3d --n 20 -p solver.name=cg -p precision=float
  mpirun -np 2 tessera-tpetra solve matrix.mtx --nrhs 4 --config settings.json --html report.html
  mpirun -np 4 tessera-tpetra solve --problem poisson3d --setup muelu -p amg.smoother.type=chebyshev
      the levels are MueLu's, the cycle is Tessera's; --muelu settings.xml has MueLu's parameters.

-p takes what 'tessera params' lists, and distributed (multigrid or block_jacobi), gather_rows; with
--setup muelu those of solver., precision, and of amg. cycle, symmetry, smoother, storage and levels.)";

}  // namespace

CLI::App* add_solve(CLI::App& app, Options& options) {
  CLI::App& command = *app.add_subcommand("solve", "solve A x = b on all processes");
  command.footer(solve_footer);
  app::add_settings(command, options.settings, options.config);
  command.add_option("matrix", options.matrix, "Matrix Market file (.mtx)");
  app::add_problem(command, options.problem, options.seed);
  command.add_option("--rhs", options.rhs,
                     "problem (the gallery's own; ones for a file), ones, random, or a file "
                     "[problem]");
  app::add_num_rhs(command, options.num_rhs);
  app::add_block_size(command, options.block_size);
  command.add_option("--setup", options.setup, "who makes the levels: tessera, muelu [tessera]");
  command.add_option("--muelu", options.muelu, "MueLu's parameters in XML; implies --setup muelu")
      ->type_name("FILE");
  app::add_repeat(command, options.repeat);
  command.add_option("-o,--output", options.output, "write x: .mtx")->type_name("FILE");
  command.add_option("--report", options.report, "write a JSON report")->type_name("FILE");
  command.add_option("--html", options.html, "write an HTML report")->type_name("FILE");
  app::add_quiet(command, options.quiet);
  return &command;
}

}  // namespace tessera::app_tpetra
