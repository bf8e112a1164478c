// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse operators without their small entries.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// The pattern of what is kept of A, without values: the diagonal, and entries of at least `drop`
/// times the largest of their row. Magnitudes are compared as floats, as those that differ by
/// round-off alone are equals on every device.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> kept_pattern(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                                 double drop);

/// The values of B, of such a pattern of A, both of which have rows that ascend. `lumps`: what is
/// dropped of a row is added to its diagonal, if there is one.
template <class Scalar, class Space, class Offset>
void copy_kept(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A, bool lumps,
               const kernels::Csr<Scalar, Space, Offset>& B);

}  // namespace tessera::amg
