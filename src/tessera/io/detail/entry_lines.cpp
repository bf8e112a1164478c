// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/entry_lines.hpp"

#include <algorithm>
#include <string>

#include "tessera/io/detail/parallel.hpp"
#include "tessera/io/detail/text.hpp"

namespace tessera::detail {

namespace {

struct Entry {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// Why an entry may not stand where it does; empty where it may.
std::string why_misplaced(const MatrixMarketHeader& header, const Entry& entry) {
  const auto base = header.index_base;
  const auto check = [base](const char* what, std::int64_t index, std::int64_t size) {
    const std::string number = std::string(what) + " " + std::to_string(index);
    if (index < base) return number + " is below the first, " + std::to_string(base);
    return index - base >= size ? number + " is beyond the last, " + std::to_string(size - 1 + base)
                                : std::string();
  };
  std::string reason = check("row", entry.row, header.num_rows);
  if (reason.empty()) reason = check("column", entry.column, header.num_cols);
  if (!reason.empty()) return reason;
  const std::string place =
      "entry (" + std::to_string(entry.row) + ", " + std::to_string(entry.column) + ")";
  if (header.symmetry != MatrixSymmetry::general && entry.row < entry.column) {
    return place + " is above the diagonal, but the file is " +
           (header.symmetry == MatrixSymmetry::symmetric ? "symmetric" : "skew-symmetric") +
           ": only the lower triangle is stored";
  }
  if (header.symmetry == MatrixSymmetry::skew_symmetric && entry.row == entry.column) {
    return place + " is on the diagonal of a skew-symmetric matrix";
  }
  return {};
}

// Decides about every line that the fast path leaves alone: parses it, or throws.
template <class T>
Entry parse_line_carefully(const Text& text, const MatrixMarketHeader& header, const char* line,
                           T& value) {
  const char* const end = end_of_line(text, line);
  std::string_view rest(line, static_cast<std::size_t>(end - line));
  const bool pattern = header.field == MatrixField::pattern;
  const char* const expected = pattern ? "expected 'row column'" : "expected 'row column value'";
  const std::string_view row = take_token(rest);
  const std::string_view column = take_token(rest);
  const std::string_view number = pattern ? std::string_view() : take_token(rest);
  if (column.empty() || (number.empty() && !pattern)) {
    fail_at(text, line, std::string("the line ends early; ") + expected);
  }
  Entry entry;
  std::string reason;
  if (!parse_count(row, entry.row, reason)) fail_at(text, line, "bad row number: " + reason);
  if (!parse_count(column, entry.column, reason)) {
    fail_at(text, line, "bad column number: " + reason);
  }
  if (pattern) {
    value = T(1);
  } else if (!parse_value(number, header.field, value, reason)) {
    fail_at(text, line, "bad value: " + reason);
  }
  const std::string_view extra = take_token(rest);
  if (!extra.empty()) {
    fail_at(text, line, quoted(extra) + " stands behind the entry; " + expected);
  }
  reason = why_misplaced(header, entry);
  if (!reason.empty()) fail_at(text, line, reason);
  return entry;
}

// At most nine digits, so that 32 bits cannot overflow; longer ones go the careful way.
inline const char* parse_index_fast(const char* p, std::uint32_t& index) {
  const char* const begin = p;
  std::uint32_t result = 0;
  while (is_digit(*p))
    result = 10 * result + static_cast<std::uint32_t>(*p++ - '0');
  index = result;
  const std::ptrdiff_t digits = p - begin;
  return digits >= 1 && digits <= 9 ? p : nullptr;
}

// Null where the line is not of the common form. The text ends in a newline, so no scan below runs
// past its end.
template <class T, MatrixField field>
const char* parse_line_fast(const char* p, const char* end, std::uint32_t& row,
                            std::uint32_t& column, T& value) {
  p = parse_index_fast(skip_blanks(p), row);
  if (!p || !is_blank(*p)) return nullptr;
  p = parse_index_fast(skip_blanks(p), column);
  if (!p) return nullptr;
  if constexpr (field == MatrixField::pattern) {
    value = T(1);
  } else {
    if (!is_blank(*p)) return nullptr;
    p = parse_value_fast<T, field>(skip_blanks(p), end, value);
    if (!p) return nullptr;
  }
  p = skip_blanks(p);
  return *p == '\n' ? p : nullptr;
}

template <class T, MatrixField field>
void parse_chunk_of(const Text& text, const MatrixMarketHeader& header, const EntryChunk& chunk,
                    std::int32_t* rows, std::int32_t* columns, T* values) {
  const auto base = static_cast<std::uint32_t>(header.index_base);
  const auto num_rows = static_cast<std::uint32_t>(header.num_rows);
  const auto num_cols = static_cast<std::uint32_t>(header.num_cols);
  const bool general = header.symmetry == MatrixSymmetry::general;
  const bool skew = header.symmetry == MatrixSymmetry::skew_symmetric;
  const std::size_t last = chunk.first_entry + chunk.num_entries;
  const char* line = chunk.begin;
  for (std::size_t e = chunk.first_entry; e < last; ++e) {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    const char* end = parse_line_fast<T, field>(line, text.end, row, column, values[e]);
    row -= base;  // an index below the base wraps around and is beyond the size
    column -= base;
    if (!end || row >= num_rows || column >= num_cols ||
        (!general && (row < column || (skew && row == column)))) {
      line = next_data_line(text, line);
      const Entry entry = parse_line_carefully(text, header, line, values[e]);
      row = static_cast<std::uint32_t>(entry.row - header.index_base);
      column = static_cast<std::uint32_t>(entry.column - header.index_base);
      end = end_of_line(text, line);
    }
    rows[e] = static_cast<std::int32_t>(row);
    columns[e] = static_cast<std::int32_t>(column);
    line = std::min(end + 1, text.end);
  }
}

}  // namespace

std::vector<EntryChunk> split_lines(const Text& text, const char* begin, int threads) {
  constexpr std::size_t smallest = std::size_t{64} << 10U;
  constexpr std::size_t largest = std::size_t{2} << 20U;
  const auto size = static_cast<std::size_t>(text.end - begin);
  const auto pieces = static_cast<std::size_t>(std::max(threads, 1)) * 8;
  const std::size_t target = std::clamp(size / pieces, smallest, largest);
  std::vector<EntryChunk> chunks;
  while (begin < text.end) {
    const auto left = static_cast<std::size_t>(text.end - begin);
    const char* end = text.end;
    if (left > target) end = std::min(end_of_line(text, begin + target) + 1, text.end);
    chunks.push_back({begin, end, 0, 0});
    begin = end;
  }
  return chunks;
}

std::size_t count_data_lines(const Text& text, const char* begin, const char* end) {
  // One pass that the compiler vectorises: where no line starts with a blank, a newline or a
  // comment, each line is data.
  std::size_t lines = end[-1] == '\n' ? 0 : 1;
  std::size_t special = *begin <= ' ' ? 1 : 0;
  for (const char* p = begin; p < end; ++p) {
    lines += *p == '\n' ? 1 : 0;
    special += *p == '%' ? 1 : 0;
  }
  for (const char* p = begin + 1; p < end; ++p)
    special += (p[-1] == '\n' && *p <= ' ') ? 1 : 0;
  if (special == 0) return lines;
  lines = 0;
  const Text part{text.name, begin, end};
  for (const char* line = next_data_line(part, begin); line < end;) {
    ++lines;
    line = std::min(end_of_line(part, line) + 1, end);
    line = next_data_line(part, line);
  }
  return lines;
}

template <class T>
void parse_chunk(const Text& text, const MatrixMarketHeader& header, const EntryChunk& chunk,
                 std::int32_t* rows, std::int32_t* columns, T* values) {
  switch (header.field) {
    case MatrixField::real:
      return parse_chunk_of<T, MatrixField::real>(text, header, chunk, rows, columns, values);
    case MatrixField::integer:
      return parse_chunk_of<T, MatrixField::integer>(text, header, chunk, rows, columns, values);
    case MatrixField::pattern:
      return parse_chunk_of<T, MatrixField::pattern>(text, header, chunk, rows, columns, values);
  }
}

template void parse_chunk(const Text&, const MatrixMarketHeader&, const EntryChunk&, std::int32_t*,
                          std::int32_t*, float*);
template void parse_chunk(const Text&, const MatrixMarketHeader&, const EntryChunk&, std::int32_t*,
                          std::int32_t*, double*);

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
