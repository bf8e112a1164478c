// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the head of a Matrix Market file says; needs no Kokkos.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

/// How the entries are listed: `row column value` lines, or every value column after column.
enum class MatrixObject { coordinate, array };

/// What the values are. A pattern has none: each entry counts as 1.
enum class MatrixField { real, integer, pattern };

/// Which half is stored. The other one is its mirror image; skew-symmetric negates it.
enum class MatrixSymmetry { general, symmetric, skew_symmetric };

/// The banner, the comments before the size line, the size line, and AmgX's second banner.
struct MatrixMarketHeader {
  MatrixObject object = MatrixObject::coordinate;
  MatrixField field = MatrixField::real;
  MatrixSymmetry symmetry = MatrixSymmetry::general;
  std::int64_t num_rows = 0;
  std::int64_t num_cols = 0;
  std::int64_t num_entries = 0;  ///< as stored, the mirrored half and external diagonal not counted
  std::string comment;  ///< without the percent signs; lines end in a newline

  /// From `%%AMGX` (or `%%NVAMG`): blocks matter to an external diagonal alone, because entries
  /// are listed by scalar row and column even in a matrix of blocks.
  int block_rows = 1;
  int block_cols = 1;
  bool external_diagonal = false;  ///< diagonal blocks follow the entries, row after row
  bool has_rhs = false;  ///< num_rows values follow those
  bool has_solution = false;  ///< num_cols values follow those
  int index_base = 1;  ///< number of the first row and column
};

}  // namespace tessera
