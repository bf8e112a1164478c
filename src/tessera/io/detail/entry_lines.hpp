// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lines of `row column value`, and of values alone: splitting, counting, parsing.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/io/detail/matrix_text.hpp"
#include "tessera/io/detail/text.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// Cuts [begin, text.end) at line ends into pieces of about equal length, enough of them to keep
/// `threads` busy.
std::vector<EntryChunk> split_lines(const Text& text, const char* begin, int threads);

/// Lines of [begin, end) that are neither blank nor comments.
std::size_t count_data_lines(const Text& text, const char* begin, const char* end);

/// Parses one chunk's lines into the arrays, from `chunk.first_entry` on.
template <class T>
void parse_chunk(const Text& text, const MatrixMarketHeader& header, const EntryChunk& chunk,
                 std::int32_t* rows, std::int32_t* columns, T* values);

/// All numbers from `begin` to the text's end, whitespace between them, lines that start with '%'
/// skipped; with `one_per_line`, two in a line are an error. Throws `Error(bad_input)` at the first
/// thing that is not a finite number.
template <class T>
std::vector<T> parse_value_list(const Text& text, const char* begin, MatrixField field, int threads,
                                bool one_per_line);

}  // namespace tessera::detail
