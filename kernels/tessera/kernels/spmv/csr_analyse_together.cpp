// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/csr_analyse_together.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/csr_analyse_impl.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together(
    const Space& exec, const std::array<CsrView<Scalar, Space, Offset>, 3>& matrices) {
  const auto facts = detail::plan_facts<3>(exec, matrices);
  std::array<CsrSpmvPlan<Space>, 3> plans;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    const auto algorithm = detail::suitable_algorithm(matrices[p], facts.of[p]);
    plans[p] = detail::make_plan(exec, matrices[p], algorithm, 0, facts.of[p]);
  }
  return plans;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                  \
  template std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together( \
      const Space&, const std::array<CsrView<Scalar, Space, Offset>, 3>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
