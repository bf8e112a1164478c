// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/csr/csr_analyse_together.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together(
    const Space& exec, const std::array<CsrView<Scalar, Space, Offset>, 3>& matrices) {
  return detail::suitable_plans<3, Scalar, Space, Offset>(exec, matrices);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                  \
  template std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together( \
      const Space&, const std::array<CsrView<Scalar, Space, Offset>, 3>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
