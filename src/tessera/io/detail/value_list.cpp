// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/value_list.hpp"

#include <algorithm>
#include <string>

#include "tessera/io/detail/entry_lines.hpp"
#include "tessera/io/detail/number.hpp"
#include "tessera/io/detail/parallel.hpp"

namespace tessera::detail {

namespace {

template <class T>
void parse_line(const Text& text, const char* line, MatrixField field, bool one_per_line,
                std::vector<T>& values) {
  const char* const end = end_of_line(text, line);
  std::string_view rest(line, static_cast<std::size_t>(end - line));
  for (std::string_view token = take_token(rest); !token.empty(); token = take_token(rest)) {
    T value{};
    std::string reason;
    if (!parse_value(token, field, value, reason)) {
      fail_at(text, line, "bad value: " + reason);
    }
    values.push_back(value);
    if (one_per_line && !take_token(rest).empty()) {
      fail_at(text, line, "more than one number in this line");
    }
  }
}

}  // namespace

template <class T>
std::vector<T> parse_value_list(const Text& text, const char* begin, MatrixField field, int threads,
                                bool one_per_line) {
  const std::vector<EntryChunk> chunks = split_lines(text, begin, threads);
  std::vector<std::vector<T>> parts(chunks.size());
  for_each_task(threads, chunks.size(), [&](std::size_t i) {
    const char* const end = chunks[i].end;
    for (const char* line = next_data_line(text, chunks[i].begin); line < end;) {
      parse_line(text, line, field, one_per_line, parts[i]);
      line = next_data_line(text, std::min(end_of_line(text, line) + 1, text.end));
    }
  });
  std::vector<T> values;
  std::size_t size = 0;
  for (const auto& part : parts)
    size += part.size();
  values.reserve(size);
  for (const auto& part : parts)
    values.insert(values.end(), part.begin(), part.end());
  return values;
}

template std::vector<float> parse_value_list(const Text&, const char*, MatrixField, int, bool);
template std::vector<double> parse_value_list(const Text&, const char*, MatrixField, int, bool);

}  // namespace tessera::detail
