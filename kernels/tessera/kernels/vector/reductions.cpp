// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/reductions_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_WORKSPACE(Space) template struct ReductionWorkspace<Space>;
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_WORKSPACE)
#undef TESSERA_INSTANTIATE_WORKSPACE

#define TESSERA_INSTANTIATE_DOT(Scalar, Space)                                                    \
  template void dot<Scalar, Space>(                                                               \
      const Space&, const ReductionWorkspace<Space>&, const ConstMultiVectorView<Scalar, Space>&, \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                     \
      const NonDeduced<ArrayView<double, Space>>&, const NonDeduced<ReportView<double, Space>>&); \
  template void dot_two<Scalar, Space>(const Space&, const ReductionWorkspace<Space>&,            \
                                       const ConstMultiVectorView<Scalar, Space>&,                \
                                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,    \
                                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,    \
                                       const NonDeduced<ArrayView<double, Space>>&);              \
  template void squared_norm<Scalar, Space>(                                                      \
      const Space&, const ReductionWorkspace<Space>&, const ConstMultiVectorView<Scalar, Space>&, \
      const NonDeduced<ArrayView<double, Space>>&, const NonDeduced<ReportView<double, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_DOT)
#undef TESSERA_INSTANTIATE_DOT

}  // namespace tessera::kernels
