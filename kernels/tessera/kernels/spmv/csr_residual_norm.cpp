// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/detail/csr_residual_norm.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/csr_spmv_impl.hpp"

namespace tessera::kernels {
template <class Scalar, class Space, class Offset>
void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,
                   const CsrView<Scalar, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result) {
  detail::require_result(result, x.extent(1));
  if constexpr (is_host_space<Space>) {
    if (plan.algorithm == CsrSpmvAlgorithm::classical) {
      detail::classical_residual_norm<Scalar, Scalar, Space, Offset>(exec, plan, A, b, x, r,
                                                                     result);
      return;
    }
  }
  // As in `spmv_dot`; the product is the public one, so that its kernels exist once.
  residual(exec, plan, A, b, x, r);
  detail::dot_columns<Scalar, Space>(exec, r, r, result, "tessera::residual_norm");
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                        \
  extern template void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,        \
                                const CsrView<Scalar, Space, Offset>& A,                  \
                                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b, \
                                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, \
                                const NonDeduced<MultiVectorView<Scalar, Space>>& r);     \
  template void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,          \
                              const CsrView<Scalar, Space, Offset>& A,                    \
                              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,   \
                              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,   \
                              const NonDeduced<MultiVectorView<Scalar, Space>>& r,        \
                              const NonDeduced<ArrayView<double, Space>>& result);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
