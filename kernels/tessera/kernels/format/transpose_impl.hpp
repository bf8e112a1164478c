// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `transpose`.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/detail/transpose_device.hpp"
#include "tessera/kernels/format/detail/transpose_host.hpp"
#include "tessera/kernels/format/transpose.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> transpose(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  if constexpr (is_host_space<Space>) {
    return detail::transpose_host(exec, A);
  } else {
    return detail::transpose_device(exec, A);
  }
}

}  // namespace tessera::kernels
