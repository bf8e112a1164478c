// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A text in memory with the name of the file it came from, and errors that name file and line.
/// Numbers in it.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// A whole file, or a piece of one. `*end` is readable and a newline, so that a scan for the end of
/// a line needs no second test.
struct Text {
  std::string name;
  const char* begin = nullptr;
  const char* end = nullptr;
  std::size_t lines_before = 0;  ///< of the file, that messages count
};

/// Throws `Error(bad_input)` that says `name:line: reason`, with `at` anywhere in that line.
[[noreturn]] void fail_at(const Text& text, const char* at, const std::string& reason);

/// A token as it goes into a message: quoted, short, without control characters.
std::string quoted(std::string_view token);

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p))
    ++p;
  return p;
}

/// The newline that ends the line of `p`; `text.end` for the last line.
const char* end_of_line(const Text& text, const char* p);

/// The start of the next line that is neither blank nor a comment, from the start of a line on;
/// `end` where there is none.
const char* next_data_line(const Text& text, const char* line);

/// Takes the next token off `rest`, blanks before it dropped; empty at the end.
std::string_view take_token(std::string_view& rest);

/// A whole, non-negative number of at most 64 bits. False, with a reason, for any other token.
bool parse_count(std::string_view token, std::int64_t& value, std::string& reason);

/// A finite number that fits `T`; a number too small for `T` is zero or denormal, not an error.
/// False, with a reason, for any other token.
template <class T>
bool parse_value(std::string_view token, MatrixField field, T& value, std::string& reason);

/// The common form of a value at `p`, fast: the end of the number, or null where `parse_value` has
/// to decide.
template <class T, MatrixField field>
const char* parse_value_fast(const char* p, const char* end, T& value) {
  if constexpr (field == MatrixField::integer) {
    std::int64_t integer = 0;
    const auto [next, error] = std::from_chars(p, end, integer);
    value = static_cast<T>(integer);
    return error == std::errc() ? next : nullptr;
  } else {
    const auto [next, error] = std::from_chars(p, end, value);
    return error == std::errc() && std::isfinite(value) ? next : nullptr;
  }
}

}  // namespace tessera::detail
