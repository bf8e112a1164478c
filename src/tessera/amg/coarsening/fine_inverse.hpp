// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse approximation of the inverse among fine points.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <vector>

namespace tessera::amg {

/// N and M, both n by n with rows and columns of fine points alone and without values. N has the
/// pattern of A_ff with its diagonal, M that of a power of it. Rows ascend.
template <class Scalar, class Space, class Offset>
struct FineInverse {
  kernels::Csr<Scalar, Space, Offset> N;
  kernels::Csr<Scalar, Space, Offset> M;
};

/// The patterns, M's the first power. `coarse_number`: by row of A, below 0 for fine points.
/// Couplings below `drop` times the largest of their row of A are left out.
template <class Scalar, class Space, class Offset>
FineInverse<Scalar, Space, Offset> fine_inverse_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, double drop = 0);

/// Makes M's pattern that of the next power, of N M.
template <class Scalar, class Space, class Offset>
void raise_pattern(const Space& exec, FineInverse<Scalar, Space, Offset>& inverse);

/// The values: N = I - D^-1 A_ff, and M = (sum over k of c_k N^k) D^-1 with the coefficients of
/// `gmres_polynomial`, each product with N being kept in M's pattern: the assembled GMRES
/// polynomial of fixed sparsity of S. Dargaville, A. Buchan, R. Smedley-Stevenson, P. Smith &
/// C. Pain, "AIR multigrid with GMRES polynomials (AIRG) and additive preconditioners for Boltzmann
/// transport" (J. Comput. Phys. 518, 2024, section 3.2), for A_ff scaled to a unit diagonal.
/// `inverse_diagonal` is 0 where the diagonal is: rows of N and columns of M are, too. No column of
/// A is there twice.
template <class Scalar, class Space, class Offset>
void fill_fine_inverse(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                       const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                       int order, FineInverse<Scalar, Space, Offset>& inverse);

/// The steps of `fill_fine_inverse`, where rows are shared out: N's values,
template <class Scalar, class Space, class Offset>
void fill_couplings(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                    const NonDeduced<kernels::Csr<Scalar, Space, Offset>>& N);
/// `result` = those of c I + N M, of which the pattern of M is kept, without an array of its own,
template <class Scalar, class Space, class Offset>
void horner_step(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& N,
                 const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M, Scalar c,
                 const NonDeduced<Array<Scalar, Space>>& result);
/// and M with columns multiplied by D^-1.
template <class Scalar, class Space, class Offset>
void divide_columns(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& M,
                    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal);

}  // namespace tessera::amg
