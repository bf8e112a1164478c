// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's binary format for matrices (.tsr); its layout is in docs/formats.md.
#pragma once

#include <filesystem>
#include <optional>

#include "tessera/io/matrix_file.hpp"

namespace tessera {

/// Reads a binary file of either scalar and either offset width, and checks its checksums, offsets,
/// columns and values. Errors as for `read_matrix`.
template <class Scalar, class Offset = std::int32_t, class Space>
MatrixFile<Scalar, Space, Offset> read_binary(const Space& exec, const std::filesystem::path& path,
                                              const ReadOptions& options = {});

/// Writes `A`, and where given a right-hand side (num_rows by k) and a solution (num_cols by k);
/// packed by gzip where the path ends in .gz. The file is there in whole or not at all; throws
/// `Error(io)` where it cannot be.
template <class Scalar, class Space, class Offset>
void write_binary(const Space& exec, const std::filesystem::path& path,
                  const kernels::Csr<Scalar, Space, Offset>& A,
                  const std::optional<MultiVector<Scalar, Space>>& rhs = std::nullopt,
                  const std::optional<MultiVector<Scalar, Space>>& solution = std::nullopt);

}  // namespace tessera
