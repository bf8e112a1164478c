// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates rigid_body_modes.hpp.
#include "tessera/gallery/rigid_body_modes_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space)                             \
  template MultiVector<Scalar, Space> rigid_body_modes<Scalar, Space>( \
      const Space&, const NonDeduced<ConstMultiVectorView<Scalar, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
