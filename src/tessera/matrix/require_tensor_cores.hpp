// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The check of a parameter `tensor_cores`.
#pragma once

#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/operator/error.hpp"

#include <string>

namespace tessera {

/// @throws Error of kind `configuration` where `use` is `on` and Space has no tensor cores.
template <class Space>
void require_tensor_cores(TensorCoreUse use) {
  if (use == TensorCoreUse::on && !kernels::has_tensor_core_spmv<Space>())
    throw Error(ErrorKind::configuration, "tensor_cores = on, but " + std::string(Space::name()) +
                                              " was not compiled for a GPU with them; expected "
                                              "auto or off");
}

}  // namespace tessera
