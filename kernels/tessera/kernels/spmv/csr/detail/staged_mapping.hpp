// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the staged kernels distribute rows: lanes per row, and rows per lane.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/staging.hpp"
#include "tessera/kernels/spmv/selection_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace tessera::kernels::detail {

/// Whether `lanes` is a power of two from `least` to `most`.
inline bool is_lanes(int lanes, int least, int most) {
  return lanes >= least && lanes <= most && (lanes & (lanes - 1)) == 0;
}

/// Lanes per row of the staged kernel: as few as keep a warp's part within `part_bytes`; more of
/// small matrices and of wide ones such as restrictions.
inline int staged_row_lanes(double num_rows, double num_cols, double mean_row_length,
                            std::size_t entry_bytes, double part_bytes = rules::staged_part_bytes) {
  constexpr double min_entries = rules::min_entries_per_staged_lane;
  const bool wide = num_cols > rules::wide_columns_over_rows * num_rows;
  int lanes = 1;
  while (lanes < max_staged_row_lanes &&
         ((wide && min_entries * lanes <= mean_row_length) ||
          32.0 / lanes * mean_row_length * static_cast<double>(entry_bytes) > part_bytes ||
          (min_entries * lanes <= mean_row_length &&
           num_rows * lanes < 32 * rules::min_staged_parts))) {
    lanes *= 2;
  }
  return lanes;
}

/// Rows per lane of the staged kernel: more than one where rows are short and parts are many.
inline int staged_rows_per_lane(int lanes, double num_rows, double mean_row_length) {
  const bool several = lanes == 1 && mean_row_length <= rules::longest_row_of_two_per_lane &&
                       num_rows > 32 * max_staged_rows_per_lane * rules::min_parts_of_two_per_lane;
  return several ? max_staged_rows_per_lane : 1;
}

/// The same where columns come from patterns, and copies are of values alone. Values of 8 bytes
/// have the lanes that they have with their columns.
inline int pattern_row_lanes(double num_rows, double num_cols, double mean_row_length,
                             std::size_t value_bytes) {
  if (value_bytes > 4)
    return staged_row_lanes(num_rows, num_cols, mean_row_length, value_bytes + sizeof(Ordinal));
  return staged_row_lanes(num_rows, num_cols, mean_row_length, value_bytes,
                          rules::pattern_part_bytes);
}
inline int pattern_rows_per_lane(int lanes, double num_rows, double row_bytes) {
  int rows = 1;
  while (lanes == 1 && rows < max_pattern_rows_per_lane &&
         32 * rows * row_bytes < rules::min_pattern_part_bytes &&
         num_rows > 32 * 2 * rows * rules::min_parts_of_patterns) {
    rows *= 2;
  }
  return rows;
}

/// How a staged kernel distributes rows.
struct StagedMapping {
  int lanes = 1;  ///< per row
  int rows = 1;  ///< per lane

  Ordinal rows_per_part() const { return 32 / lanes * rows; }
};

/// As `asked`, or chosen where its lanes are 0.
template <class Scalar, class Space, class Offset>
StagedMapping staged_mapping(const CsrView<Scalar, Space, Offset>& A, const StagedMapping& asked,
                             bool has_patterns) {
  if (asked.lanes > 0) return {asked.lanes, std::max(1, asked.rows)};
  if (A.num_rows == 0) return {};
  const double mean = static_cast<double>(A.num_entries) / A.num_rows;
  if (has_patterns) {
    const int lanes = pattern_row_lanes(A.num_rows, A.num_cols, mean, sizeof(Scalar));
    return {lanes, pattern_rows_per_lane(lanes, A.num_rows, mean * sizeof(Scalar))};
  }
  const int lanes =
      staged_row_lanes(A.num_rows, A.num_cols, mean, sizeof(Ordinal) + sizeof(Scalar));
  return {lanes, staged_rows_per_lane(lanes, A.num_rows, mean)};
}

/// Throws unless a kernel has so many lanes per row and rows per lane.
inline void require_mapping(CsrSpmvAlgorithm algorithm, const StagedMapping& asked) {
  const bool has_patterns = algorithm == CsrSpmvAlgorithm::column_patterns;
  const bool is_staged = has_patterns || algorithm == CsrSpmvAlgorithm::staged;
  require(asked.lanes == 0 || (is_staged && is_lanes(asked.lanes, 1, max_staged_row_lanes)), [&] {
    return "lanes = " + std::to_string(asked.lanes) +
           ", expected 0, or 1, 2, 4 or 8 with algorithm = staged or column_patterns";
  });
  const int max_rows = asked.lanes != 1 ? 1
                       : has_patterns   ? max_pattern_rows_per_lane
                                        : max_staged_rows_per_lane;
  require(asked.rows == 0 || (asked.lanes > 0 && is_lanes(asked.rows, 1, max_rows)), [&] {
    return "rows = " + std::to_string(asked.rows) +
           ", expected 0, or 1, or with lanes = 1 also 2, and 4 with algorithm = column_patterns";
  });
}

}  // namespace tessera::kernels::detail
