// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/basis_ops_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_BASIS(Scalar, Space)                                                  \
  template void basis_dot<Scalar, Space>(const Space&, const ReductionWorkspace<Space>&,          \
                                         const Basis<Scalar, Space>&,                             \
                                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,  \
                                         const NonDeduced<MultiVectorView<double, Space>>&);      \
  template void basis_combine<Scalar, Space>(                                                     \
      const Space&, double, const Basis<Scalar, Space>&,                                          \
      const NonDeduced<MultiVectorView<const double, Space>>&,                                    \
      const NonDeduced<MultiVectorView<Scalar, Space>>&);                                         \
  template void basis_remove<Scalar, Space>(                                                      \
      const Space&, const ReductionWorkspace<Space>&, const Basis<Scalar, Space>&,                \
      const NonDeduced<MultiVectorView<const double, Space>>&,                                    \
      const NonDeduced<MultiVectorView<const double, Space>>&,                                    \
      const NonDeduced<MultiVectorView<Scalar, Space>>&,                                          \
      const NonDeduced<ArrayView<double, Space>>&, const NonDeduced<ReportView<double, Space>>&); \
  template void normalise<Scalar, Space>(const Space&,                                            \
                                         const NonDeduced<ArrayView<const double, Space>>&,       \
                                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,  \
                                         const MultiVectorView<Scalar, Space>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_BASIS)
#undef TESSERA_INSTANTIATE_BASIS

}  // namespace tessera::kernels
