// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/cg_steps_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_CG_START(Space)                                                       \
  template void cg_start<Space>(const Space&, const ColumnState<Space>&, const CgScalars<Space>&, \
                                const NonDeduced<ArrayView<const double, Space>>&, bool);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CG_START)
#undef TESSERA_INSTANTIATE_CG_START

#define TESSERA_INSTANTIATE_CG(Scalar, Space)                                                   \
  template void cg_update<Scalar, Space>(                                                       \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const NonDeduced<ArrayView<const Scalar, Space>>&,               \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const MultiVectorView<Scalar, Space>&, const NonDeduced<MultiVectorView<Scalar, Space>>&, \
      CgAfterUpdate);                                                                           \
  template void cg_settle<Scalar, Space>(                                                       \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const ConstMultiVectorView<Scalar, Space>&, CgAfterUpdate);      \
  template void cg_beta<Scalar, Space>(                                                         \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const ConstMultiVectorView<Scalar, Space>&,                      \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&, bool);                            \
  template void cg_direction<Scalar, Space>(const Space&, const ColumnState<Space>&,            \
                                            const CgScalars<Space>&,                            \
                                            const ConstMultiVectorView<Scalar, Space>&,         \
                                            const NonDeduced<MultiVectorView<Scalar, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CG)
#undef TESSERA_INSTANTIATE_CG

}  // namespace tessera::kernels
