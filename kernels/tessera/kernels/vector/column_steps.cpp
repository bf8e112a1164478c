// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/column_steps_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_START(Space)                                      \
  template void start_columns<Space>(const Space&, const ColumnState<Space>&, \
                                     const NonDeduced<ArrayView<const double, Space>>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_START)
#undef TESSERA_INSTANTIATE_START

#define TESSERA_INSTANTIATE_STEPS(Scalar, Space)                                                   \
  template void settle_columns<Scalar, Space>(const Space&, const ReductionWorkspace<Space>&,      \
                                              const ColumnState<Space>&,                           \
                                              const ConstMultiVectorView<Scalar, Space>&);         \
  template void step_columns<Scalar, Space>(                                                       \
      const Space&, const ColumnState<Space>&, double, const ConstMultiVectorView<Scalar, Space>&, \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                      \
      const NonDeduced<MultiVectorView<Scalar, Space>>&);                                          \
  template void step_back<Scalar, Space>(const Space&, const ConstMultiVectorView<Scalar, Space>&, \
                                         const NonDeduced<ArrayView<const double, Space>>&,        \
                                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,   \
                                         const NonDeduced<MultiVectorView<Scalar, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_STEPS)
#undef TESSERA_INSTANTIATE_STEPS

}  // namespace tessera::kernels
