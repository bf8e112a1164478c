// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/chebyshev_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space) template class ChebyshevSmoother<Scalar, Space>;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
