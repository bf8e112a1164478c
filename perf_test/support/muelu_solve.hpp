// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup and a solve by MueLu under Belos on the host, on the Kokkos inside Trilinos.
#pragma once

#include "support/host_system.hpp"

#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <type_traits>

namespace tessera::perf {

/// The system in Tpetra's own types.
struct TpetraSystem {
  using Matrix = Tpetra::CrsMatrix<double>;
  using Operator = Tpetra::Operator<double>;
  using Vectors = Tpetra::MultiVector<double>;

  Teuchos::RCP<Matrix> A;
  Teuchos::RCP<Vectors> b;
  Teuchos::RCP<Vectors> x;

  explicit TpetraSystem(const HostSystem& system) {
    const auto& matrix = system.A;
    const auto communicator = Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
    const auto map = Teuchos::rcp(
        new Matrix::map_type(static_cast<Tpetra::global_size_t>(matrix.num_rows), 0, communicator));
    Kokkos::View<std::size_t*, tessera::HostSpace> lengths("lengths", matrix.num_rows);
    for (int i = 0; i < matrix.num_rows; ++i)
      lengths(i) = static_cast<std::size_t>(matrix.offsets(i + 1) - matrix.offsets(i));
    A = Teuchos::rcp(
        new Matrix(map, Teuchos::ArrayView<const std::size_t>(lengths.data(), lengths.size())));
    std::vector<Matrix::global_ordinal_type> columns;
    for (int i = 0; i < matrix.num_rows; ++i) {
      const auto begin = matrix.offsets(i);
      const auto length = matrix.offsets(i + 1) - begin;
      columns.assign(matrix.columns.data() + begin, matrix.columns.data() + begin + length);
      A->insertGlobalValues(i, length, matrix.values.data() + begin, columns.data());
    }
    A->fillComplete();
    b = Teuchos::rcp(new Vectors(map, 1));
    x = Teuchos::rcp(new Vectors(map, 1));
    std::copy_n(system.b.data(), matrix.num_rows, b->getDataNonConst(0).get());
  }

  std::vector<double> solution() const {
    const auto values = x->getData(0);
    return {values.begin(), values.end()};
  }
};

using BelosCg = Belos::PseudoBlockCGSolMgr<double, TpetraSystem::Vectors, TpetraSystem::Operator>;
using BelosGmres =
    Belos::PseudoBlockGmresSolMgr<double, TpetraSystem::Vectors, TpetraSystem::Operator>;

/// BelosCg or BelosGmres with a V-cycle of smoothed aggregation as MueLu sets it up by default; the
/// assembly of the Tpetra matrix is left out of the time. `coarse_rows`: of a level that is
/// factored, MueLu's default where 0; a matrix of no more is factored as it is.
template <class Krylov>
Timing run_muelu(const TpetraSystem& system, bool symmetric, double tolerance, int max_iterations,
                 int coarse_rows = 0) {
  using LinearProblem = Belos::LinearProblem<double, TpetraSystem::Vectors, TpetraSystem::Operator>;
  using Teuchos::RCP;
  system.x->putScalar(0.0);
  Teuchos::ParameterList multigrid;
  multigrid.set("verbosity", "none");
  multigrid.set("problem: symmetric", symmetric);
  if (coarse_rows > 0) multigrid.set("coarse: max size", coarse_rows);
  auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", tolerance);
  parameters->set("Maximum Iterations", max_iterations);
  parameters->set("Implicit Residual Scaling", "Norm of RHS");
  if constexpr (std::is_same_v<Krylov, BelosGmres>) {
    parameters->set("Explicit Residual Scaling", "Norm of RHS");
    parameters->set("Num Blocks", 30);
    parameters->set("Maximum Restarts", max_iterations / 30 + 1);
  }
  Timing timing;
  Kokkos::Timer timer;
  const RCP<TpetraSystem::Operator> A = system.A;
  const auto preconditioner = MueLu::CreateTpetraPreconditioner(A, multigrid);
  timing.setup_ms = timer.seconds() * 1e3;
  if (preconditioner->GetHierarchy()->GetNumLevels() == 1) timing.method = SolveMethod::direct;
  timer.reset();
  const auto problem = Teuchos::rcp(new LinearProblem(A, system.x, system.b));
  // From the right GMRES' residual is that of the system; CG has no sides.
  if constexpr (std::is_same_v<Krylov, BelosGmres>) {
    problem->setRightPrec(preconditioner);
  } else {
    problem->setLeftPrec(preconditioner);
  }
  problem->setProblem();
  Krylov solver(problem, parameters);
  solver.solve();
  timing.solve_ms = timer.seconds() * 1e3;
  timing.iterations = solver.getNumIters();
  return timing;
}

}  // namespace tessera::perf
