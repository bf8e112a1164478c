// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/binary_rows.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/input_file.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera {

namespace {

using detail::BinarySection;

constexpr std::size_t piece_bytes = std::size_t{4} << 20U;

/// The section's bytes of one of `parts` parts.
std::pair<std::size_t, std::size_t> part_of(std::size_t size, int part, int parts) {
  const auto all = static_cast<std::size_t>(parts);
  const auto border = [&](std::size_t p) { return size / all * p + std::min(size % all, p); };
  const auto p = static_cast<std::size_t>(part);
  return {border(p), border(p + 1)};
}

}  // namespace

bool is_binary_file(const std::filesystem::path& path) {
  return detail::is_binary(detail::read_file_start(path, sizeof(detail::BinaryHeader)));
}

class BinaryRows::Impl {
 public:
  explicit Impl(const std::filesystem::path& path)
      : m_name(path.string()),
        m_file(path),
        m_binary(read_header(path)),
        m_sections(detail::locate_sections(m_binary)) {
    if (m_file.size() != m_sections.file_size)
      fail("the header promises a file of " + std::to_string(m_sections.file_size) +
           " bytes, but it has " + std::to_string(m_file.size()));
  }

  const MatrixMarketHeader& header() const { return m_header; }
  std::size_t rhs_columns() const { return m_binary.rhs_columns; }

  std::vector<std::int64_t> offsets(std::int64_t first, std::int64_t count) const {
    const auto begin = static_cast<std::size_t>(first);
    const auto size = static_cast<std::size_t>(count);
    return m_binary.offset_width == 4
               ? read_as<std::int64_t, std::int32_t>(BinarySection::offsets, begin, size)
               : read_as<std::int64_t, std::int64_t>(BinarySection::offsets, begin, size);
  }

  HostCsr rows(std::int64_t first, std::int64_t count) const {
    HostCsr rows;
    if (count == 0) return rows;
    rows.offsets = offsets(first, count + 1);
    const std::int64_t begin = rows.offsets.front();
    const std::int64_t end = rows.offsets.back();
    const bool ends_fit = (first > 0 || begin == 0) &&
                          (first + count < m_header.num_rows || end == m_header.num_entries);
    if (!ends_fit || begin < 0 || end > m_header.num_entries ||
        !std::is_sorted(rows.offsets.begin(), rows.offsets.end()))
      fail("it has row offsets that do not ascend from 0 to the number of entries");
    rows.columns =
        read_as<std::int64_t, std::int32_t>(BinarySection::columns, static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(end - begin));
    rows.values = values(BinarySection::values, static_cast<std::size_t>(begin),
                         static_cast<std::size_t>(end - begin));
    for (std::int64_t& offset : rows.offsets)
      offset -= begin;
    if (std::any_of(rows.columns.begin(), rows.columns.end(),
                    [&](std::int64_t j) { return j < 0 || j >= m_header.num_cols; }))
      fail("it has column numbers that lie outside the matrix");
    return rows;
  }

  std::vector<double> rhs(std::int64_t first, std::int64_t count) const {
    std::vector<double> all;
    for (std::size_t j = 0; j < m_binary.rhs_columns; ++j) {
      const auto begin = j * static_cast<std::size_t>(m_header.num_rows);
      const auto column = values(BinarySection::rhs, begin + static_cast<std::size_t>(first),
                                 static_cast<std::size_t>(count));
      all.insert(all.end(), column.begin(), column.end());
    }
    return all;
  }

  Checksums checksums(int part, int parts) const {
    Checksums sums{};
    std::vector<char> piece(piece_bytes);
    for (std::size_t s = 0; s < sums.size(); ++s) {
      const auto [begin, end] = part_of(m_sections.size[s], part, parts);
      uLong sum = crc32_z(0, nullptr, 0);
      for (std::size_t at = begin; at < end; at += piece.size()) {
        const std::size_t size = std::min(piece.size(), end - at);
        read(m_sections.begin[s] + at, piece.data(), size);
        sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), size);
      }
      sums[s] = static_cast<std::uint32_t>(sum);
    }
    return sums;
  }

  void check(const std::vector<Checksums>& of_parts) const {
    const auto parts = static_cast<int>(of_parts.size());
    for (std::size_t s = 0; s < m_binary.checksums.size(); ++s) {
      uLong sum = crc32_z(0, nullptr, 0);
      for (int p = 0; p < parts; ++p) {
        const auto [begin, end] = part_of(m_sections.size[s], p, parts);
        sum = crc32_combine(sum, of_parts[static_cast<std::size_t>(p)][s],
                            static_cast<z_off_t>(end - begin));
      }
      if (static_cast<std::uint32_t>(sum) != m_binary.checksums[s])
        fail("it is damaged (checksum of section " + std::to_string(s) + ")");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, m_name + ": " + reason);
  }

  detail::BinaryHeader read_header(const std::filesystem::path& path) {
    const auto start = detail::read_file_start(path, sizeof(detail::BinaryHeader));
    if (!detail::is_binary(start)) fail("it is not a binary matrix of Tessera");
    m_header = detail::parse_binary_header(start, m_name);
    return detail::read_binary_header(start, m_name);
  }

  void read(std::size_t at, char* to, std::size_t size) const {
    if (m_file.read_at(at, to, size) != size)
      throw Error(ErrorKind::io, m_name + ": it became shorter while it was read");
  }

  template <class To, class Stored>
  std::vector<To> read_as(BinarySection section, std::size_t first, std::size_t count) const {
    std::vector<Stored> stored(count);
    read(m_sections.begin[static_cast<std::size_t>(section)] + first * sizeof(Stored),
         reinterpret_cast<char*>(stored.data()), count * sizeof(Stored));
    if constexpr (std::is_same_v<To, Stored>)
      return stored;
    else
      return std::vector<To>(stored.begin(), stored.end());
  }

  std::vector<double> values(BinarySection section, std::size_t first, std::size_t count) const {
    auto found = m_binary.scalar_width == 4 ? read_as<double, float>(section, first, count)
                                            : read_as<double, double>(section, first, count);
    if (std::any_of(found.begin(), found.end(), [](double v) { return !std::isfinite(v); }))
      fail("it has values that are not finite numbers");
    return found;
  }

  std::string m_name;
  detail::InputFile m_file;
  MatrixMarketHeader m_header;
  detail::BinaryHeader m_binary;
  detail::BinarySections m_sections;
};

BinaryRows::BinaryRows(const std::filesystem::path& path) : m_impl(std::make_unique<Impl>(path)) {}
BinaryRows::~BinaryRows() = default;

const MatrixMarketHeader& BinaryRows::header() const { return m_impl->header(); }
std::size_t BinaryRows::rhs_columns() const { return m_impl->rhs_columns(); }
std::int64_t BinaryRows::entries_before(std::int64_t row) const {
  return m_impl->offsets(row, 1).front();
}
HostCsr BinaryRows::rows(std::int64_t first, std::int64_t count) const {
  return m_impl->rows(first, count);
}
std::vector<double> BinaryRows::rhs(std::int64_t first, std::int64_t count) const {
  return m_impl->rhs(first, count);
}
auto BinaryRows::checksums(int part, int parts) const -> Checksums {
  return m_impl->checksums(part, parts);
}
void BinaryRows::check(const std::vector<Checksums>& of_parts) const { m_impl->check(of_parts); }

}  // namespace tessera
