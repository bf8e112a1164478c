// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tile rows of B that a thread has expanded last.
#pragma once

#include "tessera/kernels/spgemm/mbsr/detail/tile_columns.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

namespace tessera::kernels::spgemm_detail {

/// How many sets of lines a thread keeps, and how many lines, of one tile row each, a set has.
struct ExpandedRowCacheShape {
  static constexpr int ways = 4;
  /// Numbers of a set beside those of its lines: the tile row in each line, and the line to go
  /// next.
  static constexpr int header = ways + 1;

  std::size_t longest;  ///< the most tiles of a tile row of B
  unsigned last_set = 0;

  /// As many sets as 1 MiB holds, a power of two, one at least: about a second-level cache.
  explicit ExpandedRowCacheShape(Ordinal longest_row) : longest(longest_row) {
    const std::size_t set_bytes =
        std::size_t{ways} * tile_places * (sizeof(double) + sizeof(Ordinal)) * longest;
    while (last_set < 255 && 2 * (std::size_t{last_set} + 1) * set_bytes <= (std::size_t(1) << 20))
      last_set = 2 * last_set + 1;
  }

  std::size_t line_numbers() const { return tile_size + tile_size * longest; }
  std::size_t set_numbers() const { return header + ways * line_numbers(); }
  /// Numbers, and values, for each thread.
  std::size_t num_numbers() const { return (last_set + 1) * set_numbers(); }
  std::size_t num_values() const {
    return (std::size_t{last_set} + 1) * ways * tile_places * longest;
  }
};

/// A tile row of B may lie in any line of one set.
template <class Scalar>
class ExpandedRowCache {
 public:
  /// Empty, in a thread's workspace: `numbers` and `values` of `shape`'s sizes.
  ExpandedRowCache(const ExpandedRowCacheShape& shape, Ordinal* numbers, Scalar* values)
      : m_shape(shape), m_numbers(numbers), m_values(values) {
    for (std::size_t set = 0; set <= m_shape.last_set; ++set) {
      std::fill_n(m_numbers + set * m_shape.set_numbers(), ExpandedRowCacheShape::ways, -1);
      m_numbers[set * m_shape.set_numbers() + ExpandedRowCacheShape::ways] = 0;
    }
  }

  /// Tile row `row` of B, valid until the next call.
  template <class Storage, class Space>
  ExpandedRows<Scalar> rows(const MbsrView<Storage, Space>& B, Ordinal row) const {
    // Multiplied, so that tile rows a plane of a grid apart do not share a set.
    const std::size_t set =
        (static_cast<std::uint32_t>(row) * 2654435769u >> 16) & m_shape.last_set;
    Ordinal* const numbers = m_numbers + set * m_shape.set_numbers();
    for (int way = 0; way < ExpandedRowCacheShape::ways; ++way)
      if (numbers[way] == row) return line(set, way);
    Ordinal& next = numbers[ExpandedRowCacheShape::ways];
    const int way = next;
    next = (next + 1) % ExpandedRowCacheShape::ways;
    numbers[way] = row;
    const ExpandedRows<Scalar> result = line(set, way);
    const std::int32_t first = B.tile_offsets(row);
    result.load(B.tile_offsets(row + 1) - first, B.tile_columns.data() + first,
                B.maps.data() + first, values_of_row(B, row), B.layout == TileLayout::packed);
    return result;
  }

 private:
  ExpandedRows<Scalar> line(std::size_t set, int way) const {
    Ordinal* const numbers = m_numbers + set * m_shape.set_numbers() +
                             ExpandedRowCacheShape::header + way * m_shape.line_numbers();
    Scalar* const values =
        m_values + (set * ExpandedRowCacheShape::ways + way) * tile_places * m_shape.longest;
    return {numbers, numbers + tile_size, values, m_shape.longest};
  }

  ExpandedRowCacheShape m_shape;
  Ordinal* m_numbers;
  Scalar* m_values;
};

}  // namespace tessera::kernels::spgemm_detail
