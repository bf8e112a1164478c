// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong neighbours of a vertex, one unknown a vertex.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels::detail {

/// A vertex whose diagonal outweighs its couplings by this factor is isolated: relaxation alone
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

  KOKKOS_FUNCTION double measure(StrengthMeasure measure) const {
    const double sign = diagonal < 0 ? -1 : 1;
    if (Kokkos::abs(diagonal) > dominance * couplings) {
      return sign * Kokkos::Experimental::infinity_v<double>;
    }
    if (measure == StrengthMeasure::diagonal) return diagonal;
    return diagonal < 0 ? -greatest : -least;
  }
};

/// Joins those of a row's lanes.
class AddRowSums {
 public:
  using reducer = AddRowSums;
  using value_type = RowSums;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION explicit AddRowSums(value_type& value) : m_value(&value) {}

  KOKKOS_FUNCTION void init(value_type& value) const { value = {}; }
  KOKKOS_FUNCTION void join(value_type& to, const value_type& from) const {
    to.diagonal += from.diagonal;
    to.couplings += from.couplings;
    to.least = Kokkos::min(to.least, from.least);
    to.greatest = Kokkos::max(to.greatest, from.greatest);
  }
  KOKKOS_FUNCTION value_type& reference() const { return *m_value; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(m_value); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  value_type* m_value;
};

/// Visits the strong neighbours of a vertex, one unknown a vertex. Squares are compared, so that
/// ties are exact where the entries are; in double, so that squares of floats stay finite.
template <class Scalar, class Space, class Offset>
struct ScalarStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scale;  ///< empty where theta_squared is 0
  double theta_squared;

  /// The scale of vertex i with the sign of its diagonal; infinite where the diagonal outweighs all
  /// couplings together, so that none of them is strong.
  KOKKOS_FUNCTION double measure(Ordinal i, StrengthMeasure measure) const {
    RowSums sums;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      sums.add(A.columns(k) == i, A.values(k));
    return sums.measure(measure);
  }

  /// The same by the lanes of a thread of a team, which share the row's entries.
  template <class Member>
  KOKKOS_FUNCTION double measure(const Member& member, Ordinal i, StrengthMeasure measure) const {
    RowSums sums;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, A.offsets(i), A.offsets(i + 1)),
        [&](const Offset k, RowSums& mine) { mine.add(A.columns(k) == i, A.values(k)); },
        AddRowSums(sums));
    return sums.measure(measure);
  }

  KOKKOS_FUNCTION bool strong(Ordinal i, Ordinal j, double value) const {
    if (theta_squared == 0) return value != 0;
    return is_strong(value, scale(i), scale(j), theta_squared);
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal i, const Visit& visit) const {
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      if (j != i && strong(i, j, static_cast<double>(A.values(k)))) visit(j);
    }
  }

  /// The same by lanes: how many there are, ...
  template <class Member>
  KOKKOS_FUNCTION Ordinal count_strong(const Member& member, Ordinal i) const {
    Ordinal count = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, A.offsets(i), A.offsets(i + 1)),
        [&](const Offset k, Ordinal& mine) { mine += strong_entry(i, k) ? 1 : 0; }, count);
    return count;
  }
  /// ... and their numbers, in the order of the row.
  template <class Member>
  KOKKOS_FUNCTION void store_strong(const Member& member, Ordinal i, Ordinal* neighbours) const {
    // Kokkos's scan by lanes begins at 0, whatever range it is given.
    const Offset first = A.offsets(i);
    const auto length = static_cast<Ordinal>(A.offsets(i + 1) - first);
    Kokkos::parallel_scan(Kokkos::ThreadVectorRange(member, length),
                          [&](const Ordinal k, Ordinal& place, const bool is_final) {
                            if (!strong_entry(i, first + k)) return;
                            if (is_final) neighbours[place] = A.columns(first + k);
                            ++place;
                          });
  }

 private:
  KOKKOS_FUNCTION bool strong_entry(Ordinal i, Offset k) const {
    const Ordinal j = A.columns(k);
    return j != i && strong(i, j, static_cast<double>(A.values(k)));
  }
};

}  // namespace tessera::kernels::detail
