// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong couplings of classical multigrid are those of hypre's BoomerAMG, and its splittings have
/// as many coarse points but for their random numbers.
#include "hypre/boomeramg_parts.hpp"

#include "tessera/kernels/graph/pmis.hpp"

#include <cmath>
#include <iostream>
#include <numeric>
#include <optional>

namespace tessera::test {
namespace hypre_test {
namespace {

class BoomerAmgSplitting : public Hypre, public ::testing::WithParamInterface<Source> {
 protected:
  void SetUp() override {
    Hypre::SetUp();
    if (const auto why = why_missing(GetParam()); !why.empty()) GTEST_SKIP() << why;
    const Space exec;
    m_split.emplace(exec, read(exec, GetParam()));
  }
  std::optional<Split> m_split;
};

TEST_P(BoomerAmgSplitting, IsOfTheSameStrongCouplings) {
  const HypreMatrix A(0, share_of(m_split->rows));
  const HypreStrength strength(A);
  const Rows theirs = rows_of(strength.get());
  ASSERT_EQ(theirs.size(), m_split->strong.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    std::vector<Ordinal> columns;
    for (const auto& entry : theirs[i])
      columns.push_back(entry.first);
    EXPECT_EQ(columns, m_split->strong[i]) << "row " << i;
  }
}

/// What some splittings have of coarse points.
struct Counts {
  double sum = 0;
  double squares = 0;
  int number = 0;

  void add(double count) {
    sum += count;
    squares += count * count;
    ++number;
  }
  double mean() const { return sum / number; }
  double variance() const {
    return std::max(0.0, squares / number - mean() * mean()) * number / (number - 1);
  }
};

/// The matrix with its rows, and columns, in an order by hashed numbers.
Rows renumbered(const Rows& A, std::uint32_t seed) {
  std::vector<Ordinal> order(A.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Ordinal i) {
    return std::pair(kernels::hash32(static_cast<std::uint32_t>(i) + 0x9e3779b9U * seed), i);
  });
  std::vector<Ordinal> number(A.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    number[static_cast<std::size_t>(order[k])] = static_cast<Ordinal>(k);
  Rows result(A.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const auto& [j, value] : A[static_cast<std::size_t>(order[k])])
      result[k].emplace_back(number[static_cast<std::size_t>(j)], value);
    std::ranges::sort(result[k]);
  }
  return result;
}

int coarse_points_by_hypre(const Rows& rows) {
  const HypreMatrix A(0, share_of(rows));
  const HypreStrength strength(A);
  hypre_IntArray* marks = nullptr;
  hypre_BoomerAMGCoarsenPMIS(strength.get(), A.get(), 0, 0, &marks);
  const HYPRE_Int* const first = hypre_IntArrayData(marks);
  const auto count = std::count_if(first, first + rows.size(), [](HYPRE_Int m) { return m > 0; });
  hypre_IntArrayDestroy(marks);
  return static_cast<int>(count);
}

/// hypre's random numbers are always the same ones, and go to other points where these are numbered
/// otherwise; Tessera's depend on a seed.
TEST_P(BoomerAmgSplitting, HasAsManyCoarsePointsOnAverage) {
  constexpr std::uint32_t times = 16;
  const Space exec;
  Counts ours;
  Counts theirs;
  for (std::uint32_t seed = 0; seed < times; ++seed) {
    const auto is_coarse =
        to_host(kernels::pmis(exec, m_split->found.strong, m_split->found.stays, seed));
    ours.add(static_cast<double>(std::ranges::count(is_coarse, 1)));
    theirs.add(coarse_points_by_hypre(renumbered(m_split->rows, seed)));
  }
  const double error = std::sqrt((ours.variance() + theirs.variance()) / times);
  std::cout << GetParam() << ": " << ours.mean() << " coarse points, hypre's " << theirs.mean()
            << ", standard deviations " << std::sqrt(ours.variance()) << " and "
            << std::sqrt(theirs.variance()) << ", apart by "
            << (ours.mean() - theirs.mean()) / std::max(error, 1e-9) << " errors\n";
  EXPECT_NEAR(ours.mean(), theirs.mean(), 4 * error + 1);
}

INSTANTIATE_TEST_SUITE_P(Matrices, BoomerAmgSplitting, ::testing::ValuesIn(matrices_of_parts()));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
