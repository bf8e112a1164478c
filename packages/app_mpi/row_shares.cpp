// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/row_shares.hpp"

#include <algorithm>

namespace tessera::app_mpi {

int RowShares::owner(std::int64_t row) const {
  const auto above = std::upper_bound(starts.begin(), starts.end(), row);
  return static_cast<int>(above - starts.begin()) - 1;
}

RowShares equal_rows(std::int64_t rows, int processes, std::int64_t unit) {
  const std::int64_t units = (rows + unit - 1) / unit;
  RowShares shares;
  for (std::int64_t p = 0; p <= processes; ++p) {
    const std::int64_t before = units / processes * p + std::min(units % processes, p);
    shares.starts.push_back(std::min(before * unit, rows));
  }
  return shares;
}

std::int64_t rows_together(std::int64_t rows, int processes) {
  for (const std::int64_t unit : {60, 12, 6})
    if (rows >= unit * processes) return unit;
  return 1;
}

}  // namespace tessera::app_mpi
