// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/binary_layout.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "tessera/io/detail/output_file.hpp"
#include "tessera/io/detail/parallel.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

constexpr std::array<char, 8> magic = {'T', 'E', 'S', 'S', 'E', 'R', 'A', '\x1a'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::array<const char*, num_binary_sections> section_names = {
    "offsets", "columns", "values", "right-hand side", "solution"};

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw Error(ErrorKind::bad_input, name + ": " + reason);
}

std::uint32_t header_checksum(const BinaryHeader& header) {
  return checksum(reinterpret_cast<const char*>(&header), offsetof(BinaryHeader, header_checksum),
                  1);
}

std::size_t align(std::size_t offset) {
  return (offset + binary_alignment - 1) / binary_alignment * binary_alignment;
}

bool is_plausible(const BinaryHeader& h) {
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t max_entries = std::int64_t{1} << 56;
  constexpr std::uint32_t max_columns = 1U << 20U;
  const auto width = [](std::uint8_t w) { return w == 4 || w == 8; };
  return width(h.scalar_width) && width(h.offset_width) && h.column_width == 4 && h.flags == 0 &&
         h.num_rows >= 0 && h.num_rows <= largest && h.num_cols >= 0 && h.num_cols <= largest &&
         h.num_entries >= 0 && h.num_entries <= max_entries && h.rhs_columns <= max_columns &&
         h.solution_columns <= max_columns;
}

}  // namespace

BinaryHeader make_binary_header(std::size_t scalar_width, std::size_t offset_width,
                                std::int64_t num_rows, std::int64_t num_cols,
                                std::int64_t num_entries, std::size_t rhs_columns,
                                std::size_t solution_columns) {
  BinaryHeader header{};
  header.magic = magic;
  header.version = version;
  header.byte_order = byte_order;
  header.scalar_width = static_cast<std::uint8_t>(scalar_width);
  header.offset_width = static_cast<std::uint8_t>(offset_width);
  header.column_width = 4;
  header.rhs_columns = static_cast<std::uint32_t>(rhs_columns);
  header.num_rows = num_rows;
  header.num_cols = num_cols;
  header.num_entries = num_entries;
  header.solution_columns = static_cast<std::uint32_t>(solution_columns);
  return header;
}

BinarySections locate_sections(const BinaryHeader& h) {
  const auto rows = static_cast<std::size_t>(h.num_rows);
  const auto cols = static_cast<std::size_t>(h.num_cols);
  const auto entries = static_cast<std::size_t>(h.num_entries);
  BinarySections s;
  s.size = {(rows + 1) * h.offset_width, entries * h.column_width, entries * h.scalar_width,
            rows * h.rhs_columns * h.scalar_width, cols * h.solution_columns * h.scalar_width};
  std::size_t next = sizeof(BinaryHeader);
  for (std::size_t i = 0; i < num_binary_sections; ++i) {
    s.begin[i] = next;
    next = align(next + s.size[i]);
  }
  s.file_size = next;
  return s;
}

BinaryHeader read_binary_header(const FileBytes& bytes, const std::string& name) {
  BinaryHeader h{};
  if (bytes.size() < sizeof(h)) fail(name, "the file ends within its header");
  std::memcpy(&h, bytes.data(), sizeof(h));
  if (h.byte_order != byte_order) fail(name, "it was written with another byte order");
  if (h.version != version) {
    fail(name, "its format has version " + std::to_string(h.version) + "; only version " +
                   std::to_string(version) + " is known");
  }
  if (h.header_checksum != header_checksum(h)) fail(name, "its header is damaged (checksum)");
  if (!is_plausible(h)) fail(name, "its header holds impossible sizes");
  return h;
}

void check_sections(const FileBytes& bytes, const std::string& name, const BinaryHeader& header,
                    int threads) {
  const BinarySections s = locate_sections(header);
  if (bytes.size() != s.file_size) {
    fail(name, "the header promises a file of " + std::to_string(s.file_size) +
                   " bytes, but it has " + std::to_string(bytes.size()));
  }
  for (std::size_t i = 0; i < num_binary_sections; ++i) {
    if (checksum(bytes.data() + s.begin[i], s.size[i], threads) != header.checksums[i]) {
      fail(name, std::string("its ") + section_names[i] + " are damaged (checksum)");
    }
    const char* const end = bytes.data() + s.begin[i] + s.size[i];
    if (std::any_of(end, bytes.data() + align(s.begin[i] + s.size[i]), [](char c) { return c; })) {
      fail(name, std::string("the padding behind its ") + section_names[i] + " is not zero");
    }
  }
}

void write_sections(const std::filesystem::path& path, BinaryHeader& header,
                    const std::array<const void*, num_binary_sections>& data, int threads) {
  constexpr std::array<char, binary_alignment> padding{};
  const BinarySections s = locate_sections(header);
  for (std::size_t i = 0; i < num_binary_sections; ++i) {
    header.checksums[i] = checksum(static_cast<const char*>(data[i]), s.size[i], threads);
  }
  header.header_checksum = header_checksum(header);
  OutputFile file(path);
  file.write(&header, sizeof(header));
  for (std::size_t i = 0; i < num_binary_sections; ++i) {
    file.write(data[i], s.size[i]);
    file.write(padding.data(), align(s.size[i]) - s.size[i]);
  }
  file.commit();
}

std::uint32_t checksum(const char* data, std::size_t size, int threads) {
  constexpr std::size_t piece = std::size_t{4} << 20U;
  const std::size_t count = (size + piece - 1) / piece;
  std::vector<uLong> parts(count);
  const auto length = [&](std::size_t i) { return std::min(piece, size - i * piece); };
  for_each_task(threads, count, [&](std::size_t i) {
    parts[i] = crc32_z(0, reinterpret_cast<const Bytef*>(data + i * piece), length(i));
  });
  uLong total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    total = crc32_combine(total, parts[i], static_cast<z_off_t>(length(i)));
  }
  return static_cast<std::uint32_t>(total);
}

bool is_binary(const FileBytes& bytes) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.data());
}

MatrixMarketHeader parse_binary_header(const FileBytes& bytes, const std::string& name) {
  const BinaryHeader binary = read_binary_header(bytes, name);
  MatrixMarketHeader header;
  header.num_rows = binary.num_rows;
  header.num_cols = binary.num_cols;
  header.num_entries = binary.num_entries;
  header.has_rhs = binary.rhs_columns > 0;
  header.has_solution = binary.solution_columns > 0;
  return header;
}

}  // namespace tessera::detail
