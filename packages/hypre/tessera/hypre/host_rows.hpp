// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of one process in the memory of the host.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::hypre {

/// In compressed form, with columns numbered through over all processes, as rows are.
struct HostRows {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  void push(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(columns.size())); }
};

}  // namespace tessera::hypre
