// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors in files.
#pragma once

#include <filesystem>

#include "tessera/io/matrix_file.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera {

/// Reads one or more columns: a general Matrix Market array or coordinate file (places that are not
/// listed are 0), or plain text with one number per line, lines that start with '%' skipped; each
/// plain or packed by gzip. Errors as for `read_matrix`; duplicates are always an error.
template <class Scalar, class Space>
MultiVector<Scalar, Space> read_vector(const Space& exec, const std::filesystem::path& path,
                                       const ReadOptions& options = {});

/// Writes `x`, vectors or a dense matrix, as a Matrix Market array, each value with as few digits
/// as read back to the same bits; packed by gzip where the path ends in .gz. The file is there in
/// whole or not at all; throws `Error(io)` where it cannot be.
template <class Scalar, class Space>
void write_vector(const Space& exec, const std::filesystem::path& path,
                  const MultiVector<Scalar, Space>& x);

}  // namespace tessera
