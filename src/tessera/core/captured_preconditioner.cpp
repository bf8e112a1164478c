// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of captured_preconditioner.hpp.
#include "tessera/core/captured_preconditioner_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space) template class CapturedPreconditioner<Scalar, Space>;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
