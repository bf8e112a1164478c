// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `spmv`, `residual`, `jacobi_sweep` and `chebyshev_step`: one epilogue each for
/// the shared sweep over the rows.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"
#include "tessera/kernels/spmv/detail/sweep.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, NonDeduced<Scalar> alpha,
          const CsrView<Scalar, Space, Offset>& A,
          const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
          const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(y, "y", A.num_rows, x.extent(1));
  if (alpha == Scalar(0)) {
    detail::scale_in_place<Scalar, Space>(exec, beta, y);
    return;
  }
  const detail::ScaleAdd<Scalar> epilogue{alpha, beta, detail::Columns<Scalar>(y)};
  detail::sweep(exec, "tessera::spmv", plan, A, x, epilogue);
}

template <class Scalar, class Space, class Offset>
void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
              const NonDeduced<MultiVectorView<Scalar, Space>>& r) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(b, "b", A.num_rows, x.extent(1));
  detail::require_shape(r, "r", A.num_rows, x.extent(1));
  const detail::SubtractFrom<Scalar> epilogue{detail::Columns<const Scalar>(b),
                                              detail::Columns<Scalar>(r)};
  detail::sweep(exec, "tessera::residual", plan, A, x, epilogue);
}

template <class Scalar, class Space, class Offset>
void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,
                  const CsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ArrayView<const Scalar, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  const detail::JacobiUpdate<Scalar> epilogue{d.data(), detail::Columns<const Scalar>(b),
                                              detail::Columns<const Scalar>(x_in),
                                              detail::Columns<Scalar>(x_out)};
  detail::sweep(exec, "tessera::jacobi_sweep", plan, A, x_in, epilogue);
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
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(p, "p", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  const detail::ChebyshevUpdate<Scalar> epilogue{d.data(),
                                                 alpha,
                                                 beta,
                                                 detail::Columns<const Scalar>(b),
                                                 detail::Columns<const Scalar>(x_in),
                                                 detail::Columns<Scalar>(p),
                                                 detail::Columns<Scalar>(x_out)};
  detail::sweep(exec, "tessera::chebyshev_step", plan, A, x_in, epilogue);
}

}  // namespace tessera::kernels
