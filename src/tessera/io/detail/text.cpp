// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/text.hpp"

#include <algorithm>
#include <cstring>

#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

void fail_at(const Text& text, const char* at, const std::string& reason) {
  const auto line = 1 + std::count(text.begin, std::min(at, text.end), '\n');
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

}  // namespace tessera::detail
