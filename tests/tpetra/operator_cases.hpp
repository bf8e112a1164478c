// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the tests of `tessera::tpetra::Operator` share.
#pragma once
#include "tessera/tpetra/preconditioner.hpp"

#include "support/error_of.hpp"
#include "support/waves_by_belos.hpp"
#include "tessera/matrix/crs_matrix.hpp"

#include <cmath>

namespace tessera::test {

using tpetra::CreateTesseraPreconditioner;
using tpetra::ReuseTesseraPreconditioner;

/// Tessera's own solve of the whole system on this process.
inline SolveResult own_solve(const TpetraSystem& system, const SolveParameters& parameters = {}) {
  const HostSpace exec;
  const MultiVector<double, HostSpace> b("b", system.problem.A.num_rows, 1);
  const MultiVector<double, HostSpace> x("x", system.problem.A.num_rows, 1);
  for (std::size_t i = 0; i < b.extent(0); ++i)
    b(i, 0) = std::sin(1.0 + 3.7 * static_cast<double>(i));
  Solver<double, HostSpace> solver(parameters);
  solver.setup(exec, system.problem.A);
  return solver.solve(exec, b, x);
}

inline Teuchos::ParameterList with_multigrid() {
  Teuchos::ParameterList list("test");
  list.set("preconditioner", "amg");
  return list;
}

/// Of levels that are distributed down to so many rows.
inline Teuchos::ParameterList with_multigrid(int gather_rows) {
  auto list = with_multigrid();
  list.set("gather_rows", gather_rows);
  return list;
}

inline Teuchos::ParameterList with_block_jacobi() {
  auto list = with_multigrid();
  list.set("distributed", "block_jacobi");
  return list;
}

}  // namespace tessera::test
