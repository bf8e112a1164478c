// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A few entries of a list in a space's memory.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <vector>

namespace tessera::distributed {

/// The entries `places` of a list, on the host. Waits for `exec`.
template <class T, class Space>
std::vector<T> entries_at(const Space& exec, const ArrayView<const T, Space>& list,
                          const std::vector<Ordinal>& places);

}  // namespace tessera::distributed
