// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the values of a matrix come from that are not always held.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <functional>

namespace tessera::amg {

/// Puts the values of a matrix, as they are by now, into an array, or into a new one where it is
/// empty.
template <class Scalar, class Space>
using ValueWriter = std::function<void(const Space&, Array<Scalar, Space>&)>;

}  // namespace tessera::amg
