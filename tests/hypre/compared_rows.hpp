// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of interpolation by two libraries, whole and truncated.
#pragma once

#include "hypre/boomeramg_parts.hpp"

#include <cmath>
#include <functional>
#include <vector>

namespace tessera::test::hypre_test {

constexpr double tolerance = 1e-10;  ///< of an entry, relative
constexpr int kept = 4;  ///< entries per row after truncation

inline double value_in(const Row& row, Ordinal j) {
  const auto at = std::ranges::lower_bound(row, j, {}, &std::pair<Ordinal, double>::first);
  return at != row.end() && at->first == j ? at->second : 0;
}

inline double sum_of(const Row& row) {
  double sum = 0;
  for (const auto& entry : row)
    sum += entry.second;
  return sum;
}

/// The matrix with those of its couplings that `is_moved` added to the diagonal.
inline Rows with_moved_to_diagonal(const Rows& A,
                                   const std::function<bool(Ordinal, Ordinal, double)>& is_moved) {
  Rows result(A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    const auto own = static_cast<Ordinal>(i);
    double moved = 0;
    for (const auto& [j, value] : A[i]) {
      const bool moves = j != own && is_moved(own, j, value);
      moved += moves ? value : 0;
      if (!moves) result[i].emplace_back(j, value);
    }
    for (auto& [j, value] : result[i])
      value += j == own ? moved : 0;
  }
  return result;
}

/// Without couplings of the diagonal's sign, which are added to the diagonal.
inline Rows with_opposite_couplings(const Rows& A) {
  return with_moved_to_diagonal(A, [&](Ordinal i, Ordinal, double value) {
    return value * value_in(A[static_cast<std::size_t>(i)], i) > 0;
  });
}

/// With couplings of the sign opposite to the diagonal's alone, and a diagonal that makes rows sum
/// to 0.
inline Rows with_zero_sums(const Rows& A) {
  Rows result = with_opposite_couplings(A);
  for (std::size_t i = 0; i < A.size(); ++i) {
    const auto own = static_cast<Ordinal>(i);
    const double others = sum_of(result[i]) - value_in(result[i], own);
    for (auto& [j, value] : result[i])
      if (j == own && others != 0) value = -others;
  }
  return result;
}

inline Rows product(const Rows& P_1, const Rows& P_2) {
  Rows rows;
  for (const Row& row : P_1) {
    Row sums;
    for (const auto& [k, weight] : row)
      for (const auto& [j, value] : P_2[static_cast<std::size_t>(k)])
        sums.emplace_back(j, weight * value);
    std::ranges::sort(sums);
    Row merged;
    for (const auto& [j, value] : sums) {
      if (merged.empty() || merged.back().first != j) merged.emplace_back(j, 0.0);
      merged.back().second += value;
    }
    rows.push_back(merged);
  }
  return rows;
}

/// The largest difference of two entries, relative to the second; entries that are not there are 0.
inline double difference(const Row& p, const Row& q) {
  double largest = 0;
  for (const auto& [j, value] : q) {
    const double apart = std::abs(value_in(p, j) - value);
    if (apart > 0) largest = std::max(largest, apart / std::abs(value));
  }
  for (const auto& [j, value] : p)
    if (value_in(q, j) == 0 && value != 0) largest = std::max(largest, 1.0);
  return largest;
}

inline double size_of(const Row& row) {
  double size = 0;
  for (const auto& entry : row)
    size += std::abs(entry.second);
  return size;
}

/// The size that what truncation keeps of a row has at least.
inline double min_kept(const Row& whole) {
  std::vector<double> sizes;
  for (const auto& entry : whole)
    sizes.push_back(std::abs(entry.second));
  std::ranges::sort(sizes, std::greater<>());
  return sizes.size() <= kept ? 0 : sizes[kept - 1];
}

/// Whether there is an equal weight among those that are left out.
inline bool is_tied(const Row& whole) {
  const double smallest = min_kept(whole);
  const auto count = std::ranges::count_if(
      whole, [&](const auto& entry) { return std::abs(entry.second) >= (1 - 1e-6) * smallest; });
  return smallest > 0 && count > kept;
}

/// Whether the weights that are kept nearly cancel: Tessera does not scale them to the row's sum.
inline bool may_be_unscaled(const Row& cut, const Row& whole) {
  return whole.size() > cut.size() && std::abs(sum_of(cut)) <= 0.0101 * size_of(cut);
}

/// With equal weights to choose from or not: as many entries, of the largest, and the row's sum.
inline bool is_truncation(const Row& p, const Row& whole) {
  const double smallest = min_kept(whole);
  double size = 0;
  for (const auto& [j, value] : p) {
    size += std::abs(value);
    if (std::abs(value_in(whole, j)) < (1 - 1e-6) * smallest) return false;
  }
  return p.size() == std::min<std::size_t>(kept, whole.size()) &&
         std::abs(sum_of(p) - sum_of(whole)) <= tolerance * size;
}

/// What the comparison of all rows came to.
struct Compared {
  double difference = 0;
  std::size_t tied = 0;  ///< with equal weights to choose from
  std::size_t unlike = 0;  ///< that need not be alike
};

inline void compare(const Row& ours, const Row& theirs, std::size_t i, Compared& result) {
  const double apart = difference(ours, theirs);
  result.difference = std::max(result.difference, apart);
  EXPECT_LE(apart, tolerance) << "row " << i;
}

inline Compared compare(const Rows& ours, const Rows& theirs) {
  Compared result;
  EXPECT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    compare(ours[i], theirs[i], i, result);
  return result;
}

inline void compare_truncated(const Row& ours, const Row& theirs, const Row& whole, std::size_t i,
                              Compared& result) {
  if (is_tied(whole)) {
    ++result.tied;
    EXPECT_TRUE(is_truncation(ours, whole)) << "row " << i;
    EXPECT_TRUE(is_truncation(theirs, whole)) << "row " << i;
  } else {
    compare(ours, theirs, i, result);
  }
}

inline Compared compare_truncated(const Rows& ours, const Rows& theirs, const Rows& whole) {
  Compared result;
  EXPECT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    compare_truncated(ours[i], theirs[i], whole[i], i, result);
  return result;
}

}  // namespace tessera::test::hypre_test
