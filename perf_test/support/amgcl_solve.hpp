// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup and a solve by amgcl on the host.
#pragma once

#define AMGCL_NO_BOOST  // its parameters from property trees are not used here
#include "support/host_system.hpp"

#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/bicgstab.hpp>
#include <amgcl/solver/cg.hpp>

namespace tessera::perf {

using AmgclBackend = amgcl::backend::builtin<double>;

/// Smoothed aggregation and SPAI0, its defaults, under `Krylov`, one of amgcl's solvers. Its copy
/// of the matrix into its own format is left out of its time. `coarse_rows`: of a level that it
/// factors, its default where 0; a matrix of no more is factored as it is.
template <class Krylov>
Timing run_amgcl(const HostSystem& system, double tolerance, int max_iterations,
                 std::vector<double>& x, unsigned coarse_rows = 0) {
  using Peer = amgcl::make_solver<
      amgcl::amg<AmgclBackend, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>,
      Krylov>;
  const auto& A = system.A;
  const auto n = static_cast<std::size_t>(A.num_rows);
  const std::size_t entries = A.num_entries();
  const auto matrix = std::make_shared<amgcl::backend::crs<double>>(
      n, n, amgcl::make_iterator_range(A.offsets.data(), A.offsets.data() + n + 1),
      amgcl::make_iterator_range(A.columns.data(), A.columns.data() + entries),
      amgcl::make_iterator_range(A.values.data(), A.values.data() + entries));
  std::vector<double> rhs(system.b.data(), system.b.data() + n);
  x.assign(n, 0.0);
  typename Peer::params parameters;
  parameters.solver.tol = tolerance;
  parameters.solver.maxiter = static_cast<std::size_t>(max_iterations);
  if (coarse_rows > 0) parameters.precond.coarse_enough = coarse_rows;
  Timing timing;
  if (n <= parameters.precond.coarse_enough) timing.method = SolveMethod::direct;
  Kokkos::Timer timer;
  Peer peer(matrix, parameters);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  const auto [iterations, residual] = peer(rhs, x);
  timing.solve_ms = timer.seconds() * 1e3;
  timing.iterations = static_cast<int>(iterations);
  return timing;
}

}  // namespace tessera::perf
