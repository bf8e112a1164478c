// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_VECTOR_OPS(Scalar, Space)                                            \
  template void axpby<Scalar, Space>(const Space&, NonDeduced<Scalar>,                           \
                                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,     \
                                     NonDeduced<Scalar>, const MultiVectorView<Scalar, Space>&); \
  template void scale<Scalar, Space>(const Space&, NonDeduced<Scalar>,                           \
                                     const MultiVectorView<Scalar, Space>&);                     \
  template void multiply<Scalar, Space>(const Space&, NonDeduced<Scalar>,                        \
                                        const NonDeduced<ArrayView<const Scalar, Space>>&,       \
                                        const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,  \
                                        const MultiVectorView<Scalar, Space>&);                  \
  template void multiply_into_two<Scalar, Space>(                                                \
      const Space&, NonDeduced<Scalar>, const NonDeduced<ArrayView<const Scalar, Space>>&,       \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                    \
      const MultiVectorView<Scalar, Space>&, const NonDeduced<MultiVectorView<Scalar, Space>>&); \
  template void clear_columns<Scalar, Space>(const Space&,                                       \
                                             const NonDeduced<ArrayView<const double, Space>>&,  \
                                             const MultiVectorView<Scalar, Space>&);             \
  template void copy<Scalar, double, Space>(const Space&,                                        \
                                            const ConstMultiVectorView<Scalar, Space>&,          \
                                            const MultiVectorView<double, Space>&);              \
  template void copy<Scalar, float, Space>(const Space&,                                         \
                                           const ConstMultiVectorView<Scalar, Space>&,           \
                                           const MultiVectorView<float, Space>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_VECTOR_OPS)
#undef TESSERA_INSTANTIATE_VECTOR_OPS

}  // namespace tessera::kernels
