// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase into a known pattern, for a device.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels::spgemm_detail {

/// values = those of A B in the pattern of C, whose rows ascend.
template <class Scalar, class Space, class Offset>
void refill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const CsrView<Scalar, Space, Offset>& C,
                 const ArrayView<Scalar, Space>& values);

}  // namespace tessera::kernels::spgemm_detail
