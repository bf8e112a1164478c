// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products of CSR in mixed precision: the kernels are those of csr_spmv.hpp.
#pragma once

#include "tessera/kernels/spmv/csr_mixed_spmv.hpp"
#include "tessera/kernels/spmv/detail/csr_residual_norm.hpp"
#include "tessera/kernels/spmv/detail/products.hpp"
#include "tessera/kernels/spmv/detail/sweep.hpp"

namespace tessera::kernels {

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv(const Space& exec, const CsrSpmvPlan<Space>& plan, Working alpha,
          const CsrView<Storage, Space, Offset>& A,
          const NonDeduced<ConstMultiVectorView<Working, Space>>& x, NonDeduced<Working> beta,
          const NonDeduced<MultiVectorView<Working, Space>>& y) {
  detail::sweep_spmv<Working, Space>(exec, plan, alpha, A, x, beta, y);
}

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r) {
  detail::sweep_residual<Working, Space>(exec, plan, A, b, x, r);
}

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan,
                   const CsrView<Storage, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result) {
  detail::require_result(result, x.extent(1));
  if constexpr (is_host_space<Space>) {
    if (plan.algorithm == CsrSpmvAlgorithm::classical) {
      detail::classical_residual_norm<Storage, Working, Space, Offset>(exec, plan, A, b, x, r,
                                                                       result);
      return;
    }
  }
  residual<Working>(exec, plan, A, b, x, r);
  detail::dot_columns<Working, Space>(exec, r, r, result, "tessera::residual_norm");
}

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
              const CsrView<Storage, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result) {
  detail::sweep_spmv_dot<Working, Space>(exec, plan, A, x, y, result);
}

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void jacobi_sweep(const Space& exec, const CsrSpmvPlan<Space>& plan,
                  const CsrView<Storage, Space, Offset>& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::sweep_jacobi<Working, Space>(exec, plan, A, d, b, x_in, x_out);
}

template <class Working, class Storage, class Space, class Offset>
  requires(!std::is_same_v<Working, Storage>)
void chebyshev_step(const Space& exec, const CsrSpmvPlan<Space>& plan,
                    const CsrView<Storage, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::sweep_chebyshev<Working, Space>(exec, plan, A, d, alpha, beta, b, x_in, p, x_out);
}

}  // namespace tessera::kernels

// Calls M(Storage, Working, Space, Offset) where Storage and Working differ.
#define TESSERA_DETAIL_DIFFERENT(M, Storage, Working, Space) \
  M(Storage, Working, Space, std::int32_t) M(Storage, Working, Space, std::int64_t)
#define TESSERA_DETAIL_MIXED_CSR_IN(M, Space)                    \
  TESSERA_DETAIL_DIFFERENT(M, float, double, Space)              \
  TESSERA_DETAIL_DIFFERENT(M, double, float, Space)              \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, double, Space, std::int32_t) \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, double, Space, std::int64_t) \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, float, Space, std::int32_t)  \
  TESSERA_FOR_EACH_SMALL_STORAGE(M, float, Space, std::int64_t)
#if TESSERA_HAVE_DEVICE
#define TESSERA_DETAIL_FOR_EACH_MIXED_CSR(M)           \
  TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::HostSpace) \
  TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::DeviceSpace)
#else
#define TESSERA_DETAIL_FOR_EACH_MIXED_CSR(M) TESSERA_DETAIL_MIXED_CSR_IN(M, ::tessera::HostSpace)
#endif
