// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product by hash tables: the path of a device, and the portable reference of the others.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// C = A B in two phases (hypre paper, section 4). The symbolic phase bins rows by a bound of their
/// size and counts distinct columns by hash sets in team scratch; the numeric phase bins them by
/// their size, sums in hash tables, sorts each row, and writes it. Lanes run over the entries of
/// one row of B at a time, whose columns differ, so that a sum's order is that of A's row whichever
/// lane wins a slot. Rows that no table in scratch holds use dense accumulators in global memory.
/// Shapes, results and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> hash_spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B);

}  // namespace tessera::kernels
