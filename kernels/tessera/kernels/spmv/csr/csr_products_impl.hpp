// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products of CSR: the sweep, and what a host or a staged kernel does in one
/// pass.
#pragma once

#include "tessera/kernels/spmv/detail/csr_residual_norm.hpp"
#include "tessera/kernels/spmv/detail/csr_spmv_dot.hpp"
#include "tessera/kernels/spmv/detail/staged_dot.hpp"
#include "tessera/kernels/spmv/detail/sweep.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"

namespace tessera::kernels {
namespace detail {

template <class Storage, class Space, class Offset>
struct FusedProducts<CsrView<Storage, Space, Offset>> {
  using Matrix = CsrView<Storage, Space, Offset>;

  template <class Working, class>
  static void spmv_residual_norm(const Space& exec, const CsrSpmvPlan<Space>& plan, const Matrix& A,
                                 const ConstMultiVectorView<Working, Space>& b,
                                 const ConstMultiVectorView<Working, Space>& x,
                                 const MultiVectorView<Working, Space>& r,
                                 const ArrayView<double, Space>& result) {
    require_result(result, x.extent(1));
    if constexpr (is_host_space<Space>) {
      if (plan.algorithm == CsrSpmvAlgorithm::classical) {
        classical_residual_norm<Storage, Working, Space, Offset>(exec, plan, A, b, x, r, result);
        return;
      }
    }
    // As in `spmv_dot`; the product is the public one, so that its kernels exist once.
    kernels::spmv_residual<Working>(exec, plan, A, b, x, r);
    dot_columns<Working, Space>(exec, r, r, result, "tessera::residual_norm");
  }

  template <class Working, class>
  static void spmv_dot(const Space& exec, const CsrSpmvPlan<Space>& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& y,
                       const ArrayView<Working, Space>& result) {
    if constexpr (std::is_same_v<Storage, Working>) {
      if (spmv_dot_in_one_pass(exec, plan, A, x, y, result)) return;
    }
    // The matrix is read once, the vectors twice. Load-balanced, rows that lie in several teams are
    // finished late; and on a device a team's reduction at the end of the classical kernel costs
    // more than the second pass (7-point 128^3 on an H200: 0.17 ms, twice the product alone).
    ProductsInTwoPasses::spmv_dot<Working, Space>(exec, plan, A, x, y, result);
  }

 private:
  /// False where the plan has no kernel for it.
  static bool spmv_dot_in_one_pass(const Space& exec, const CsrSpmvPlan<Space>& plan,
                                   const Matrix& A, const ConstMultiVectorView<Storage, Space>& x,
                                   const MultiVectorView<Storage, Space>& y,
                                   const ArrayView<Storage, Space>& result) {
    if constexpr (is_host_space<Space>) {
      if (plan.algorithm == CsrSpmvAlgorithm::classical && A.num_rows > 0) {
        classical_spmv_dot(exec, plan, A, x, y, result);
        return true;
      }
    }
    if constexpr (has_staged_rows<Space>) {
      if (is_staged(plan) && x.extent(1) == 1 && A.num_rows > 0) {
        require_square(A, A.num_rows);
        require_shape(x, "x", A.num_rows, 1);
        require_shape(y, "y", A.num_rows, 1);
        require_result(result, 1);
        require_plan_of(exec, plan, A);
        if (sweep_staged_dot<Storage, Space>(exec, plan, A, x, y, result)) return true;
      }
    }
    return false;
  }
};

}  // namespace detail
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
