// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which process has which rows: contiguous ones in the matrix's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::app_mpi {

/// Process p has the rows from starts[p] up to starts[p + 1]; there may be none.
struct RowShares {
  std::vector<std::int64_t> starts;  ///< one more than there are processes

  int processes() const { return static_cast<int>(starts.size()) - 1; }
  std::int64_t all() const { return starts.back(); }
  std::int64_t first(int process) const { return starts[static_cast<std::size_t>(process)]; }
  std::int64_t count(int process) const {
    const auto p = static_cast<std::size_t>(process);
    return starts[p + 1] - starts[p];
  }
  /// The process that has `row`, from 0 up to `all()`.
  int owner(std::int64_t row) const;
};

/// Shares that differ by `unit` rows at most, and begin at a multiple of it.
RowShares equal_rows(std::int64_t rows, int processes, std::int64_t unit);

/// Shares of about as many entries: `before(row)` are those in the rows before, and shares begin at
/// a multiple of `unit`.
template <class Before>
RowShares equal_entries(std::int64_t rows, int processes, std::int64_t unit, const Before& before) {
  RowShares shares{std::vector<std::int64_t>(static_cast<std::size_t>(processes) + 1, rows)};
  shares.starts.front() = 0;
  const std::int64_t all = before(rows);
  const std::int64_t units = (rows + unit - 1) / unit;
  const auto row_of = [&](std::int64_t number) {
    return number * unit < rows ? number * unit : rows;
  };
  for (int p = 1; p < processes; ++p) {
    const double target = static_cast<double>(all) * p / processes;
    const auto excess = [&](std::int64_t number) {
      return static_cast<double>(before(row_of(number))) - target;
    };
    // The last unit before which there are no more than that, or the next one where it is nearer.
    std::int64_t low = 0;
    std::int64_t high = units;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (excess(middle) <= 0)
        low = middle;
      else
        high = middle - 1;
    }
    if (low < units && excess(low + 1) < -excess(low)) ++low;
    const std::int64_t start = row_of(low);
    const std::int64_t last = shares.starts[static_cast<std::size_t>(p) - 1];
    shares.starts[static_cast<std::size_t>(p)] = start > last ? start : last;
  }
  return shares;
}

/// Rows that stay together where nobody has said how many unknowns a node has: a common multiple of
/// the usual numbers, or of fewer where there are few rows for each process.
std::int64_t rows_together(std::int64_t rows, int processes);

}  // namespace tessera::app_mpi
