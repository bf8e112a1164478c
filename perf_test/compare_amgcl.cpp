// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside amgcl (smoothed aggregation, SPAI0, CG) on the host, in turn in one run.
///
/// Both start from the same CSR arrays and solve to the same relative residual from
/// x0 = 0. amgcl's copy of the matrix into its own format is left out of its time.
#define AMGCL_NO_BOOST
#include "support/run_options.hpp"

#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/cg.hpp>

namespace {

using Space = tessera::HostSpace;
using tessera::perf::Timing;
using Backend = amgcl::backend::builtin<double>;
using Peer = amgcl::make_solver<
    amgcl::amg<Backend, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>,
    amgcl::solver::cg<Backend>>;

Timing run_amgcl(const tessera::kernels::Csr<double, Space>& A,
                 const tessera::MultiVector<double, Space>& b, double tolerance) {
  const auto n = static_cast<std::size_t>(A.num_rows);
  const std::size_t entries = A.num_entries();
  const auto matrix = std::make_shared<amgcl::backend::crs<double>>(
      n, n, amgcl::make_iterator_range(A.offsets.data(), A.offsets.data() + n + 1),
      amgcl::make_iterator_range(A.columns.data(), A.columns.data() + entries),
      amgcl::make_iterator_range(A.values.data(), A.values.data() + entries));
  std::vector<double> rhs(b.data(), b.data() + n);
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
  timing.relative_residual = residual;
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera beside amgcl: setup and solve on the host, medians of alternating runs"};
  tessera::GalleryParameters gallery;
  std::string problem = "poisson3d";
  tessera::perf::RunOptions options;
  app.add_option("--problem", problem, "gallery problem");
  app.add_option("--n", gallery.n, "its size");
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);
  gallery.problem = tessera::perf::problem_of_name(problem);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const auto system = tessera::make_problem<double, Space>(exec, gallery);
  const auto b = options.make_rhs(exec, system.A);
  exec.fence("tessera::perf");
  std::vector<Timing> ours;
  std::vector<Timing> theirs;
  for (int i = 0; i <= options.repeats; ++i) {
    const Timing tessera_run = tessera::perf::run_tessera(exec, system.A, b, options.parameters());
    const Timing amgcl_run = run_amgcl(system.A, b, options.tolerance);
    if (i == 0) continue;  // warm-up
    ours.push_back(tessera_run);
    theirs.push_back(amgcl_run);
  }
  const Timing mine = tessera::perf::medians(ours);
  const Timing peer = tessera::perf::medians(theirs);
  std::printf("%s n = %d, %d rows, %zu entries, %d threads, relative residual %g\n",
              problem.c_str(), gallery.n, system.A.num_rows, system.A.num_entries(),
              exec.concurrency(), options.tolerance);
  tessera::perf::report_comparison(options, problem, gallery.n, "amgcl (SA, SPAI0, CG)", mine,
                                   peer);
}
