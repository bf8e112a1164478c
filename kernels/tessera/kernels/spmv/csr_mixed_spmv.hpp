// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in CSR where the matrix is stored in another scalar than the
/// vectors: the products that products.hpp describes. A call with `Working` the same as `Storage`
/// is one of csr_spmv.hpp, so that code for any pair reads alike.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"

namespace tessera::kernels {

/// y = alpha A x + beta y.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, Working alpha,
          const CsrView<Storage, Space, Offset>& A,
          const NonDeduced<ConstMultiVectorView<Working, Space>>& x, NonDeduced<Working> beta,
          const NonDeduced<MultiVectorView<Working, Space>>& y);

/// r = b - A x.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r);

/// r = b - A x and result(j) = <r_j, r_j>.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,
                   const CsrView<Storage, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result);

/// y = A x and result(j) = <x_j, y_j>.
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result);

/// x_out = x_in + d .* (b - A x_in).
template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,
                  const CsrView<Storage, Space, Offset>& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// p = beta p + alpha d .* (b - A x_in), x_out = x_in + p.
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
