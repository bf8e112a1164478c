// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The scale that brings the values of a matrix into the range of their storage.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// The scale for storing A's values in `Storage`: 1 where all of them lie between its smallest
/// normal number and its largest, or are 0; else the power of two that brings the largest magnitude
/// to the top of the range, where the fewest small ones are lost, but not above 2^64: the scale is
/// applied to whole sums, which float, too, has to hold. 1 where an entry is infinite or NaN. Waits
/// for its answer.
template <class Storage, class Scalar, class Space, class Offset>
double fitting_scale(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The same for a matrix of tiles, whatever it is stored in.
template <class Storage, class From, class Space>
double fitting_scale(const Space& exec, const MbsrView<From, Space>& A);

}  // namespace tessera::kernels
