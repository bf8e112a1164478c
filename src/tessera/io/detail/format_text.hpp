// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Numbers to text, by several threads; each value as few digits as read back to the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tessera/io/detail/output_file.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// Compressed rows in host memory.
template <class Scalar, class Offset>
struct HostRows {
  std::int32_t num_rows = 0;
  std::size_t num_entries = 0;
  const Offset* offsets = nullptr;
  const std::int32_t* columns = nullptr;
  const Scalar* values = nullptr;
};

/// The comment's lines, each after a percent sign.
std::string format_comment(const std::string& comment);

/// Writes `row column value` lines, rows and columns counted from 1; where `symmetry` is not
/// general, the entries below the diagonal, and for a symmetric matrix those on it. Throws
/// `Error(bad_input)` at a value that is not finite, which no reader would take.
template <class Scalar, class Offset>
void write_entries(OutputFile& file, const HostRows<Scalar, Offset>& matrix,
                   MatrixSymmetry symmetry, int threads);

/// Writes one value per line, with the same error.
template <class Scalar>
void write_values(OutputFile& file, const Scalar* values, std::size_t size, int threads);

}  // namespace tessera::detail
