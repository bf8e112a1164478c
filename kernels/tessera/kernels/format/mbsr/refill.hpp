// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values between CSR and mBSR where both patterns are known.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// The values of `tiles`, which `csr_to_mbsr` made of A's pattern with the scale 1. A's rows
/// ascend. One launch, no allocation, and no wait for the device.
///
/// These three throw `Error` (precondition) where shapes or numbers of entries do not fit, and
/// where the scale is not 1.
template <class Scalar, class Space, class Offset>
void refill_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const Mbsr<Scalar, Space>& tiles);

/// The values of `tiles`, which has the pattern of A^T.
template <class Scalar, class Space, class Offset>
void refill_transposed_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                            const Mbsr<Scalar, Space>& tiles);

/// The values of A, which `mbsr_to_csr` made of the pattern of `tiles`.
template <class Scalar, class Space, class Offset>
void refill_csr(const Space& exec, const MbsrView<Scalar, Space>& tiles,
                const Csr<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
