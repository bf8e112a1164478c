// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Checking a matrix's contents.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <string>
#include <vector>

namespace tessera {

/// What may be wrong with a matrix.
enum class MatrixDefect {
  offsets,  ///< offsets(0) is not 0, an offset is below the one before, or the last is not the
            ///< number of entries; nothing else is checked then
  column,  ///< a column below 0 or not below num_cols
  unsorted,  ///< a row whose columns do not ascend: allowed, but worth knowing
  duplicate,  ///< a column stored twice in one row
  not_finite  ///< a value that is NaN or infinite
};

/// The defect as a word, e.g. "duplicate" or "not_finite".
const char* to_string(MatrixDefect defect);

/// The first place of one kind of defect: the lowest entry, whatever order the device ran in.
struct MatrixProblem {
  MatrixDefect defect;
  Ordinal row = 0;
  std::int64_t entry = 0;  ///< its place in columns and values; for `offsets` that row's offset
  std::string message;  ///< names the row, the entry and the value
};

/// What `validate` found: at most one problem of each kind.
struct ValidationReport {
  std::vector<MatrixProblem> problems;

  /// True without problems, or with none but unsorted rows.
  bool valid() const;
  bool has(MatrixDefect defect) const;
};

/// One line a problem; "the matrix is valid" without.
std::string to_string(const ValidationReport& report);

/// Checks offsets, column range, sortedness, duplicates and values, in one pass over the matrix
/// each, on the device; unsorted rows are sorted in a copy to find duplicates. Waits.
template <class Scalar, class Space, class Offset>
ValidationReport validate(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// Throws `Error` of kind `bad_input` with all problems unless the matrix is valid.
template <class Scalar, class Space, class Offset>
void require_valid(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
