// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How large a Galerkin product would be, from patterns alone and before any product is made.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// Whether P^T A P may be formed where it may have `max_entries` at the most. A: n by n; the
/// entries of a row of P are m consecutive columns to each aggregate.
///
/// That is told by the work first, the sum over A's entries (i, j) of the aggregates in row i of P
/// times those in row j: up to 64 times `finest_entries`, those of the finest level's operator, as
/// meshes need, is fine, more than 256 times is not. What lies between is decided by
/// `estimate_galerkin_entries`. Rows of A with more than `longest_row` entries, which are T's in P,
/// add little and are not read for the sum. `longest_of_P`: the entries of P's longest row, 0 where
/// that is not known. Waits for `exec` where that is not enough to know.
template <class Scalar, class Space, class Offset>
bool galerkin_product_fits(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                           const kernels::CsrView<Scalar, Space, Offset>& P, int m,
                           std::size_t longest_row, double finest_entries, double max_entries,
                           std::int64_t longest_of_P = 0);

/// The number of entries of P^T A P, by Cohen's size estimation (J. Comput. Syst. Sci. 55 (1997),
/// section 4): each aggregate draws 16 exponential variates, minima of which are passed through P,
/// A and P^T; a row that meets k aggregates then has 15 over the sum of its minima for k. A row's
/// estimate is off by a quarter, their sum by far less. Costs three passes; waits for `exec`.
template <class Scalar, class Space, class Offset>
double estimate_galerkin_entries(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 const kernels::CsrView<Scalar, Space, Offset>& P, int m);

}  // namespace tessera::amg
