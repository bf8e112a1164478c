// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside MueLu (smoothed aggregation, its defaults) under Belos's CG, in turn in one run
/// and on the same Kokkos, that inside Trilinos: one process, which solves with each.
///
/// Both solve the same system to the same relative residual from x0 = 0; the assembly of the Tpetra
/// matrix is left out of MueLu's time.
#include "support/comparison.hpp"
#include "support/mpi_processes.hpp"

#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

namespace {

using tessera::perf::HostSystem;
using tessera::perf::MpiProcesses;
using tessera::perf::Timing;
using Matrix = Tpetra::CrsMatrix<double>;
using Operator = Tpetra::Operator<double>;
using Vectors = Tpetra::MultiVector<double>;
using LinearProblem = Belos::LinearProblem<double, Vectors, Operator>;
using Teuchos::RCP;
using Teuchos::rcp;

/// The system in Tpetra's own types.
struct TpetraSystem {
  RCP<Matrix> A;
  RCP<Vectors> b;
  RCP<Vectors> x;

  explicit TpetraSystem(const HostSystem& system) {
    const auto& matrix = system.A;
    const auto communicator = rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
    const auto map = rcp(
        new Matrix::map_type(static_cast<Tpetra::global_size_t>(matrix.num_rows), 0, communicator));
    Kokkos::View<std::size_t*, tessera::HostSpace> lengths("lengths", matrix.num_rows);
    for (int i = 0; i < matrix.num_rows; ++i)
      lengths(i) = static_cast<std::size_t>(matrix.offsets(i + 1) - matrix.offsets(i));
    A = rcp(new Matrix(map, Teuchos::ArrayView<const std::size_t>(lengths.data(), lengths.size())));
    std::vector<Matrix::global_ordinal_type> columns;
    for (int i = 0; i < matrix.num_rows; ++i) {
      const auto begin = matrix.offsets(i);
      const auto length = matrix.offsets(i + 1) - begin;
      columns.assign(matrix.columns.data() + begin, matrix.columns.data() + begin + length);
      A->insertGlobalValues(i, length, matrix.values.data() + begin, columns.data());
    }
    A->fillComplete();
    b = rcp(new Vectors(map, 1));
    x = rcp(new Vectors(map, 1));
    std::copy_n(system.b.data(), matrix.num_rows, b->getDataNonConst(0).get());
  }

  std::vector<double> solution() const {
    const auto values = x->getData(0);
    return {values.begin(), values.end()};
  }
};

/// CG with a V-cycle of smoothed aggregation as MueLu sets it up by default.
Timing run_muelu(const TpetraSystem& system, double tolerance) {
  system.x->putScalar(0.0);
  Teuchos::ParameterList multigrid;
  multigrid.set("verbosity", "none");
  multigrid.set("problem: symmetric", true);
  auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", tolerance);
  parameters->set("Maximum Iterations", 500);
  parameters->set("Implicit Residual Scaling", "Norm of RHS");
  Timing timing;
  Kokkos::Timer timer;
  const RCP<Operator> A = system.A;
  const RCP<Operator> preconditioner = MueLu::CreateTpetraPreconditioner(A, multigrid);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  const auto problem = rcp(new LinearProblem(A, system.x, system.b));
  problem->setLeftPrec(preconditioner);
  problem->setProblem();
  Belos::PseudoBlockCGSolMgr<double, Vectors, Operator> solver(problem, parameters);
  solver.solve();
  timing.solve_ms = timer.seconds() * 1e3;
  timing.iterations = solver.getNumIters();
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside MueLu: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  if (processes.size() != 1) {
    std::fputs("compare_muelu runs as one process\n", stderr);
    return 64;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  const TpetraSystem peer(system);
  comparison.run(processes, system, "MueLu (SA, Belos CG)", [&] {
    Timing timing = run_muelu(peer, comparison.options.tolerance);
    timing.relative_residual = system.relative_residual(peer.solution());
    return timing;
  });
}
