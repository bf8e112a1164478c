// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors as text.
#pragma once

#include <cstddef>
#include <vector>

#include "tessera/io/detail/text.hpp"

namespace tessera::detail {

/// Columns one after the other.
template <class T>
struct DenseColumns {
  std::size_t num_rows = 0;
  std::size_t num_cols = 0;
  std::vector<T> values;
};

/// Reads a Matrix Market array or coordinate text, or plain numbers. Throws `Error(bad_input)` with
/// file, line and reason; `memory` bounds the values' bytes.
template <class T>
DenseColumns<T> parse_dense_columns(const Text& text, int threads, std::size_t memory);

}  // namespace tessera::detail
