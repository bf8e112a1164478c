// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in CSR where the matrix is stored in another scalar than the
/// vectors.
///
/// Matrix values of type `Storage` are read and multiplied with vectors of type `Working`; sums are
/// carried in Arithmetic<Storage, Working>, and no converted copy is made. `Working` comes first:
/// it is deduced from `alpha`, or given, as in residual<double>(exec, plan, A, b, x, r). A call
/// with `Working` the same as `Storage` is one of csr_spmv.hpp, so that code for any pair reads
/// alike.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"

namespace tessera::kernels {

/// y = alpha A x + beta y. x: num_cols by k; y: num_rows by k. `beta == 0` overwrites y, NaN
/// included; `alpha == 0` does not read x.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, Working alpha,
          const CsrView<Storage, Space, Offset>& A,
          const NonDeduced<ConstMultiVectorView<Working, Space>>& x, NonDeduced<Working> beta,
          const NonDeduced<MultiVectorView<Working, Space>>& y);

/// r = b - A x in one pass over the matrix. `r` may be `b`.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r);

/// r = b - A x and result(j) = <r_j, r_j>, the square of the 2-norm, on the device and summed in
/// double in a fixed order. A host does it in one pass, where the plan is not load-balanced; a
/// device reads r once more. result: k. `r` may be `b`.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,
                   const CsrView<Storage, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result);

/// y = A x and result(j) = <x_j, y_j> on the device; A square. The sum's order is fixed, so that
/// the same input gives the same bits.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result);

/// One damped Jacobi sweep in one pass: x_out = x_in + d .* (b - A x_in), where `d` (length
/// num_rows) holds the damping over the diagonal. x_in and x_out do not overlap.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,
                  const CsrView<Storage, Space, Offset>& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// One step of the Chebyshev recurrence in one pass: p = beta p + alpha d .* (b - A x_in),
/// x_out = x_in + p. `p` is updated in place (beta == 0 overwrites it); x_in and x_out do not
/// overlap.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void chebyshev_step(const Space& exec, const CsrSpmvPlan<Space>& plan,
                    const CsrView<Storage, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out);

}  // namespace tessera::kernels
