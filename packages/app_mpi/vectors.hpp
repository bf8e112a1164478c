// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors between process 0, which reads and writes files, and the processes that have their rows.
#pragma once

#include "app/output_file.hpp"
#include "app_mpi/row_shares.hpp"
#include "app_mpi/together.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tessera::app_mpi {

/// Columns in the host's memory, one after the other.
struct Columns {
  std::int64_t rows = 0;
  std::size_t count = 0;
  std::vector<double> values;
};

/// This process's rows of `columns` columns, column after column; `all` is process 0's. Collective.
std::vector<double> scattered(const Communicator& processes, const RowShares& shares,
                              const std::vector<double>& all, std::size_t columns);

/// What `make` gives on process 0 (from a file, which is read there as a whole), this process's
/// rows of it. Messages begin with "OPTION PATH". Collective. @throws CommandError on all processes
/// unless it has a row for each of the matrix's, and a column.
Columns scattered_from(const Communicator& processes, const RowShares& shares, const char* option,
                       const std::string& path, const std::function<Columns()>& make);

/// Writes vectors of which this process has the rows `own`, in the order of all rows: process 0,
/// whose `file` is written, has one process's part of a column at a time. Collective.
/// @throws CommandError on all processes.
void write_in_order(const Communicator& processes, const RowShares& shares, const Columns& own,
                    const std::optional<app::OutputFile>& file);

}  // namespace tessera::app_mpi
