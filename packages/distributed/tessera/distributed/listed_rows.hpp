// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some of a matrix's rows, one after the other in the order of a list.
#pragma once

#include "tessera/distributed/row_stack.hpp"

#include <cstdint>

namespace tessera::distributed {

/// How many entries each row of the list has.
template <class Space>
Array<std::int64_t, Space> listed_lengths(const Space& exec,
                                          const ArrayView<const Ordinal, Space>& rows,
                                          const ArrayView<const std::int64_t, Space>& offsets);

/// The same into an array of the caller's.
template <class Space>
void list_lengths(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
                  const ArrayView<const std::int64_t, Space>& offsets,
                  const ArrayView<std::int64_t, Space>& lengths);

/// Where each of so many rows begins, and where the last one ends.
template <class Space>
Array<std::int64_t, Space> starts_of(const Space& exec,
                                     const ArrayView<const std::int64_t, Space>& lengths);

/// Copies the entries of the listed rows to where the list's rows start in `packed`: a matrix's
/// columns or its values.
template <class T, class Space>
void pack_rows(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
               const ArrayView<const std::int64_t, Space>& offsets,
               const ArrayView<const T, Space>& entries, const Array<std::int64_t, Space>& starts,
               const ArrayView<T, Space>& packed);

/// The rows of the list as a matrix of their own.
template <class Space>
LocalRows<Space> listed_rows(const Space& exec, const LocalRows<Space>& rows,
                             const ArrayView<const Ordinal, Space>& list);

}  // namespace tessera::distributed
