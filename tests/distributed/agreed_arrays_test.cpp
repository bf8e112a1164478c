// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Arrays of a setup are allocated in steps of all processes: where one has no room for them, none
/// waits for it.
#include "distributed/reduction_cases.hpp"
#include "support/tools_observer.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/pairwise_aggregates.hpp"
#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/distributed/transposition.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tessera::test::agreed_arrays_test {

using namespace reduction_cases;
using Labels = std::set<std::string, std::less<>>;

/// Labels of the arrays that are allocated while it lives, in steps of `on_all_processes` and
/// between them.
class Allocations : public ToolsObserver<Allocations> {
 public:
  Allocations() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos::Profiling::SpaceHandle space, const char* label, const void*, std::uint64_t) {
          if (space.name == memory) current().note(label);
        });
    m_limit.emplace(memory, limit_of_steps);
  }

  Labels in_steps, between_steps;

 private:
  static constexpr std::int64_t limit_of_steps = std::int64_t(1) << 50;
  static inline const std::string_view memory = Space::memory_space::name();

  /// In a step, and there alone, what goes beyond the limit is refused.
  static bool is_in_step() {
    try {
      MemoryTracker::require_room(memory, "more than the limit",
                                  static_cast<std::size_t>(2 * limit_of_steps));
    } catch (const MemoryLimitExceeded&) {
      return true;
    }
    return false;
  }
  void note(const char* label) { (is_in_step() ? in_steps : between_steps).insert(label); }

  std::optional<distributed::StepMemoryLimit> m_limit;
};

/// Room for messages is had while others wait for these.
bool is_of_messages(std::string_view label) {
  constexpr std::string_view beginnings[] = {"NodeHalo", "RowExchange", "ArrayMessages",
                                             "sent",     "received",    "from_host",
                                             "listed_",  "starts_of"};
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) {
    return label.starts_with("tessera::distributed::" + std::string(beginning));
  });
}

TEST(DistributedAgreedArrays, AreThoseOfPairs) {
  const Space exec;
  const SharedProblem problem({.problem = ProblemKind::unstructured3d, .n = 9});
  const Share rows(problem.host);
  const auto A = distributed::numbered(exec, all_processes(), rows.rows()).matrix;
  auto fine = distributed::level_rows(A, 1);
  distributed::Transposition<Space> transpose;
  fine.transposed = std::make_shared<distributed::LevelTranspose<Space>>(
      distributed::level_transpose(A, transpose.make(exec, A), 1));
  const Allocations allocations;
  distributed::aggregate_pairwise(exec, fine, {.passes = 3});
  for (const char* const label :
       {"tessera::pairwise::root_of", "tessera::distributed::PairGraph::scale",
        "tessera::distributed::answers", "tessera::distributed::Pairs::second"})
    EXPECT_TRUE(allocations.in_steps.contains(label)) << label;
  for (const std::string& label : allocations.between_steps)
    EXPECT_TRUE(!label.starts_with("tessera::") || is_of_messages(label)) << label;
}

/// Fronts, aggressive levels by passes, systems by unknowns, points that are relaxed apart, and
/// levels that go to fewer processes.
TEST(DistributedAgreedArrays, AreThoseOfPoints) {
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 8});
  const Share rows(problem.host);
  for (const auto interpolation :
       {amg::AggressiveInterpolation::multipass, amg::AggressiveInterpolation::two_stage}) {
    Parameters p = classical();
    p.block_size = 3;
    p.rows_per_process = 200;
    p.solve.amg.pool_memory = false;  // each array under its own label
    p.solve.amg.smoother.type = SmootherType::l1_jacobi;
    p.solve.amg.smoother.points = RelaxationPoints::fc;
    p.solve.amg.classical.splitting = amg::PointSplitting::advancing_front;
    p.solve.amg.classical.systems = amg::SystemSplitting::unknowns;
    p.solve.amg.classical.aggressive_levels = 1;
    p.solve.amg.classical.aggressive_interpolation = interpolation;
    DistributedSolver solver(all_processes(), p);
    const Allocations allocations;
    solver.setup(Space(), rows.rows());
    const Labels steps = {
        "fronts::seen",
        "functions",
        "coarse_numbers",
        "rows_of_set",
        "second_splitting",
        interpolation == amg::AggressiveInterpolation::multipass ? "multipass::points" : "squared"};
    for (const std::string& step : steps) {
      const std::string label = "tessera::distributed::" + step;
      EXPECT_TRUE(allocations.in_steps.contains(label)) << label;
      EXPECT_FALSE(allocations.between_steps.contains(label)) << label;
    }
    EXPECT_FALSE(allocations.between_steps.contains("tessera::distributed::vectors"));
  }
}

}  // namespace tessera::test::agreed_arrays_test
