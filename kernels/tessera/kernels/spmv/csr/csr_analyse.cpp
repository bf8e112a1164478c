// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv`, and of it for several matrices at once.
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                   \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                        \
                                           const CsrView<Scalar, Space, Offset>& A); \
  template CsrSpmvPlan<Space> analyse_spmv(const Space& exec,                        \
                                           const CsrView<Scalar, Space, Offset>& A,  \
                                           CsrSpmvAlgorithm algorithm, int lanes, int rows);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#define TESSERA_INSTANTIATE_OFFSETS(Storage, Space) \
  TESSERA_DETAIL_OFFSETS(TESSERA_INSTANTIATE, Storage, Space)
#define TESSERA_INSTANTIATE_SPACE(Space)      \
  template bool has_staged_csr_spmv<Space>(); \
  TESSERA_FOR_EACH_SMALL_STORAGE(TESSERA_INSTANTIATE_OFFSETS, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)

#undef TESSERA_INSTANTIATE_SPACE
#undef TESSERA_INSTANTIATE_OFFSETS
#undef TESSERA_INSTANTIATE

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
