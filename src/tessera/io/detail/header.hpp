// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The head of a Matrix Market file: banner, comments, AmgX's second banner, size line.
#pragma once

#include "tessera/io/detail/text.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// True where the text starts as a Matrix Market file does, in any mixture of cases.
bool has_matrix_market_banner(const Text& text);

/// Reads the head and sets `body` to the line after the size line. Throws `Error(bad_input)` with
/// file and line for anything that is not a real, finite Matrix Market matrix of at most 2^31 - 1
/// rows and columns.
MatrixMarketHeader parse_header(const Text& text, const char*& body);

}  // namespace tessera::detail
