// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Columns of a matrix whose rows repeat: one byte per row in place of one number per entry.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {

/// The columns of a CSR matrix as lists that many rows share, each relative to the row's base: on a
/// grid of 128^3 points the 2 million rows of a 7-point stencil have 27 of them.
///
/// The base of a row is its own number where the matrix is square, else its first column. Row i has
/// the pattern `pattern_of(i)`, entry k of pattern p in column base + `table(p * stride + 1 + k)`,
/// and its length is `table(p * stride)`. Rows of the pattern `none`, which are long or came when
/// all patterns were taken, are read from the matrix. Which rows these are may differ from one
/// search to the next where there are more than `most` patterns; products never do.
template <class Space>
struct ColumnPatterns {
  static constexpr int most = 255;
  static constexpr std::uint8_t none = 255;
  static constexpr Ordinal longest_row = 128;  ///< that has a pattern

  bool found = false;  ///< whether products may use what follows
  Ordinal stride = 0;
  ArrayView<std::uint8_t, Space> pattern_of;  ///< length num_rows
  ArrayView<Ordinal, Space> table;
  ArrayView<Ordinal, Space> first_columns;  ///< length num_rows, of a matrix that is not square
  /// The first entry of every `rows_per_part` rows, and the end: of a staged product.
  ArrayView<std::int32_t, Space> part_begins;
  /// While they are searched for: the row that each pattern is from and the hash of its columns,
  /// then counts of rows without one.
  ArrayView<std::uint64_t, Space> search;
  Array<std::uint64_t, Space> memory;  ///< of all these
};

/// While one lives, plans that its thread makes have no column patterns, unless `enabled` or asked
/// for by name: to measure what they give.
class ColumnPatternScope {
 public:
  explicit ColumnPatternScope(bool enabled);
  ~ColumnPatternScope();
  ColumnPatternScope(const ColumnPatternScope&) = delete;
  ColumnPatternScope& operator=(const ColumnPatternScope&) = delete;

  /// Whether a plan that is made on this thread may look for them.
  static bool is_enabled();

 private:
  bool m_outer;
};

}  // namespace tessera::kernels
