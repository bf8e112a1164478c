// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a flow soon leaves the domain, or goes round in it.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// `MatrixFacts::long_streamlines`: from each of a few rows on, the row upstream of the present one
/// is gone to again and again, until there is none, as at an inflow, or
/// `rules::steps_of_streamline` times the square root of the rows have been.
///
/// Upstream of i is the j with the largest s (a_ji - a_ij), s being the sign of the diagonal, where
/// that is `rules::share_of_upstream` of |a_ij| + |a_ji| or more. For a host.
template <class Scalar, class Space, class Offset>
double sampled_long_streamlines(const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
