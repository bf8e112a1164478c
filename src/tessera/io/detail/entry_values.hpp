// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Duplicates among sorted entries, and values in the order of compressed rows.
#pragma once

#include <cstddef>
#include <optional>

#include "tessera/io/detail/entry_sort.hpp"

namespace tessera::detail {

/// The listed number of an entry whose place was taken by an earlier one, the first in the order of
/// rows and columns; nothing where each place is taken once.
template <class Space, class Offset>
std::optional<std::size_t> find_duplicate(const Space& exec,
                                          const SortedEntries<Space, Offset>& sorted);

/// values(k) = listed(sources(k)), a mirror image times `mirror_sign`.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> gather_values(const Space& exec, const SortedEntries<Space, Offset>& sorted,
                                   const ArrayView<const Scalar, Space>& listed,
                                   Scalar mirror_sign);

/// Leaves one entry of each place, with the sum of the values there in the list's order.
template <class Scalar, class Space, class Offset>
void sum_duplicates(const Space& exec, SortedEntries<Space, Offset>& sorted,
                    Array<Scalar, Space>& values);

}  // namespace tessera::detail
