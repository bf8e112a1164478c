// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Any bytes through every parser that needs no execution space: shared by the fuzzer and by the
/// test that replays its corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/dense_text.hpp"
#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/io/detail/matrix_text.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::fuzz {

/// What the bytes were taken for.
enum class Verdict { matrix, vector, binary, refused };

inline bool parse_matrix(const detail::Text& text) {
  try {
    detail::MatrixText matrix(text, 2);
    std::vector<std::int32_t> rows(matrix.max_entries());
    std::vector<std::int32_t> columns(matrix.max_entries());
    std::vector<double> values(matrix.max_entries());
    const std::size_t size = matrix.parse_entries(rows.data(), columns.data(), values.data());
    for (std::size_t e = 0; e < size; ++e) {
      const bool inside = rows[e] >= 0 && rows[e] < matrix.header().num_rows && columns[e] >= 0 &&
                          columns[e] < matrix.header().num_cols && values[e] - values[e] == 0;
      if (!inside) __builtin_trap();  // the parser let a bad entry pass
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

inline bool parse_vector(const detail::Text& text) {
  try {
    constexpr std::size_t memory = std::size_t{16} << 20U;
    const auto columns = detail::parse_dense_columns<float>(text, 2, memory);
    if (columns.values.size() != columns.num_rows * columns.num_cols) __builtin_trap();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Nothing but `tessera::Error` may come of any bytes.
inline Verdict consume(const std::uint8_t* data, std::size_t size) {
  const std::string name = "input";
  detail::FileBytes bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  try {
    if (detail::is_gzip(bytes)) {
      bytes = detail::unpack_gzip(bytes, name, std::size_t{1} << 20U);
    }
    if (detail::is_binary(bytes)) {
      const detail::BinaryHeader header = detail::read_binary_header(bytes, name);
      detail::check_sections(bytes, name, header, 2);
      return Verdict::binary;
    }
  } catch (const Error&) {
    return Verdict::refused;
  }
  const bool vector = parse_vector(bytes.text(name));
  if (parse_matrix(bytes.text(name))) return Verdict::matrix;
  return vector ? Verdict::vector : Verdict::refused;
}

}  // namespace tessera::fuzz
