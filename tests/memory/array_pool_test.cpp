// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A pool hands out memory that nobody uses, and none that somebody does.
#include "tessera/kernels/execution/array_pool.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::test::array_pool_test {

using Space = DeviceSpace;
using Numbers = Array<double, Space>;

/// Twelve of them are no more than is kept in any case.
constexpr std::size_t large = 10000;

Numbers numbers(const Space& exec, std::size_t length) {
  return allocate<double>(exec, "tessera::test", length);
}

TEST(ArrayPool, PassesOnWhatWasFreed) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  auto a = numbers(exec, large);
  const double* const place = a.data();
  const auto b = numbers(exec, large);
  EXPECT_NE(b.data(), place);
  a = {};
  const auto c = numbers(exec, large - large / 16);
  EXPECT_EQ(c.data(), place) << "an eighth may stay empty";
  EXPECT_EQ(c.extent(0), large - large / 16);
  EXPECT_TRUE(c.span_is_contiguous());
}

TEST(ArrayPool, GivesAsMuchAsIsAskedFor) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  auto a = numbers(exec, large);
  const double* const place = a.data();
  a = {};
  EXPECT_NE(numbers(exec, large + 1).data(), place);
  EXPECT_NE(numbers(exec, large / 2).data(), place) << "half of it would be of no use to others";
}

TEST(ArrayPool, OtherTypesHaveMemoryOfTheirOwn) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  auto a = numbers(exec, large);
  const void* const place = a.data();
  a = {};
  EXPECT_NE(static_cast<const void*>(allocate<float>(exec, "tessera::test", 2 * large).data()),
            place);
}

TEST(ArrayPool, SmallArraysLieSideBySide) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  const auto a = numbers(exec, 5);
  const auto b = numbers(exec, 7);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) - reinterpret_cast<std::uintptr_t>(a.data()),
            256U);
  EXPECT_EQ(numbers(exec, 0).extent(0), 0U);
}

TEST(ArrayPool, ArraysOutliveIt) {
  const Space exec;
  Numbers small, big;
  {
    const ArrayPool<Space> pool(exec);
    small = numbers(exec, 10);
    big = numbers(exec, large);
    Kokkos::deep_copy(exec, small, 1.5);
    Kokkos::deep_copy(exec, big, 2.5);
  }
  EXPECT_EQ(to_host(small), std::vector<double>(10, 1.5));
  EXPECT_EQ(to_host(big), std::vector<double>(large, 2.5));
}

/// Arrays of all sizes that come and go at random, each marked: none is written by another.
TEST(ArrayPool, NoTwoArraysShareMemory) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  Random random(3);
  std::vector<std::pair<Array<std::int32_t, Space>, std::int32_t>> live;
  for (std::int32_t mark = 0; mark < 600; ++mark) {
    if (live.size() > 20) {
      const auto at = static_cast<std::ptrdiff_t>(random.below(static_cast<int>(live.size())));
      const auto values = to_host(live[static_cast<std::size_t>(at)].first);
      for (const auto value : values)
        ASSERT_EQ(value, live[static_cast<std::size_t>(at)].second);
      live.erase(live.begin() + at);
    }
    const std::size_t length =
        random.below(3) == 0 ? 20000 + random.below(9000) : random.below(900);
    live.emplace_back(allocate<std::int32_t>(exec, "tessera::test", length), mark);
    Kokkos::deep_copy(exec, live.back().first, mark);
  }
}

TEST(ArrayPool, KeepsLittleThatNobodyUses) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  std::vector<Numbers> all;
  for (std::size_t i = 0; i < 20; ++i)
    all.push_back(numbers(exec, 10 * large + 20000 * i));
  all.clear();
  const auto other = numbers(exec, 100 * large);
  EXPECT_LE(pool.idle_bytes(), std::size_t(1) << 20);
  (void)other;
}

TEST(ArrayPool, KeepsNothingIdleAtANewPeak) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  const auto peak = numbers(exec, 200 * large);
  auto a = numbers(exec, 20 * large);
  a = {};
  const auto b = numbers(exec, 25 * large);
  EXPECT_EQ(pool.idle_bytes(), 0U) << "an eighth, but a new peak";
  auto c = numbers(exec, 22 * large);
  auto d = numbers(exec, 40 * large);
  c = {};
  d = {};
  const auto e = numbers(exec, 30 * large);
  EXPECT_EQ(pool.idle_bytes(), 0U) << "below the peak, but more than an eighth";
  auto f = numbers(exec, 20 * large);
  f = {};
  const auto g = numbers(exec, 8 * large);
  EXPECT_EQ(pool.idle_bytes(), 20 * large * sizeof(double)) << "an eighth below the peak";
}

TEST(ArrayPool, OfOthersServesNobodyElse) {
  const Space exec;
  const ArrayPool<Space> off(exec, false);
  EXPECT_EQ(ArrayPool<Space>::of(exec), nullptr);
  const ArrayPool<Space> outer(exec);
  EXPECT_EQ(ArrayPool<Space>::of(exec), &outer);
  {
    const ArrayPool<Space> inner(exec);
    EXPECT_EQ(ArrayPool<Space>::of(exec), &outer)
        << "arrays may pass on beyond the inner one's end";
  }
  std::thread([&] { EXPECT_EQ(ArrayPool<Space>::of(exec), nullptr); }).join();
  const auto instances = Kokkos::Experimental::partition_space(exec, 1, 1);
  if (!(instances[0] == exec)) {
    EXPECT_EQ(ArrayPool<Space>::of(instances[0]), nullptr);
  }
}

/// Whatever memory has held before, a setup makes the same of it.
TEST(ArrayPool, ASetupIsTheSameWithOne) {
  const Space exec;
  for (const ProblemKind kind :
       {ProblemKind::poisson2d, ProblemKind::elasticity3d, ProblemKind::unstructured2d,
        ProblemKind::convdiff2d, ProblemKind::jump2d}) {
    GalleryParameters gallery{.problem = kind};
    gallery.n = kind == ProblemKind::elasticity3d ? 9 : 60;
    const auto problem = make_problem<double, Space>(exec, gallery);
    const auto solution = [&](bool pools) {
      SolveParameters parameters;
      parameters.amg.pool_memory = false;
      parameters.preconditioner = PreconditionerKind::amg;
      Solver<double, Space> solver(parameters);
      {
        const ArrayPool<Space> pool(exec, pools);
        if (pools) {  // what is passed on first is full of NaN
          for (const std::size_t rows : {1, 2, 4, 10, 30})
            Kokkos::deep_copy(exec, numbers(exec, rows * problem.A.num_rows / 2), NAN);
        }
        solver.setup(exec, problem.A, problem.near_nullspace, problem.block_size);
      }
      const auto x = allocate_multivector<double>(exec, "tessera::test", problem.A.num_rows);
      Kokkos::deep_copy(exec, x, 0.0);
      const auto result = solver.solve(exec, problem.b, x);
      EXPECT_TRUE(result.converged()) << to_string(kind);
      return to_host(x);
    };
    EXPECT_EQ(solution(true), solution(false)) << to_string(kind);
  }
}

}  // namespace tessera::test::array_pool_test
