// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Is a CSR matrix symmetric?
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// How far a square matrix is from its transpose; an entry that is not stored counts as 0.
struct Symmetry {
  bool square = false;
  bool pattern = false;  ///< a_ij is stored wherever a_ji is
  double largest_difference = 0;  ///< of |a_ij - a_ji|; NaN if one is NaN
  double largest_entry = 0;  ///< of |a_ij|

  /// Symmetric up to `tolerance` relative to the largest entry.
  bool within(double tolerance) const {
    return square && largest_difference <= tolerance * largest_entry;
  }
};

/// Compares `A` with its transpose. Rows may be unsorted; duplicates are added up.
template <class Scalar, class Space, class Offset>
Symmetry measure_symmetry(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// True where |a_ij - a_ji| <= tolerance * max |a| for all i and j.
template <class Scalar, class Space, class Offset>
bool is_symmetric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                  double tolerance = 0) {
  return measure_symmetry(exec, A).within(tolerance);
}

}  // namespace tessera::kernels
