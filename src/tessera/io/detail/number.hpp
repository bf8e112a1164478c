// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Numbers in text: every form that is accepted, and a reason for every form that is not.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "tessera/io/detail/text.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

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
