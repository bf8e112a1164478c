// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What smoothing a prolongator reads, and what it makes of a row of A.
#pragma once

#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <string>
#include <type_traits>

namespace tessera::amg::detail {

/// What filtering makes of a row: found once, for the pattern, and used again for the values.
template <class Scalar>
struct RowFilter {
  bool filtered = false;  ///< weak entries are left out
  Scalar lumped = 0;  ///< their sum, which goes to the diagonal
  Scalar undamped = 1;  ///< the factor by which the row wants less damping
};

/// What a row's filter depends on: a reduction's value.
template <class Scalar>
struct RowSums {
  Scalar weak = 0;  ///< of the entries left out, as they are added to the diagonal
  Scalar couplings = 0;  ///< of the magnitudes of those kept
  Scalar left_out = 0;  ///< of the magnitudes of the others

  KOKKOS_FUNCTION RowSums& operator+=(const RowSums& other) {
    weak += other.weak;
    couplings += other.couplings;
    left_out += other.left_out;
    return *this;
  }
};

/// What both passes read, and which entries of A they see.
template <class Scalar, class Space, class Offset>
struct SmoothingInput {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Scalar, Space> inverse_diagonal;
  kernels::CsrView<Scalar, Space, Offset> T;
  ArrayView<const Ordinal, Space> aggregate_of;
  Ordinal block_size;
  Ordinal m;
  double filter_squared;
  ArrayView<const double, Space> scale;
  ConstMultiVectorView<Scalar, Space> coarse_near_nullspace;
  Scalar spectral_radius;
  bool keeps_margin;
  std::size_t longest_row;
  ArrayView<const Scalar, Space> weights = {};
  ArrayView<const Scalar, Space> near_nullspace = {};  ///< by row, where filters look at them

  /// Whether row i of P is smoothed, or T's.
  KOKKOS_FUNCTION bool smooths(Ordinal i) const {
    return static_cast<std::size_t>(A.offsets(i + 1) - A.offsets(i)) <= longest_row;
  }
  KOKKOS_FUNCTION Ordinal length(Ordinal i) const {
    return static_cast<Ordinal>(A.offsets(i + 1) - A.offsets(i));
  }
  KOKKOS_FUNCTION Offset tentative_length(Ordinal i) const {
    return T.offsets(i + 1) - T.offsets(i);
  }
  KOKKOS_FUNCTION Scalar weight(Ordinal row) const {
    return weights.extent(0) == 0 ? Scalar(1) : weights(row);
  }

  KOKKOS_FUNCTION Ordinal aggregate(Ordinal row) const {
    // With `block_size == 1` for the condition a compiler divides at all times: it gives the same.
    return aggregate_of(block_size > 1 ? row / block_size : row);
  }

  /// The near-nullspace vector's value in a row; 0 in a row without an aggregate.
  KOKKOS_FUNCTION Scalar near_nullspace_vector(Ordinal row) const {
    return near_nullspace.extent(0) == 0 ? interpolated_near_nullspace_value(row)
                                         : near_nullspace(row);
  }
  KOKKOS_FUNCTION Scalar interpolated_near_nullspace_value(Ordinal row) const {
    const Ordinal g = aggregate(row);
    return g < 0 ? Scalar(0) : T.values(T.offsets(row)) * coarse_near_nullspace(g, 0);
  }
  /// What a_ij adds to the diagonal in its place: the same product with the near-nullspace vector.
  KOKKOS_FUNCTION Scalar on_diagonal(Ordinal i, Ordinal j, Scalar a_ij) const {
    return a_ij * near_nullspace_vector(j) / near_nullspace_vector(i);
  }

  /// Whether weak entries of row i may be left out.
  KOKKOS_FUNCTION bool may_filter(Ordinal i) const {
    return filter_squared != 0 && near_nullspace_vector(i) != Scalar(0);
  }
  /// Adds an entry, which takes part or does not; `moved` is what it adds to the diagonal in its
  /// place.
  KOKKOS_FUNCTION void add_entry(bool is_diagonal, Scalar a_ij, Scalar moved, bool takes_part,
                                 RowSums<Scalar>& sums) const {
    if (!takes_part) {
      sums.weak += moved;
      sums.left_out += Kokkos::abs(a_ij);
    } else if (!is_diagonal) {
      sums.couplings += Kokkos::abs(a_ij);
    }
  }
  KOKKOS_FUNCTION void add_entry(Ordinal i, Offset k, bool takes_part,
                                 RowSums<Scalar>& sums) const {
    const Ordinal j = A.columns(k);
    const Scalar a_ij = A.values(k);
    add_entry(j == i, a_ij, takes_part ? Scalar(0) : on_diagonal(i, j, a_ij), takes_part, sums);
  }
  /// The weak entries of row i are left out, but not where their sum would (nearly) cancel the
  /// diagonal that it is added to.
  KOKKOS_FUNCTION RowFilter<Scalar> filter_by(Ordinal i, const RowSums<Scalar>& sums) const {
    if (nearly_cancels(i, sums.weak)) return {};
    return {true, sums.weak, undamped(i, sums.weak, sums)};
  }
  /// What becomes of row i's `filter` in a pattern that is known, `sums` those by what is kept in
  /// it: there may be no place for what is strong by now. That goes to the diagonal, too, unless it
  /// would (nearly) cancel it.
  KOKKOS_FUNCTION RowFilter<Scalar> filter_again(Ordinal i, const RowFilter<Scalar>& filter,
                                                 const RowSums<Scalar>& sums) const {
    RowFilter<Scalar> again = filter;
    again.lumped = nearly_cancels(i, sums.weak) ? Scalar(0) : sums.weak;
    again.undamped = filter.filtered ? undamped(i, again.lumped, sums) : Scalar(1);
    return again;
  }
  KOKKOS_FUNCTION RowFilter<Scalar> filter(Ordinal i) const {
    if (!may_filter(i)) return {};
    RowSums<Scalar> sums;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      add_entry(i, k, strong(i, k), sums);
    return filter_by(i, sums);
  }
  KOKKOS_FUNCTION Scalar filtered_inverse(Ordinal i, Scalar lumped) const {
    const Scalar inverse = inverse_diagonal(i);
    return lumped == Scalar(0) ? inverse : inverse / (Scalar(1) + lumped * inverse);
  }
  /// By how much less a filtered row wants to be damped. The spectral radius is that of all of A;
  /// without the weak entries the row's own Gershgorin bound, from the sum of its `couplings`'
  /// magnitudes, may be far below it, as between the lines of a strongly anisotropic problem. What
  /// the row's bound was below the radius already, as next to a boundary, is no reason where
  /// `keeps_margin`: less damping costs a smooth right-hand side iterations there.
  KOKKOS_FUNCTION Scalar undamped(Ordinal i, Scalar lumped, const RowSums<Scalar>& sums) const {
    if (spectral_radius == Scalar(0)) return 1;
    const Scalar unfiltered =
        1 + (sums.couplings + sums.left_out) * Kokkos::abs(inverse_diagonal(i));
    const Scalar before = keeps_margin ? Kokkos::min(spectral_radius, unfiltered) : spectral_radius;
    const Scalar bound = 1 + sums.couplings * Kokkos::abs(filtered_inverse(i, lumped));
    return Kokkos::max(Scalar(1), before / bound);
  }
  KOKKOS_FUNCTION bool nearly_cancels(Ordinal i, Scalar sum) const {
    return Scalar(1) + sum * inverse_diagonal(i) < Scalar(0.1);
  }

  /// Whether row i of P is empty: nothing that the row's own diagonal decides is interpolated.
  KOKKOS_FUNCTION bool stands_alone(Ordinal i) const {
    return filter_squared > 0 && !Kokkos::isfinite(scale(i));
  }

  /// What multiplies row i of the (filtered) A.
  KOKKOS_FUNCTION Scalar damping(Ordinal i, Scalar omega_over_rho,
                                 const RowFilter<Scalar>& row) const {
    return omega_over_rho * weight(i) * filtered_inverse(i, row.lumped) * row.undamped;
  }
  /// An entry of row i of P where m is 1, from the `sum` of (A T)'s.
  KOKKOS_FUNCTION Scalar smoothed(Ordinal i, Scalar sum, bool own, Scalar factor,
                                  Scalar lumped) const {
    Scalar value = -factor * sum;
    if (own) value += (Scalar(1) - factor * lumped) * T.values(T.offsets(i));
    return value;
  }

  /// Whether a_ij is on the diagonal or strong.
  KOKKOS_FUNCTION bool strong(Ordinal i, Ordinal j, Scalar a_ij, double scale_j) const {
    return j == i || strong(a_ij, scale(i), scale_j);
  }
  KOKKOS_FUNCTION bool strong(Scalar a_ij, double scale_i, double scale_j) const {
    return kernels::is_strong(static_cast<double>(a_ij), scale_i, scale_j, filter_squared);
  }
  KOKKOS_FUNCTION bool strong(Ordinal i, Offset k) const {
    const Ordinal j = A.columns(k);
    return strong(i, j, A.values(k), scale(j));
  }
};

/// What the second pass fills: the values, and the columns too unless the pattern is known.
template <class Scalar, class Space, class Offset, bool PatternKnown>
struct SmoothedRows {
  Scalar omega_over_rho;
  Array<const Offset, Space> offsets;
  std::conditional_t<PatternKnown, Array<const Ordinal, Space>, Array<Ordinal, Space>> columns;
  Array<Scalar, Space> values;
  Array<RowFilter<Scalar>, Space> filters = {};  ///< as the first pass found them
};

/// The input of checked arguments.
template <class Scalar, class Space, class Offset>
SmoothingInput<Scalar, Space, Offset> smoothing_input(
    const kernels::CsrView<Scalar, Space, Offset>& A,
    const ArrayView<const Scalar, Space>& inverse_diagonal,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row) {
  require(A.num_rows == A.num_cols && A.num_rows == tentative.T.num_rows, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix of T's " + std::to_string(tentative.T.num_rows) + " rows";
  });
  const auto m = static_cast<Ordinal>(tentative.coarse_near_nullspace.extent(1));
  const double theta = filter.theta;
  const bool fits = theta > 0 && tentative.block_size == 1 && m == 1 &&
                    filter.scale.extent(0) == static_cast<std::size_t>(A.num_rows);
  require(theta == 0 || fits, [&] {
    return "filter.theta = " + std::to_string(theta) + " with a scale of " +
           std::to_string(filter.scale.extent(0)) +
           " entries; expected 0, or a positive number with one unknown per node, one "
           "near-nullspace vector "
           "and one entry per row";
  });
  return {A,
          inverse_diagonal,
          tentative.T.view(),
          tentative.aggregate_of,
          tentative.block_size,
          m,
          theta * theta,
          filter.scale,
          tentative.coarse_near_nullspace,
          static_cast<Scalar>(filter.spectral_radius),
          filter.symmetric,
          longest_row};
}

/// The near-nullspace vectors by row.
template <class Scalar, class Space, class Offset>
struct InterpolateNearNullspace {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Scalar, Space> near_nullspace;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    near_nullspace(i) = in.interpolated_near_nullspace_value(i);
  }
};

/// The near-nullspace vectors by row where filters look at them, else none.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> interpolated_near_nullspace(const Space& exec,
                                                 const SmoothingInput<Scalar, Space, Offset>& in) {
  Array<Scalar, Space> near_nullspace;
  if (in.filter_squared > 0) {
    const Ordinal n = in.A.num_rows;
    near_nullspace = allocate<Scalar>(exec, "tessera::smooth_prolongator::near_nullspace", n);
    Kokkos::parallel_for("tessera::smooth_prolongator::near_nullspace",
                         Kokkos::RangePolicy<Space>(exec, 0, n),
                         InterpolateNearNullspace<Scalar, Space, Offset>{in, near_nullspace});
  }
  return near_nullspace;
}

}  // namespace tessera::amg::detail
