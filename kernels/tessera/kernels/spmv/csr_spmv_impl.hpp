// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `spmv`, `residual`, `jacobi_sweep` and `chebyshev_step`: the products of all
/// formats with the sweep of CSR.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/kernels/spmv/detail/products.hpp"
#include "tessera/kernels/spmv/detail/sweep.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, NonDeduced<Scalar> alpha,
          const CsrView<Scalar, Space, Offset>& A,
          const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
          const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::sweep_spmv<Scalar, Space>(exec, plan, alpha, A, x, beta, y);
}

template <class Scalar, class Space, class Offset>
void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
              const NonDeduced<MultiVectorView<Scalar, Space>>& r) {
  detail::sweep_residual<Scalar, Space>(exec, plan, A, b, x, r);
}

template <class Scalar, class Space, class Offset>
void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,
                  const CsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ArrayView<const Scalar, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& x_out) {
  detail::sweep_jacobi<Scalar, Space>(exec, plan, A, d, b, x_in, x_out);
}

template <class Scalar, class Space, class Offset>
void chebyshev_step(const Space& exec, const CsrSpmvPlan<Space>& plan,
                    const CsrView<Scalar, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Scalar, Space>>& d, NonDeduced<Scalar> alpha,
                    NonDeduced<Scalar> beta,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& p,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& x_out) {
  detail::sweep_chebyshev<Scalar, Space>(exec, plan, A, d, alpha, beta, b, x_in, p, x_out);
}

}  // namespace tessera::kernels
