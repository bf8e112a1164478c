// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Is a matrix symmetric, as far as two products with it tell?
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

namespace tessera {

/// True where <v, S A S u> = <u, S A S v> to round-off, for two hashed vectors u and v and a
/// diagonal scaling S by which no entry of S A S is far above 1, and each row's largest about that.
/// So every row has the same say, whatever its size: one huge diagonal entry does not drown the
/// others' skew parts, and D B D with a symmetric B is as symmetric as B. A nonsymmetric matrix
/// passes only where its skew part is round-off beside the diagonal entries of the two rows, or
/// where u and v do not see it.
///
/// Three passes over `A`, which is square, and one wait. A NaN or an infinity in it is not
/// symmetric.
template <class Scalar, class Space, class Offset>
bool looks_symmetric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                     const kernels::CsrSpmvPlan<Space>& plan);

}  // namespace tessera
