// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Truncation of the rows of an interpolation.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// The pattern of what is kept of each row of W, whose columns ascend, without values: the
/// `max_entries` largest magnitudes (0: all), the first of equals, and none below `factor` times
/// the largest. Zeros are not kept. Magnitudes are compared as floats: those that differ by
/// round-off alone, as symmetry makes many, are equals on every device.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> truncation_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& W, double factor,
    int max_entries);

/// The values of P, of such a pattern, by those of W: scaled to the sum of W's row, unless what is
/// kept cancels.
template <class Scalar, class Space, class Offset>
void truncate_values(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& W,
                     const kernels::Csr<Scalar, Space, Offset>& P);

}  // namespace tessera::amg
