// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrix Market files: R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange
/// formats: initial design, NISTIR 5935, 1996. See docs/formats.md for what is accepted.
#pragma once

#include <filesystem>
#include <string>

#include "tessera/io/matrix_file.hpp"

namespace tessera {

/// Reads a Matrix Market file, plain or packed by gzip. The text is parsed by several host threads;
/// the other half of a symmetric matrix, the rows' order and duplicates are worked out on `exec`.
/// Errors as for `read_matrix`.
template <class Scalar, class Offset = std::int32_t, class Space>
MatrixFile<Scalar, Space, Offset> read_matrix_market(const Space& exec,
                                                     const std::filesystem::path& path,
                                                     const ReadOptions& options = {});

struct MatrixMarketWriteOptions {
  /// Not `general`: writes the lower triangle alone, and throws `Error(precondition)` unless the
  /// other half is exactly its mirror image.
  MatrixSymmetry symmetry = MatrixSymmetry::general;
  std::string comment = {};  ///< lines without percent signs
};

/// Writes `A` in the coordinate format, each value with as few digits as read back to the same
/// bits; packed by gzip where the path ends in .gz. The file is there in whole or not at all;
/// throws `Error(io)` where it cannot be.
template <class Scalar, class Space, class Offset>
void write_matrix_market(const Space& exec, const std::filesystem::path& path,
                         const kernels::Csr<Scalar, Space, Offset>& A,
                         const MatrixMarketWriteOptions& options = {});

}  // namespace tessera
