// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup of multigrid, whatever coarsens, queues all its kernels on the instance that it is given
/// and waits for that one alone, and so do new values.
#include "amg/classical_parameters.hpp"
#include "contract/tools_recorder.hpp"
#include "support/device.hpp"
#include "support/flows.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tessera::test::independent_setups_test {

struct Way {
  std::string name;
  HostMatrix<double> A;
  SolveParameters parameters;
};

std::vector<Way> all_coarsenings() {
  const auto A = poisson<double>(40, 40);
  std::vector<Way> ways;
  for (const auto& how : all_ways()) {
    ways.push_back({"classical, way " + std::to_string(ways.size()), A, classical()});
    ways.back().parameters.amg.classical = how;
  }
  ways.push_back({"classical, by fronts", A, classical()});
  ways.back().parameters.amg.classical.splitting = amg::PointSplitting::advancing_front;
  const std::pair<const char*, amg::CoarseningKind> others[] = {
      {"smoothed aggregation", amg::CoarseningKind::smoothed_aggregation},
      {"pairwise", amg::CoarseningKind::pairwise},
      {"reduction", amg::CoarseningKind::reduction}};
  for (const auto& [name, kind] : others) {
    ways.push_back({name, vortex(40, 1e3, Differences::upwind), classical()});
    ways.back().parameters.solver.name = SolverName::gmres;
    ways.back().parameters.amg.coarsening = kind;
  }
  for (Way& way : ways) {
    way.parameters.amg.coarse_size = 20;
    way.parameters.amg.reuse = amg::Reuse::symbolic;
  }
  return ways;
}

/// Where Kokkos makes or frees memory it waits for all of a device's work.
bool is_of_memory(const std::string& label) {
  for (const char* word : {"alloc", "Alloc", "free"})
    if (label.find(word) != std::string::npos) return true;
  return false;
}

template <class Space>
void expect_own(const ToolsRecorder& recorder, const Space& exec) {
  const auto own = Kokkos::Tools::Experimental::device_id(exec);
  EXPECT_FALSE(recorder.kernels.empty());
  for (const auto& kernel : recorder.kernels)
    EXPECT_EQ(kernel.device, own) << kernel.label << " is queued elsewhere";
  EXPECT_FALSE(recorder.fences.empty());
  for (const auto& fence : recorder.fences)
    EXPECT_TRUE(fence.device == own || is_of_memory(fence.label)) << "waits by " << fence.label;
}

TESSERA_TEST_SUITE(IndependentSetups, Spaces, TypeNames);

TESSERA_TYPED_TEST(IndependentSetups, QueueAndWaitOnTheirOwnInstance) {
  const auto own = Kokkos::Experimental::partition_space(exec, 1, 1)[0];
  for (const Way& way : all_coarsenings()) {
    SCOPED_TRACE(way.name);
    const auto A = make_csr(own, way.A);
    Solver<double, Space> solver(way.parameters);
    {
      const ToolsRecorder recorder;
      solver.setup(own, A);
      expect_own(recorder, own);
    }
    ASSERT_GE(solver.hierarchy().levels.size(), 3U);
    const ToolsRecorder recorder;
    solver.update_values(own);
    expect_own(recorder, own);
  }
}

}  // namespace tessera::test::independent_setups_test
