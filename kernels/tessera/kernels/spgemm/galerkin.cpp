// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/galerkin.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/galerkin_regions.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P,
                                            GalerkinPlan<Scalar, Space, Offset>& plan) {
  GalerkinRegions region;
  plan.AP = spgemm(exec, A, P);
  region.second();
  return spgemm(exec, R, plan.AP.view());
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P) {
  GalerkinPlan<Scalar, Space, Offset> plan;
  return galerkin_product(exec, R, A, P, plan);
}

template <class Scalar, class Space, class Offset>
void galerkin_numeric(const Space& exec, const GalerkinPlan<Scalar, Space, Offset>& plan,
                      const CsrView<Scalar, Space, Offset>& R,
                      const CsrView<Scalar, Space, Offset>& A,
                      const CsrView<Scalar, Space, Offset>& P,
                      const Csr<Scalar, Space, Offset>& Ac) {
  GalerkinRegions region;
  spgemm_numeric(exec, A, P, plan.AP);
  region.second();
  spgemm_numeric(exec, R, plan.AP.view(), Ac);
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
