// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some rows of a binary file (.tsr), for programs of which no process holds the whole.
#pragma once

#include "tessera/io/matrix_market_header.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace tessera {

/// Rows in compressed form, in the host's memory. Columns are the whole matrix's.
struct HostCsr {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
};

/// True where the file begins as Tessera's binary format does. Errors as for `read_matrix`.
bool is_binary_file(const std::filesystem::path& path);

/// A binary file that is there to its end, of which what is asked for is read. It is not packed.
class BinaryRows {
 public:
  using Checksums = std::array<std::uint32_t, 5>;  ///< one a section

  /// Reads and checks the header and the file's length. Errors as for `read_matrix`.
  explicit BinaryRows(const std::filesystem::path& path);
  ~BinaryRows();

  const MatrixMarketHeader& header() const;
  std::size_t rhs_columns() const;

  /// Entries in the rows before `row`, which is at most num_rows.
  std::int64_t entries_before(std::int64_t row) const;
  /// `count` rows from `first` on. @throws Error(bad_input) for offsets, columns or values that are
  ///         not as they should be.
  HostCsr rows(std::int64_t first, std::int64_t count) const;
  /// Those rows of the right-hand sides, column after column.
  std::vector<double> rhs(std::int64_t first, std::int64_t count) const;

  /// Of one of `parts` parts of each section: reads as much of the file.
  Checksums checksums(int part, int parts) const;
  /// Throws Error(bad_input) unless these, of all parts in their order, are the file's.
  void check(const std::vector<Checksums>& of_parts) const;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace tessera
