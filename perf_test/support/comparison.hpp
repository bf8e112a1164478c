// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the programs share that solve a gallery problem by Tessera and by a peer on the host.
#pragma once

#include "support/host_system.hpp"
#include "support/run_options.hpp"

#include <vector>

namespace tessera::perf {

/// A program of one process: it is the first and waits for nobody.
struct OneProcess {
  int rank() const { return 0; }
  int size() const { return 1; }
  void quiet_barrier() const {}
};

/// Which problem both solve, and how.
struct Comparison {
  GalleryParameters gallery;
  std::string problem = "poisson3d";
  RunOptions options;

  void add_to(CLI::App& app) {
    app.add_option("--problem", problem, "gallery problem");
    app.add_option("--n", gallery.n, "its size");
    options.add_to(app);
  }

  /// Kokkos has to be initialised.
  HostSystem make_system() const {
    GalleryParameters parameters = gallery;
    parameters.problem = problem_of_name(problem);
    const HostSpace exec;
    const auto A = make_problem<double, HostSpace>(exec, parameters).A;
    const auto b = options.make_rhs(exec, A);
    exec.fence("tessera::perf");
    return {A, b};
  }

  /// Solves by Tessera in the first process and by `run_peer`, which returns a `Timing`, in all, in
  /// turn; after one warm-up each, reports the medians of both.
  template <class Processes, class RunPeer>
  void run(const Processes& processes, const HostSystem& system, const std::string& peer,
           RunPeer run_peer) const {
    const HostSpace exec;
    std::vector<Timing> ours;
    std::vector<Timing> theirs;
    for (int i = 0; i <= options.repeats; ++i) {
      Timing mine;
      if (processes.rank() == 0) mine = run_tessera(exec, system.A, system.b, options.parameters());
      processes.quiet_barrier();
      const Timing other = run_peer();
      if (i == 0) continue;  // warm-up
      ours.push_back(mine);
      theirs.push_back(other);
    }
    if (processes.rank() == 0) {
      std::printf("%s n = %d, %d rows, %zu entries, %d threads beside %d processes of the peer, ",
                  problem.c_str(), gallery.n, system.A.num_rows, system.A.num_entries(),
                  exec.concurrency(), processes.size());
      std::printf("relative residual %g\n", options.tolerance);
      report_comparison(options, problem, gallery.n, peer, processes.size(), medians(ours),
                        medians(theirs));
    }
    processes.quiet_barrier();
  }
};

}  // namespace tessera::perf
