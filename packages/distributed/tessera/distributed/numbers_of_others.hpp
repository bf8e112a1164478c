// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Global numbers in a space's memory that are other processes'.
#pragma once

#include "tessera/distributed/sorted_numbers.hpp"

#include <cstdint>

namespace tessera::distributed {

/// Those of `numbers` that are not from `first` up to `first` + `own`, each once, in ascending
/// order; what is below 0 is no number. Waits for `exec`.
template <class Space>
GlobalNumbers<Space> numbers_of_others(const Space& exec,
                                       const ArrayView<const std::int64_t, Space>& numbers,
                                       std::int64_t first, Ordinal own);

}  // namespace tessera::distributed
