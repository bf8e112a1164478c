// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to COO, on the device.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The entries of `A` in their order, each stored as value / scale rounded to `Storage`; `scale` is
/// a power of two.
template <class Storage, class Scalar, class Space, class Offset>
Coo<Storage, Space> csr_to_coo(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale = 1);

}  // namespace tessera::kernels
