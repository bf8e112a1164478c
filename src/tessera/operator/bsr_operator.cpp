// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/bsr_operator.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/bsr/bsr_spmv.hpp"

#include <utility>

namespace tessera {

template <class Scalar, class Space, class Offset>
BsrOperator<Scalar, Space, Offset>::BsrOperator(const view_type& A,
                                                std::shared_ptr<const void> owner)
    : m_A(A), m_owner(std::move(owner)) {
  kernels::require_whole(A);
}

template <class Scalar, class Space, class Offset>
void BsrOperator<Scalar, Space, Offset>::apply(const Space& exec, Scalar alpha,
                                               const ConstVectors& x, Scalar beta,
                                               const Vectors& y) const {
  kernels::bsr_spmv(exec, alpha, m_A, x, beta, y);
}

template <class Scalar, class Space, class Offset>
void BsrOperator<Scalar, Space, Offset>::residual(const Space& exec, const ConstVectors& b,
                                                  const ConstVectors& x, const Vectors& r) const {
  kernels::bsr_residual(exec, m_A, b, x, r);
}

template <class Scalar, class Space, class Offset>
void BsrOperator<Scalar, Space, Offset>::apply_dot(const Space& exec, const ConstVectors& x,
                                                   const Vectors& y,
                                                   const ArrayView<Scalar, Space>& result) const {
  kernels::bsr_spmv_dot(exec, m_A, x, y, result);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class BsrOperator<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
