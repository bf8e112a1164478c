// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/galerkin.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/galerkin_regions.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

namespace tessera::kernels {

/// A P. A host's threads take the rows of a factor in any order, and leave out to sort them: each
/// entry of the product has its sum in the same order all the same.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> intermediate_product(const Space& exec,
                                                const CsrView<Scalar, Space, Offset>& A,
                                                const CsrView<Scalar, Space, Offset>& P,
                                                SpgemmPlan<Space>* plan) {
  if constexpr (is_host_space<Space>) {
    return gustavson_spgemm(exec, A, P, RowsOfProduct::as_met);
  } else {
    return plan != nullptr ? spgemm(exec, A, P, *plan) : spgemm(exec, A, P);
  }
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P,
                                            GalerkinPlan<Scalar, Space, Offset>& plan) {
  GalerkinRegions region;
  plan.first = {};
  plan.AP = intermediate_product(exec, A, P, &plan.first);
  region.second();
  return spgemm(exec, R, plan.AP.view(), plan.second);
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P) {
  GalerkinRegions region;
  const auto AP = intermediate_product<Scalar, Space, Offset>(exec, A, P, nullptr);
  region.second();
  return spgemm(exec, R, AP.view());
}

template <class Scalar, class Space, class Offset>
void galerkin_numeric(const Space& exec, const GalerkinPlan<Scalar, Space, Offset>& plan,
                      const CsrView<Scalar, Space, Offset>& R,
                      const CsrView<Scalar, Space, Offset>& A,
                      const CsrView<Scalar, Space, Offset>& P,
                      const Csr<Scalar, Space, Offset>& Ac) {
  GalerkinRegions region;
  auto AP = plan.AP;
  if (AP.values.extent(0) == 0)
    AP.values = allocate<Scalar>(exec, "tessera::spgemm::values", AP.num_entries());
  spgemm_numeric(exec, A, P, AP, plan.first);
  region.second();
  spgemm_numeric(exec, R, AP.view(), Ac, plan.second);
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> galerkin_product(                                           \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      const CsrView<SCALAR, SPACE, OFFSET>&);                                                     \
  template Csr<SCALAR, SPACE, OFFSET> galerkin_product(                                           \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      const CsrView<SCALAR, SPACE, OFFSET>&, GalerkinPlan<SCALAR, SPACE, OFFSET>&);               \
  template void galerkin_numeric(                                                                 \
      const SPACE&, const GalerkinPlan<SCALAR, SPACE, OFFSET>&,                                   \
      const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
      const CsrView<SCALAR, SPACE, OFFSET>&, const Csr<SCALAR, SPACE, OFFSET>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
