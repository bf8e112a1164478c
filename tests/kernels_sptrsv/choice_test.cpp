// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which triangular solve is chosen by the number and the size of levels, for triangles of which it
/// is known: docs/notebook/one_kernel.md. What a device would choose is asked on hosts too.
#include "kernels_sptrsv/sptrsv_fixture.hpp"

#include "tessera/kernels/persistent/factors_inside.hpp"
#include "tessera/kernels/sptrsv/choose_runs.hpp"

#include <string>

namespace tessera::test {
namespace {

/// Stands for the space of a device where levels are looked at alone.
struct AnyDevice {
  using memory_space = void;
};

}  // namespace
}  // namespace tessera::test

namespace tessera::kernels {

template <>
struct TriangleLevels<test::AnyDevice> {
  Ordinal num_levels = 0;
  std::vector<Ordinal> first;
  std::vector<std::int64_t> entries;
};

}  // namespace tessera::kernels

namespace tessera::test {
namespace {

using kernels::LevelRun;
using DeviceLevels = kernels::TriangleLevels<AnyDevice>;

HostMatrix<double> chain(int n) { return poisson<double>(n); }

/// Rows that need no other.
HostMatrix<double> one_level(int n) { return identity<double>(n); }

/// A level of `wide` rows and one more, from which the chain goes on.
HostMatrix<double> chain_behind_a_wide_level(int wide, int length) {
  return by_rows<double>(wide + length, wide + length, [&](auto& A, int i) {
    if (i >= wide) A.push(i - 1, -0.5);
    A.push(i, 1.0);
  });
}

template <class Space>
using Case = TriangleCase<Types<double, Space>>;

DeviceLevels levels_for_a_device(const HostMatrix<double>& A) {
  const Case<HostSpace> lower(A, TriangleKind::lower, true);
  const auto levels = kernels::find_levels(lower.exec, lower.triangle());
  return {levels.num_levels, levels.first, levels.entries};
}

/// What is estimated for a device: the runs of levels, and the time by these and by counters.
struct Estimate {
  std::vector<LevelRun> runs;
  double by_levels = 0;
  double by_counters = 0;
};
Estimate estimated(const HostMatrix<double>& A) {
  const auto levels = levels_for_a_device(A);
  constexpr int lanes = 1;  // of rows of few entries
  Estimate result;
  result.runs =
      kernels::detail::choose_runs(levels, lanes, sizeof(double), false, &result.by_levels);
  result.by_counters = kernels::detail::estimated_by_counters(levels, sizeof(double));
  return result;
}

struct Choice {
  std::string name;
  HostMatrix<double> A;
  Ordinal num_levels;
  SptrsvAlgorithm of_device;
  bool inside_by_one_block;  ///< with L and U of A's pattern
};

std::vector<Choice> choices() {
  constexpr auto levels = SptrsvAlgorithm::levels;
  constexpr auto counters = SptrsvAlgorithm::counters;
  return {
      {"one level of few rows", one_level(16), 1, levels, false},
      {"one level", one_level(200000), 1, levels, false},
      {"chain", chain(2000), 2000, levels, true},
      {"long chain", chain(20000), 20000, levels, true},
      {"poisson2d:n=32", poisson<double>(32, 32), 63, levels, true},
      {"poisson2d:n=64", poisson<double>(64, 64), 127, levels, true},
      {"poisson2d:n=256", poisson<double>(256, 256), 511, counters, false},
      {"poisson3d:n=16", poisson<double>(16, 16, 16), 46, counters, false},
      {"poisson3d:n=24", poisson<double>(24, 24, 24), 70, counters, false},
      {"poisson3d:n=48", poisson<double>(48, 48, 48), 142, counters, false},
  };
}

TEST(SptrsvChoiceTest, ADeviceTakesLevelsOrCounters) {
  for (const Choice& choice : choices()) {
    SCOPED_TRACE(choice.name);
    EXPECT_EQ(levels_for_a_device(choice.A).num_levels, choice.num_levels);
    const Estimate found = estimated(choice.A);
    const bool prefers_counters = found.by_counters < found.by_levels;
    EXPECT_EQ(prefers_counters, choice.of_device == SptrsvAlgorithm::counters)
        << found.by_levels << " us by levels, " << found.by_counters << " us by counters";
  }
}

TEST(SptrsvChoiceTest, NarrowLevelsAreOneBlocksAndAWideOneIsALaunch) {
  const auto of_chain = estimated(chain(2000)).runs;
  ASSERT_EQ(of_chain.size(), 1u);
  EXPECT_TRUE(of_chain[0].by_one_block);
  EXPECT_EQ(of_chain[0].last_level, 2000);
  EXPECT_EQ(of_chain[0].widest, 1);
  const auto of_diagonal = estimated(one_level(200000)).runs;
  ASSERT_EQ(of_diagonal.size(), 1u);
  EXPECT_FALSE(of_diagonal[0].by_one_block);
  const auto of_both = estimated(chain_behind_a_wide_level(100000, 50)).runs;
  ASSERT_EQ(of_both.size(), 2u);
  EXPECT_FALSE(of_both[0].by_one_block);
  EXPECT_EQ(of_both[0].widest, 100000);
  EXPECT_TRUE(of_both[1].by_one_block);
  EXPECT_EQ(of_both[1].first_level, 1);
  EXPECT_EQ(of_both[1].last_level, 51);
}

TESSERA_TEST_SUITE(SptrsvPlanChoiceTest, Spaces, TypeNames);

TESSERA_TYPED_TEST(SptrsvPlanChoiceTest, AutomaticIsWhatIsEstimatedToBeFastest) {
  for (const Choice& choice : choices()) {
    SCOPED_TRACE(choice.name);
    const Case<Space> lower(choice.A, TriangleKind::lower, true);
    const auto plan = lower.plan(SptrsvAlgorithm::automatic);
    const auto expected =
        kernels::is_host_space<Space> ? SptrsvAlgorithm::levels : choice.of_device;
    EXPECT_STREQ(name_of(plan.algorithm), name_of(expected));
  }
}

TESSERA_TYPED_TEST(SptrsvPlanChoiceTest, FactorsInsideAreSolvedByOneBlockWhereLevelsAreNarrow) {
  for (const Choice& choice : choices()) {
    SCOPED_TRACE(choice.name);
    const Case<Space> lower(choice.A, TriangleKind::lower, true);
    const Case<Space> upper(choice.A, TriangleKind::upper, false);
    const kernels::FactorsInside<double, Space> factors(lower.exec, lower.triangle(),
                                                        upper.triangle());
    EXPECT_EQ(factors.by_one_block(), choice.inside_by_one_block);
  }
}

}  // namespace
}  // namespace tessera::test
