// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The same matrix with other value or offset types.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// A with its values rounded to `To`; the pattern is shared with `A`, and so are the values where
/// `To` is A's own type.
template <class To, class From, class Space, class Offset>
Csr<To, Space, Offset> convert_values(const Space& exec, const Csr<From, Space, Offset>& A);

/// target = `source`, each value rounded. Throws where the lengths differ.
template <class From, class To, class Space>
void convert_values(const Space& exec, const Array<From, Space>& source,
                    const Array<To, Space>& target);

/// A with offsets of type `To`; columns and values are shared with `A`, and so are the offsets
/// where `To` is A's own type. Throws where `To` cannot count A's entries.
template <class To, class Scalar, class Space, class From>
Csr<Scalar, Space, To> convert_offsets(const Space& exec, const Csr<Scalar, Space, From>& A);

}  // namespace tessera::kernels
