// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

void fail_at(const Text& text, const char* at, const std::string& reason) {
  const auto in_text = std::count(text.begin, std::min(at, text.end), '\n');
  const std::size_t line = 1 + text.lines_before + static_cast<std::size_t>(in_text);
  throw Error(ErrorKind::bad_input, text.name + ":" + std::to_string(line) + ": " + reason);
}

std::string quoted(std::string_view token) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : token.substr(0, longest))
    result += (c >= ' ' && c <= '~') ? c : '?';
  if (token.size() > longest) result += "...";
  return result + "'";
}

const char* end_of_line(const Text& text, const char* p) {
  const auto left = static_cast<std::size_t>(text.end - p);
  const void* found = left == 0 ? nullptr : std::memchr(p, '\n', left);
  return found ? static_cast<const char*>(found) : text.end;
}

const char* next_data_line(const Text& text, const char* line) {
  while (line < text.end) {
    const char* first = skip_blanks(line);
    if (*first != '%' && *first != '\n') return line;
    line = end_of_line(text, first);
    if (line < text.end) ++line;
  }
  return text.end;
}

std::string_view take_token(std::string_view& rest) {
  const auto* begin = std::find_if_not(rest.begin(), rest.end(), is_blank);
  const auto* end = std::find_if(begin, rest.end(), is_blank);
  const std::string_view token(begin, static_cast<std::size_t>(end - begin));
  rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
  return token;
}

namespace {

std::string_view without_plus(std::string_view token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-' && token[1] != '+') {
    token.remove_prefix(1);
  }
  return token;
}

const char* end_of(std::string_view text) {
  const char* const begin = text.data();
  return begin + text.size();
}

template <class Number>
std::from_chars_result number_in(std::string_view digits, Number& value) {
  const char* const begin = digits.data();
  return std::from_chars(begin, begin + digits.size(), value);
}

// Decimal exponent of the first non-zero digit of a well-formed number; from_chars says "out of
// range" for the too large and the too small alike.
std::int64_t decimal_magnitude(std::string_view token) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 4;
  const std::size_t mark = std::min(token.find_first_of("eE"), token.size());
  const std::string_view mantissa = token.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return -huge;
  std::int64_t exponent = 0;
  if (mark < token.size()) {
    const std::string_view digits = without_plus(token.substr(mark + 1));
    const auto [end, error] = number_in(digits, exponent);
    if (error == std::errc::result_out_of_range) exponent = digits[0] == '-' ? -huge : huge;
  }
  const auto position = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return std::clamp(exponent, -huge, huge) + (position > 0 ? position - 1 : position);
}

bool parse_integer(std::string_view token, std::int64_t& value, std::string& reason) {
  const std::string_view digits = without_plus(token);
  const auto [next, error] = number_in(digits, value);
  if (next != end_of(digits) || error == std::errc::invalid_argument) {
    reason = quoted(token) + " is not a whole number";
    return false;
  }
  if (error == std::errc::result_out_of_range) {
    reason = quoted(token) + " does not fit 64 bits";
    return false;
  }
  return true;
}

}  // namespace

bool parse_count(std::string_view token, std::int64_t& value, std::string& reason) {
  if (!parse_integer(token, value, reason)) return false;
  if (value < 0) {
    reason = quoted(token) + " is negative";
    return false;
  }
  return true;
}

template <class T>
bool parse_value(std::string_view token, MatrixField field, T& value, std::string& reason) {
  if (field == MatrixField::integer) {
    std::int64_t integer = 0;
    if (!parse_integer(token, integer, reason)) return false;
    value = static_cast<T>(integer);
    return true;
  }
  const std::string_view digits = without_plus(token);
  const auto [next, error] = number_in(digits, value);
  if (next != end_of(digits) || error == std::errc::invalid_argument) {
    reason = quoted(token) + " is not a number";
    return false;
  }
  if (error == std::errc::result_out_of_range) {
    if (decimal_magnitude(digits) < 0) {
      value = digits[0] == '-' ? -T(0) : T(0);
      return true;
    }
    value = std::numeric_limits<T>::infinity();
  }
  if (!std::isfinite(value)) {
    const bool named = digits.find_first_of("nN") != std::string_view::npos;
    reason = quoted(token) + (named ? " is not a finite number"
                                    : std::string(" is too large for ") +
                                          (sizeof(T) == 4 ? "single" : "double") + " precision");
    return false;
  }
  return true;
}

template bool parse_value(std::string_view, MatrixField, float&, std::string&);
template bool parse_value(std::string_view, MatrixField, double&, std::string&);

}  // namespace tessera::detail
