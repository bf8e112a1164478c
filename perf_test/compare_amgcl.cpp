// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside amgcl (smoothed aggregation, SPAI0, CG) on the host, in turn in one run.
///
/// Both start from the same CSR arrays and solve to the same relative residual from
/// x0 = 0. amgcl's copy of the matrix into its own format is left out of its time.
#define AMGCL_NO_BOOST
#include "support/comparison.hpp"

#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/cg.hpp>

namespace {

using tessera::perf::HostSystem;
using tessera::perf::Timing;
using Backend = amgcl::backend::builtin<double>;
using Peer = amgcl::make_solver<
    amgcl::amg<Backend, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>,
    amgcl::solver::cg<Backend>>;

Timing run_amgcl(const HostSystem& system, double tolerance) {
  const auto& A = system.A;
  const auto n = static_cast<std::size_t>(A.num_rows);
  const std::size_t entries = A.num_entries();
  const auto matrix = std::make_shared<amgcl::backend::crs<double>>(
      n, n, amgcl::make_iterator_range(A.offsets.data(), A.offsets.data() + n + 1),
      amgcl::make_iterator_range(A.columns.data(), A.columns.data() + entries),
      amgcl::make_iterator_range(A.values.data(), A.values.data() + entries));
  std::vector<double> rhs(system.b.data(), system.b.data() + n);
  std::vector<double> x(n, 0.0);
  Peer::params parameters;
  parameters.solver.tol = tolerance;
  Timing timing;
  Kokkos::Timer timer;
  Peer peer(matrix, parameters);
  timing.setup_ms = timer.seconds() * 1e3;
  timer.reset();
  const auto [iterations, residual] = peer(rhs, x);
  timing.solve_ms = timer.seconds() * 1e3;
  timing.iterations = static_cast<int>(iterations);
  timing.relative_residual = system.relative_residual(x);
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside amgcl: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  comparison.run(tessera::perf::OneProcess(), system, "amgcl (SA, SPAI0, CG)",
                 [&] { return run_amgcl(system, comparison.options.tolerance); });
}
