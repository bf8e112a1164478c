// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Plans of several matrices at once.
#pragma once

#include "tessera/kernels/spmv/csr/csr_spmv.hpp"

#include <array>

namespace tessera::kernels {

/// What `analyse_spmv` makes of each of three matrices, such as a level's P, R and coarse operator,
/// in one pass: a device is waited for once instead of three times.
template <class Scalar, class Space, class Offset>
std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together(
    const Space& exec, const std::array<CsrView<Scalar, Space, Offset>, 3>& matrices);

}  // namespace tessera::kernels
