// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The largest eigenvalue of D^-1 A, for relaxation and prolongator smoothing.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

namespace tessera::amg {

/// Entry `i`, hashed, in (-1, 1); 0 where the diagonal is, so that such a row stays out.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar start_entry(Ordinal i, Scalar inverse_diagonal, std::uint32_t seed) {
  const auto bits = static_cast<std::int32_t>(kernels::hash32(i, seed));
  return inverse_diagonal == Scalar(0) ? Scalar(0) : bits / Scalar(2147483648.0);
}

/// An estimate of the spectral radius of D^-1 A (Cusp paper, section 1.3) by `steps` >= 1 steps of
/// Lanczos in D's inner product, from a hashed start vector. A is symmetric with a diagonal of one
/// sign; any other matrix takes `spectral_radius_arnoldi`. It lies within a few percent of the
/// radius: the largest Ritz value plus half its residual, for Ritz values alone are always too
/// small.
///
/// `inverse_diagonal`: 1 / A_ii, length n, 0 where A_ii is 0 (such rows are left out). Two kernels
/// a step; waits for `exec` once, at the end. 0 for a matrix without rows or of zero diagonal; NaN
/// where A holds one.
template <class Scalar, class Space, class Offset>
double spectral_radius_lanczos(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const kernels::CsrSpmvPlan<Space>& plan,
                               const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                               int steps = 8, std::uint32_t seed = 0);

/// The same for any square A, by Arnoldi with classical Gram-Schmidt twice, from the same start
/// vector. In |D|'s inner product, so that a symmetric A gets the same Ritz values as from Lanczos,
/// whatever its scaling and the signs of its diagonal: the basis is that of
/// sign(D) |D|^-1/2 A |D|^-1/2, which has the eigenvalues of D^-1 A.
///
/// The result is the largest modulus of a Ritz value, real or of a complex pair, plus half its
/// residual. Where A is far from normal (strong convection), Ritz values find the pseudospectrum
/// before the spectrum: the result may then lie above the radius, up to the norm of the matrix
/// above and half as much again, never far below. That is the side on which damping is safe, for
/// there the norms of the first powers, and not the eigenvalues, say how errors decay.
///
/// Step m reads 4 m vectors beside the matrix and has seven kernels; `steps` + 2 vectors are held.
/// Nothing is read back and nothing waits before the end: the Hessenberg matrix stays on the device
/// until then.
template <class Scalar, class Space, class Offset>
double spectral_radius_arnoldi(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const kernels::CsrSpmvPlan<Space>& plan,
                               const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                               int steps = 8, std::uint32_t seed = 0);

}  // namespace tessera::amg
