// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// How often setup waits for the device, level by level: each wait drains the queue of launches.
#include "amg/classical_parameters.hpp"
#include "support/device.hpp"
#include "support/flows.hpp"
#include "support/tools_observer.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::test::waits_test {

/// Counts waits while it lives, one at a time. A fence counts where something was launched or
/// copied since the last one: others find the queue empty. What Kokkos's allocator waits for does
/// not count. Levels are told by the step that each begins with.
class WaitCounter : public ToolsObserver<WaitCounter> {
 public:
  using Waits = std::map<std::string, int>;

  WaitCounter() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(launch);
    Tools::set_begin_parallel_reduce_callback(launch);
    Tools::set_begin_parallel_scan_callback(launch);
    Tools::set_begin_deep_copy_callback(copy);
    Tools::set_begin_fence_callback(fence);
    Tools::set_push_region_callback(push);
    Tools::set_pop_region_callback(pop);
  }

  /// By step; first what comes before the finest level, last the direct solve and what is after it.
  std::vector<Waits> by_level{1};

 private:
  static void launch(const char*, std::uint32_t, std::uint64_t*) { current().m_queued = true; }
  static void copy(Kokkos::Profiling::SpaceHandle, const char*, const void*,
                   Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t) {
    current().m_queued = true;
  }
  static void fence(const char* name, std::uint32_t, std::uint64_t*) {
    const std::string label = name;
    // Kokkos fences before each callback for the tool's sake.
    if (label.rfind("Kokkos::Tools::", 0) == 0) return;
    const bool frees = label.find("dealloc") != std::string::npos ||
                       label.find("free") != std::string::npos ||
                       label.find("malloc") != std::string::npos;
    if (!frees && std::exchange(current().m_queued, false))
      ++current().by_level.back()[current().m_steps.empty() ? "" : current().m_steps.back()];
  }
  static void push(const char* name) {
    const std::string step = name;
    current().m_steps.push_back(step);
    const bool begins =
        step == "tessera::setup::spectral radius" || step == "tessera::setup::coarse solver";
    if (begins) current().by_level.emplace_back();
  }
  static void pop() {
    if (!current().m_steps.empty()) current().m_steps.pop_back();
  }

  std::vector<std::string> m_steps;
  bool m_queued = false;
};

int sum(const WaitCounter::Waits& waits) {
  int total = 0;
  for (const auto& [step, count] : waits)
    total += count;
  return total;
}

std::string steps_of(const WaitCounter::Waits& waits) {
  std::string text;
  for (const auto& [step, count] : waits)
    text += "; " + step + " " + std::to_string(count);
  return text;
}

/// Of a host; it waits for each kernel, so that there is nothing to count.
template <class Space>
bool is_threads() {
  return std::string_view(Space::name()) == "Threads";
}

TESSERA_TEST_SUITE(WaitsTest, Spaces, TypeNames);

// On a device, products of more than 100,000 rows whose rows repeat wait three times each, others
// twice: there the finest levels of these are at the limit.
TESSERA_TYPED_TEST(WaitsTest, AStructuredLevelWaitsTwelveTimesAtTheMost) {
  if (is_threads<Space>()) GTEST_SKIP() << "Threads waits for each kernel";
  const std::tuple<const char*, ProblemKind, int> cases[] = {
      {"5-point 400^2", ProblemKind::poisson2d, 400},
      {"7-point 64^3", ProblemKind::poisson3d, 64},
      {"27-point 40^3", ProblemKind::poisson3d27, 40}};
  for (const auto& [title, kind, n] : cases) {
    SCOPED_TRACE(title);
    const auto problem = make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = n});
    Solver<Scalar, Space, Offset> solver;
    const WaitCounter counter;
    solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
    const auto& waits = counter.by_level;
    ASSERT_GE(waits.size(), 4u);
    for (std::size_t at = 0; at < waits.size(); ++at) {
      const int most = at == 0 ? 9 : at + 1 == waits.size() ? 3 : 12;
      EXPECT_LE(sum(waits[at]), most)
          << "level " << static_cast<int>(at) - 1 << steps_of(waits[at]);
    }
  }
}

TESSERA_TYPED_TEST(WaitsTest, BelowALevelThatIsNoBoxNoneIsLookedFor) {
  const auto problem =
      make_problem<Scalar, Space, Offset>(exec, {.problem = ProblemKind::graph, .n = 120});
  const auto waits_of = [&](amg::Aggregation aggregation) {
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.amg.smoothed_aggregation.aggregation = aggregation;
    Solver<Scalar, Space, Offset> solver(parameters);
    const WaitCounter counter;
    solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
    return counter.by_level;
  };
  const auto looked = waits_of(amg::Aggregation::automatic);
  const auto told = waits_of(amg::Aggregation::mis2);
  ASSERT_EQ(looked.size(), told.size());
  ASSERT_GE(looked.size(), 5u) << "two levels that are coarsened";
  EXPECT_GT(sum(looked[1]), sum(told[1])) << steps_of(looked[1]);
  for (std::size_t at = 2; at < told.size(); ++at)
    EXPECT_EQ(sum(looked[at]), sum(told[at])) << steps_of(looked[at]) << steps_of(told[at]);
}

int rounds_of_splitting(const WaitCounter::Waits& waits) {
  const auto found = waits.find("tessera::setup::splitting");
  return found == waits.end() ? 0 : found->second;
}

// Each round of a splitting asks whether points are left. All else waits as often whatever the
// size. Room is for products, which wait once more on a device, and for rounds: 15 to 18 waits were
// counted on a host, 18 to 28 by fronts, 37 to 40 where a level is split twice, and 27 to 28 by
// reduction.
TESSERA_TYPED_TEST(WaitsTest, OtherCoarseningsWaitForRoundsOfSplitting) {
  if (is_threads<Space>()) GTEST_SKIP() << "Threads waits for each kernel";
  struct Way {
    std::string name;
    SolveParameters parameters;
    int max;
    int max_of_finest;
    double peclet = 0;
  };
  std::vector<Way> ways;
  for (const auto& how : all_ways()) {
    ways.push_back({"classical, way " + std::to_string(ways.size()), classical(), 24,
                    how.aggressive_levels > 0 ? 46 : 24});
    ways.back().parameters.amg.classical = how;
  }
  ways.push_back({"fronts", classical(), 36, 36});
  ways.back().parameters.amg.classical.splitting = amg::PointSplitting::advancing_front;
  ways.push_back({"reduction", classical(), 30, 30, 1e3});
  ways.back().parameters.solver.name = SolverName::gmres;
  ways.back().parameters.amg.coarsening = amg::CoarseningKind::reduction;
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    const auto waits_of = [&](int n) {
      const auto A = make_csr(exec, vortex(n, way.peclet, Differences::upwind));
      Solver<Scalar, Space, Offset> solver(way.parameters);
      const WaitCounter counter;
      solver.setup(exec, A);
      return counter.by_level;
    };
    // Both of more than 8192 coarse points: on a device interpolations of fewer wait once less.
    const auto small = waits_of(170), large = waits_of(240);
    ASSERT_GE(large.size(), 5U);
    for (std::size_t at = 0; at < large.size(); ++at) {
      const int most = at == 0                  ? 9
                       : at + 1 == large.size() ? 3
                       : at == 1                ? way.max_of_finest
                                                : way.max;
      EXPECT_LE(sum(large[at]), most)
          << "level " << static_cast<int>(at) - 1 << steps_of(large[at]);
    }
    EXPECT_GT(rounds_of_splitting(large[1]), 0);
    EXPECT_EQ(sum(small[1]) - rounds_of_splitting(small[1]),
              sum(large[1]) - rounds_of_splitting(large[1]))
        << steps_of(small[1]) << steps_of(large[1]);
  }
}

}  // namespace tessera::test::waits_test
