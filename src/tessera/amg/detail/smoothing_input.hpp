// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a row of the smoothed prolongator is made from, and what filtering leaves of it.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <cstddef>

namespace tessera::amg::detail {

/// What filtering makes of a row: found once, for the pattern, and used again for the values.
template <class Scalar>
struct RowFilter {
  bool filtered;  ///< weak entries are left out
  Scalar lumped;  ///< their sum, which goes to the diagonal
  Scalar undamped;  ///< the factor by which the row wants less damping
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
  ConstMultiVectorView<Scalar, Space> coarse_candidates;
  Scalar spectral_radius;
  std::size_t longest_row;
  ArrayView<const Scalar, Space> weights = {};
  ArrayView<const Scalar, Space> candidates = {};  ///< by row, where filters look at them

  /// Whether row i of P is smoothed, or T's.
  KOKKOS_FUNCTION bool smooths(Ordinal i) const {
    return static_cast<std::size_t>(A.offsets(i + 1) - A.offsets(i)) <= longest_row;
  }
  KOKKOS_FUNCTION Offset tentative_length(Ordinal i) const {
    return T.offsets(i + 1) - T.offsets(i);
  }
  KOKKOS_FUNCTION Scalar weight(Ordinal row) const {
    return weights.extent(0) == 0 ? Scalar(1) : weights(row);
  }

  KOKKOS_FUNCTION Ordinal aggregate(Ordinal row) const {
    return aggregate_of(block_size == 1 ? row : row / block_size);
  }

  /// The candidate's value in a row; 0 in a row without an aggregate.
  KOKKOS_FUNCTION Scalar candidate(Ordinal row) const {
    return candidates.extent(0) == 0 ? interpolated_candidate(row) : candidates(row);
  }
  KOKKOS_FUNCTION Scalar interpolated_candidate(Ordinal row) const {
    const Ordinal g = aggregate(row);
    return g < 0 ? Scalar(0) : T.values(T.offsets(row)) * coarse_candidates(g, 0);
  }
  /// What entry k of row i adds to the diagonal in its place: the same product with the candidate.
  KOKKOS_FUNCTION Scalar on_diagonal(Ordinal i, Offset k) const {
    return A.values(k) * candidate(A.columns(k)) / candidate(i);
  }

  /// The weak entries of row i are left out, but not where their sum would (nearly) cancel the
  /// diagonal that it is added to.
  KOKKOS_FUNCTION RowFilter<Scalar> filter(Ordinal i) const {
    const RowFilter<Scalar> none{false, 0, 1};
    if (filter_squared == 0 || candidate(i) == Scalar(0)) return none;
    Scalar sum = 0;
    Scalar couplings = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (!strong(i, k)) {
        sum += on_diagonal(i, k);
      } else if (A.columns(k) != i) {
        couplings += Kokkos::abs(A.values(k));
      }
    }
    if (nearly_cancels(i, sum)) return none;
    return {true, sum, undamped(i, sum, couplings)};
  }
  KOKKOS_FUNCTION Scalar filtered_inverse(Ordinal i, Scalar lumped) const {
    const Scalar inverse = inverse_diagonal(i);
    return lumped == Scalar(0) ? inverse : inverse / (Scalar(1) + lumped * inverse);
  }
  /// By how much less a filtered row wants to be damped. The spectral radius is that of all of A;
  /// without the weak entries the row's own Gershgorin bound, from the sum of its `couplings`'
  /// magnitudes, may be far below it, as between the lines of a strongly anisotropic problem.
  KOKKOS_FUNCTION Scalar undamped(Ordinal i, Scalar lumped, Scalar couplings) const {
    if (spectral_radius == Scalar(0)) return 1;
    const Scalar bound = 1 + couplings * Kokkos::abs(filtered_inverse(i, lumped));
    return Kokkos::max(Scalar(1), spectral_radius / bound);
  }
  KOKKOS_FUNCTION bool nearly_cancels(Ordinal i, Scalar sum) const {
    return Scalar(1) + sum * inverse_diagonal(i) < Scalar(0.1);
  }

  /// Whether row i of P is empty: nothing that the row's own diagonal decides is interpolated.
  KOKKOS_FUNCTION bool stands_alone(Ordinal i) const {
    return filter_squared > 0 && !Kokkos::isfinite(scale(i));
  }

  /// Whether entry k of row i is on the diagonal or strong.
  KOKKOS_FUNCTION bool strong(Ordinal i, Offset k) const {
    const Ordinal j = A.columns(k);
    if (j == i) return true;
    return kernels::is_strong(static_cast<double>(A.values(k)), scale(i), scale(j), filter_squared);
  }
};

/// The candidates by row.
template <class Scalar, class Space, class Offset>
struct InterpolateCandidates {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Scalar, Space> candidates;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { candidates(i) = in.interpolated_candidate(i); }
};

}  // namespace tessera::amg::detail
