// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The layout of Tessera's binary format, version 1; told in words in docs/formats.md.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

enum class BinarySection { offsets, columns, values, rhs, solution };
inline constexpr std::size_t num_binary_sections = 5;
inline constexpr std::size_t binary_alignment = 64;

/// The head of the file, as it lies there.
struct BinaryHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;  ///< 0x01020304, in the writer's byte order
  std::uint8_t scalar_width;  ///< 4: float; 8: double
  std::uint8_t offset_width;  ///< 4 or 8
  std::uint8_t column_width;  ///< 4
  std::uint8_t flags;  ///< 0
  std::uint32_t rhs_columns;  ///< 0: no right-hand side
  std::int64_t num_rows;
  std::int64_t num_cols;
  std::int64_t num_entries;
  std::uint32_t solution_columns;  ///< 0: no solution
  std::array<std::uint32_t, num_binary_sections> checksums;  ///< CRC-32 of each section
  std::array<std::uint8_t, 52> reserved;  ///< 0
  std::uint32_t header_checksum;  ///< CRC-32 of all bytes before this one
};
static_assert(sizeof(BinaryHeader) == 2 * binary_alignment);

/// Where the sections stand, from the header's sizes alone.
struct BinarySections {
  std::array<std::size_t, num_binary_sections> begin{};
  std::array<std::size_t, num_binary_sections> size{};
  std::size_t file_size = 0;
};

/// A header for these sizes, checksums of the sections not yet filled in.
BinaryHeader make_binary_header(std::size_t scalar_width, std::size_t offset_width,
                                std::int64_t num_rows, std::int64_t num_cols,
                                std::int64_t num_entries, std::size_t rhs_columns,
                                std::size_t solution_columns);

BinarySections locate_sections(const BinaryHeader& header);

/// True where the bytes start as Tessera's binary format does.
bool is_binary(const FileBytes& bytes);

/// The sizes in the head of a binary file. Throws `Error(bad_input)`.
MatrixMarketHeader parse_binary_header(const FileBytes& bytes, const std::string& name);

/// Reads and checks the header. Throws `Error(bad_input)`.
BinaryHeader read_binary_header(const FileBytes& bytes, const std::string& name);

/// Checks the file's length and each section's checksum. Throws `Error(bad_input)`.
void check_sections(const FileBytes& bytes, const std::string& name, const BinaryHeader& header,
                    int threads);

/// Fills in all checksums and writes the file; `data` of the sections in their order.
void write_sections(const std::filesystem::path& path, BinaryHeader& header,
                    const std::array<const void*, num_binary_sections>& data, int threads);

/// CRC-32 (of zlib), by several threads.
std::uint32_t checksum(const char* data, std::size_t size, int threads);

}  // namespace tessera::detail
