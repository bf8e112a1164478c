// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Plain lists of numbers: arrays, vectors, AmgX's sections.
#pragma once

#include <vector>

#include "tessera/io/detail/text.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// All numbers from `begin` to the text's end, whitespace between them, lines that start with '%'
/// skipped; with `one_per_line`, two in a line are an error. Throws `Error(bad_input)` at the first
/// thing that is not a finite number.
template <class T>
std::vector<T> parse_value_list(const Text& text, const char* begin, MatrixField field, int threads,
                                bool one_per_line);

}  // namespace tessera::detail
