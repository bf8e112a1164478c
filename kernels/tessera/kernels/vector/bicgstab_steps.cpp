// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/bicgstab_steps_impl.hpp"

namespace tessera::kernels {

#define TESSERA_STATE(Space)                                                 \
  const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&, \
      const BicgstabScalars<Space>&
#define TESSERA_CONST(Scalar, Space) const NonDeduced<ConstMultiVectorView<Scalar, Space>>&
#define TESSERA_MUTABLE(Scalar, Space) const NonDeduced<MultiVectorView<Scalar, Space>>&

#define TESSERA_INSTANTIATE_BICGSTAB(Scalar, Space)                                                \
  template void bicgstab_start<Scalar, Space>(                                                     \
      TESSERA_STATE(Space), const NonDeduced<ArrayView<const double, Space>>&,                     \
      TESSERA_CONST(Scalar, Space), TESSERA_MUTABLE(Scalar, Space),                                \
      TESSERA_MUTABLE(Scalar, Space));                                                             \
  template void bicgstab_alpha<Scalar, Space>(TESSERA_STATE(Space), TESSERA_CONST(Scalar, Space),  \
                                              TESSERA_CONST(Scalar, Space));                       \
  template void bicgstab_half_step<Scalar, Space>(                                                 \
      const Space&, const ColumnState<Space>&, const BicgstabScalars<Space>&,                      \
      TESSERA_CONST(Scalar, Space), TESSERA_MUTABLE(Scalar, Space));                               \
  template void bicgstab_omega<Scalar, Space>(TESSERA_STATE(Space), TESSERA_CONST(Scalar, Space),  \
                                              TESSERA_CONST(Scalar, Space));                       \
  template void bicgstab_update<Scalar, Space>(                                                    \
      TESSERA_STATE(Space), TESSERA_CONST(Scalar, Space), TESSERA_CONST(Scalar, Space),            \
      TESSERA_CONST(Scalar, Space), TESSERA_CONST(Scalar, Space), TESSERA_MUTABLE(Scalar, Space),  \
      TESSERA_MUTABLE(Scalar, Space), bool);                                                       \
  template void bicgstab_settle<Scalar, Space>(TESSERA_STATE(Space), TESSERA_CONST(Scalar, Space), \
                                               TESSERA_CONST(Scalar, Space));                      \
  template void bicgstab_direction<Scalar, Space>(                                                 \
      const Space&, const ColumnState<Space>&, const BicgstabScalars<Space>&,                      \
      TESSERA_CONST(Scalar, Space), TESSERA_CONST(Scalar, Space), TESSERA_MUTABLE(Scalar, Space));
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_BICGSTAB)
#undef TESSERA_INSTANTIATE_BICGSTAB
#undef TESSERA_MUTABLE
#undef TESSERA_CONST
#undef TESSERA_STATE

}  // namespace tessera::kernels
