// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside amgcl (smoothed aggregation, SPAI0, CG) on the host, in turn in one run.
///
/// Both start from the same CSR arrays and solve to the same relative residual from
/// x0 = 0. amgcl's copy of the matrix into its own format is left out of its time.
#include "support/amgcl_solve.hpp"
#include "support/comparison.hpp"

using tessera::perf::HostSystem;
using tessera::perf::Timing;

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside amgcl: setup and solve on the host, medians of alternating runs"};
  tessera::perf::Comparison comparison;
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const HostSystem system = comparison.make_system();
  comparison.run(tessera::perf::OneProcess(), system, "amgcl (SA, SPAI0, CG)", [&] {
    using CG = amgcl::solver::cg<tessera::perf::AmgclBackend>;
    std::vector<double> x;
    Timing timing = tessera::perf::run_amgcl<CG>(system, comparison.options.tolerance, 500, x);
    timing.relative_residual = system.relative_residual(x);
    return timing;
  });
}
