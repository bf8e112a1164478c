// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Between CSR and COO, on the device.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The entries of `A` in their order, each stored as value / scale rounded to `Storage`; `scale` is
/// a power of two.
template <class Storage, class Scalar, class Space, class Offset>
Coo<Storage, Space> csr_to_coo(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale = 1);

/// The entries of `A` in their order, scale times stored value rounded to `Scalar`. Throws where
/// `Offset` cannot count the entries.
template <class Scalar, class Offset = std::int32_t, class Storage, class Space>
Csr<Scalar, Space, Offset> coo_to_csr(const Space& exec, const CooView<Storage, Space>& A);

}  // namespace tessera::kernels
