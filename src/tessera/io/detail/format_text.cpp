// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/format_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <vector>

#include "tessera/io/detail/output_file.hpp"
#include "tessera/io/detail/parallel.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

constexpr std::size_t entries_of_task = 32768;  // entries that one task formats
constexpr std::size_t longest_index = 12;
constexpr std::size_t longest_value = 32;

// Formats items [begin, end) into `buffer`.
using Format = std::function<void(std::size_t begin, std::size_t end, std::vector<char>& buffer)>;

void write_pieces(OutputFile& file, std::size_t size, int threads, const Format& format) {
  const std::size_t count = (size + entries_of_task - 1) / entries_of_task;
  const std::size_t batch = static_cast<std::size_t>(threads) * 4;
  std::vector<std::vector<char>> buffers(std::min(batch, count));
  for (std::size_t first = 0; first < count; first += batch) {
    const std::size_t here = std::min(batch, count - first);
    for_each_task(threads, here, [&](std::size_t i) {
      const std::size_t begin = (first + i) * entries_of_task;
      format(begin, std::min(begin + entries_of_task, size), buffers[i]);
      if (file.is_packed()) buffers[i] = pack_gzip(buffers[i].data(), buffers[i].size());
    });
    for (std::size_t i = 0; i < here; ++i)
      file.write_as_is(buffers[i].data(), buffers[i].size());
  }
}

/// A number; the character behind it is the next one's separator or the line's end.
template <class T>
char* put(char* to, T number, char behind) {
  char* end = std::to_chars(to, to + longest_value, number).ptr;
  *end++ = behind;
  return end;
}

[[noreturn]] void fail_not_finite(const std::string& where) {
  throw Error(ErrorKind::bad_input, where + " is not a finite number and cannot be written");
}

}  // namespace

std::string format_comment(const std::string& comment) {
  std::string text;
  for (std::size_t begin = 0; begin < comment.size();) {
    const std::size_t end = std::min(comment.find_first_of("\r\n", begin), comment.size());
    // A percent sign first would make a second banner of what is only a comment.
    text +=
        (end > begin && comment[begin] == '%' ? "% " : "%") + comment.substr(begin, end - begin);
    text += "\n";
    begin = end + (comment.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  return text;
}

template <class Scalar, class Offset>
void write_entries(OutputFile& file, const HostRows<Scalar, Offset>& matrix,
                   MatrixSymmetry symmetry, int threads) {
  const Offset* const offsets_end = matrix.offsets + matrix.num_rows + 1;
  const auto is_stored = [symmetry](std::int32_t row, std::int32_t column) {
    return symmetry == MatrixSymmetry::general || column < row ||
           (column == row && symmetry == MatrixSymmetry::symmetric);
  };
  const auto format = [&](std::size_t begin, std::size_t end, std::vector<char>& buffer) {
    buffer.resize((end - begin) * (2 * longest_index + longest_value));
    char* to = buffer.data();
    const auto* next = std::upper_bound(matrix.offsets, offsets_end, static_cast<Offset>(begin));
    for (std::size_t k = begin; k < end; ++k) {
      while (static_cast<std::size_t>(*next) <= k)
        ++next;
      const auto row = static_cast<std::int32_t>(next - matrix.offsets) - 1;
      const std::int32_t column = matrix.columns[k];
      if (!is_stored(row, column)) continue;
      if (!std::isfinite(matrix.values[k])) {
        fail_not_finite("entry (" + std::to_string(row + 1) + ", " + std::to_string(column + 1) +
                        ")");
      }
      to = put(to, row + 1, ' ');
      to = put(to, column + 1, ' ');
      to = put(to, matrix.values[k], '\n');
    }
    buffer.resize(static_cast<std::size_t>(to - buffer.data()));
  };
  write_pieces(file, matrix.num_entries, threads, format);
}

template <class Scalar>
void write_values(OutputFile& file, const Scalar* values, std::size_t size, int threads) {
  const auto format = [values](std::size_t begin, std::size_t end, std::vector<char>& buffer) {
    buffer.resize((end - begin) * longest_value);
    char* to = buffer.data();
    for (std::size_t i = begin; i < end; ++i) {
      if (!std::isfinite(values[i])) fail_not_finite("value " + std::to_string(i + 1));
      to = put(to, values[i], '\n');
    }
    buffer.resize(static_cast<std::size_t>(to - buffer.data()));
  };
  write_pieces(file, size, threads, format);
}

#define TESSERA_INSTANTIATE(Scalar, Offset) \
  template void write_entries(OutputFile&, const HostRows<Scalar, Offset>&, MatrixSymmetry, int);
TESSERA_INSTANTIATE(float, std::int32_t)
TESSERA_INSTANTIATE(float, std::int64_t)
TESSERA_INSTANTIATE(double, std::int32_t)
TESSERA_INSTANTIATE(double, std::int64_t)
#undef TESSERA_INSTANTIATE
template void write_values(OutputFile&, const float*, std::size_t, int);
template void write_values(OutputFile&, const double*, std::size_t, int);

}  // namespace tessera::detail
