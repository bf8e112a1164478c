// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong neighbours of a node, one unknown per node.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels::detail {

/// A node whose diagonal outweighs its couplings by this factor is isolated: relaxation alone
/// solves it, as the penalty that many codes fix Dirichlet values by.
inline constexpr double dominance = 10;

/// What a row's scale is made of.
struct RowSums {
  double diagonal = 0;
  double couplings = 0;  ///< the sum of their magnitudes
  double least = 0;
  double greatest = 0;

  template <class Scalar>
  KOKKOS_FUNCTION void add(bool on_diagonal, Scalar entry) {
    const auto value = static_cast<double>(entry);
    if (on_diagonal) {
      diagonal += value;
    } else {
      couplings += Kokkos::abs(value);
      least = Kokkos::min(least, value);
      greatest = Kokkos::max(greatest, value);
    }
  }

  /// Those of all lanes together.
  KOKKOS_FUNCTION RowSums joined(const LaneGroup& group) const {
    const auto smaller = [](double a, double b) { return Kokkos::min(a, b); };
    const auto larger = [](double a, double b) { return Kokkos::max(a, b); };
    return {group.sum(diagonal), group.sum(couplings), group.reduce(least, smaller),
            group.reduce(greatest, larger)};
  }

  KOKKOS_FUNCTION double measure(StrengthMeasure measure) const {
    const double sign = diagonal < 0 ? -1 : 1;
    if (Kokkos::abs(diagonal) > dominance * couplings) {
      return sign * Kokkos::Experimental::infinity_v<double>;
    }
    if (measure == StrengthMeasure::diagonal) return diagonal;
    return diagonal < 0 ? -greatest : -least;
  }
};

/// What a coupling is compared with.
enum class CouplingTest {
  both_nodes,  ///< the scales of both
  row,  ///< that of its row alone
  row_by_magnitude  ///< the same, whatever its sign
};

/// Visits the strong neighbours of a node, one unknown per node. Squares are compared, so that
/// ties are exact where the entries are; in double, so that squares of floats stay finite.
template <class Scalar, class Space, class Offset, CouplingTest test = CouplingTest::both_nodes>
struct ScalarStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scale;  ///< empty where theta_squared is 0
  double theta_squared;

  /// The scale of node i with the sign of its diagonal; infinite where the diagonal outweighs all
  /// couplings together, so that none of them is strong.
  KOKKOS_FUNCTION double measure(Ordinal i, StrengthMeasure measure) const {
    RowSums sums;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      sums.add(A.columns(k) == i, A.values(k));
    return sums.measure(measure);
  }

  /// The same by a group of lanes, which share the row's entries; i = -1 for none.
  KOKKOS_FUNCTION double measure(const LaneGroup& group, Ordinal i, StrengthMeasure measure) const {
    const Entries row = entries(i);
    RowSums sums;
    for (Offset k = row.begin + group.lane(); k < row.end; k += group.size())
      sums.add(A.columns(k) == i, A.values(k));
    return sums.joined(group).measure(measure);
  }

  KOKKOS_FUNCTION bool strong(Ordinal i, Ordinal j, double value) const {
    if constexpr (test == CouplingTest::both_nodes) {
      if (theta_squared == 0) return value != 0;
      return is_strong(value, scale(i), scale(j), theta_squared);
    } else {
      const double s = scale(i);
      const double against = test == CouplingTest::row ? value : -Kokkos::copysign(value, s);
      return is_strong(against, s, s, theta_squared);
    }
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal i, const Visit& visit) const {
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      if (j != i && strong(i, j, static_cast<double>(A.values(k)))) visit(j);
    }
  }

  /// Writes them to `neighbours`, which has room for the whole row, and returns how many there are.
  /// Without a branch: which entries are strong is hard to foretell.
  Ordinal list_strong(Ordinal i, Ordinal* neighbours) const {
    Ordinal count = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      neighbours[count] = j;
      count += static_cast<Ordinal>(strong(i, j, static_cast<double>(A.values(k)))) &
               static_cast<Ordinal>(j != i);
    }
    return count;
  }

  /// The same by lanes, i = -1 for none: how many there are, ...
  KOKKOS_FUNCTION Ordinal count_strong(const LaneGroup& group, Ordinal i) const {
    const Entries row = entries(i);
    Ordinal count = 0;
    for (Offset k = row.begin + group.lane(); k < row.end; k += group.size())
      count += strong_entry(i, k) ? 1 : 0;
    return group.sum(count);
  }
  /// ... and their numbers, in the order of the row.
  KOKKOS_FUNCTION void store_strong(const LaneGroup& group, Ordinal i, Ordinal* neighbours) const {
    constexpr int at_once = 4;  // on their way before the first is looked at
    const Entries row = entries(i);
    const Offset longest = group.warp_max(row.end - row.begin);
    Ordinal place = 0;
    for (Offset first = 0; first < longest; first += at_once * group.size()) {
      Ordinal column[at_once];
      bool strong[at_once];
      for (int q = 0; q < at_once; ++q) {
        const Offset k = row.begin + first + q * group.size() + group.lane();
        column[q] = k < row.end ? A.columns(k) : -1;
        strong[q] = k < row.end && strong_entry(i, k);
      }
      for (int q = 0; q < at_once; ++q) {
        const std::uint32_t lanes = group.lanes_where(strong[q]);
        if (strong[q]) neighbours[place + group.count_before(lanes)] = column[q];
        place += Kokkos::Experimental::popcount_builtin(lanes);
      }
    }
  }

 private:
  struct Entries {
    Offset begin, end;
  };
  KOKKOS_FUNCTION Entries entries(Ordinal i) const {
    if (i < 0) return {0, 0};
    return {A.offsets(i), A.offsets(i + 1)};
  }
  KOKKOS_FUNCTION bool strong_entry(Ordinal i, Offset k) const {
    const Ordinal j = A.columns(k);
    return j != i && strong(i, j, static_cast<double>(A.values(k)));
  }
};

}  // namespace tessera::kernels::detail
