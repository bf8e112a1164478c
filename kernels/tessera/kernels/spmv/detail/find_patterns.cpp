// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/detail/find_patterns.hpp"

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// The most places of the table that a row looks at.
inline constexpr int max_probes = 32;

/// Rows that are looked at before all others. They fill the table's places, which threads that come
/// all at once would queue for, and tell whether the rest is worth a look.
inline constexpr Ordinal sampled_rows = 2048;

/// Entries of `ColumnPatterns::search`: a place each, and two counts.
template <class Space>
inline constexpr int search_length = ColumnPatterns<Space>::most + 2;

/// What a place holds: 0 while it is free, else its row's number plus one, and the hash above that.
KOKKOS_INLINE_FUNCTION std::uint64_t place_content(Ordinal row, std::uint32_t hash) {
  return (static_cast<std::uint64_t>(hash) << 32) + static_cast<std::uint32_t>(row) + 1;
}
KOKKOS_INLINE_FUNCTION Ordinal row_in(std::uint64_t content) {
  return static_cast<Ordinal>(static_cast<std::uint32_t>(content) - 1);
}

/// The pattern of each row, or of the sampled ones, by one thread per row.
template <class Space, class Offset>
struct SearchPatterns {
  using Patterns = ColumnPatterns<Space>;

  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<std::uint8_t, Space> pattern_of;
  ArrayView<Ordinal, Space> first_columns;
  std::uint64_t* places;
  std::uint64_t* num_misses;
  std::uint64_t* sampled_misses;
  std::uint64_t max_misses;
  std::uint64_t max_sampled_misses;
  Ordinal distance;  ///< from one row to the next: above 1 for a sample
  bool is_square;

  KOKKOS_FUNCTION void operator()(Ordinal number) const {
    const Ordinal row = number * distance;
    if (load_relaxed(num_misses) > max_misses) return;
    if (distance == 1 && load_relaxed(sampled_misses) > max_sampled_misses) {
      if (row == 0) Kokkos::atomic_add(num_misses, max_misses + 1);
      return;
    }
    const Offset begin = offsets(row);
    const Offset length = offsets(row + 1) - begin;
    if (!is_square) first_columns(row) = base_of(row);
    int place = Patterns::none;
    if (length <= Patterns::longest_row) place = place_of(row, static_cast<int>(length));
    if (place == Patterns::none)
      Kokkos::atomic_add(distance == 1 ? num_misses : sampled_misses, std::uint64_t(1));
    pattern_of(row) = static_cast<std::uint8_t>(place);
  }

 private:
  KOKKOS_INLINE_FUNCTION Ordinal base_of(Ordinal row) const {
    if (is_square) return row;
    const Offset begin = offsets(row);
    return offsets(row + 1) > begin ? columns(begin) : 0;
  }

  KOKKOS_INLINE_FUNCTION int place_of(Ordinal row, int length) const {
    const std::uint32_t hash = hash_of(row, length);
    const std::uint64_t mine = place_content(row, hash);
    int place = static_cast<int>(hash % Patterns::most);
    for (int probe = 0; probe < max_probes; ++probe) {
      std::uint64_t there = load_relaxed(places + place);
      if (there == 0) {
        there = Kokkos::atomic_compare_exchange(places + place, std::uint64_t(0), mine);
        if (there == 0) return place;
      }
      if (there >> 32 == hash && is_like(row, row_in(there), length)) return place;
      place = place + 1 < Patterns::most ? place + 1 : 0;
    }
    return Patterns::none;
  }

  KOKKOS_INLINE_FUNCTION std::uint32_t hash_of(Ordinal row, int length) const {
    const Offset begin = offsets(row);
    const Ordinal base = base_of(row);
    std::uint32_t hash = 0x9e3779b9u * static_cast<std::uint32_t>(length + 1);
    for (int k = 0; k < length; ++k)
      hash = (hash ^ static_cast<std::uint32_t>(columns(begin + k) - base)) * 0x01000193u;
    hash ^= hash >> 16;
    return hash * 0x85ebca6bu;
  }

  /// Without an end at the first difference, so that loads need not wait for each other.
  KOKKOS_INLINE_FUNCTION bool is_like(Ordinal row, Ordinal other, int length) const {
    const Offset begin = offsets(row);
    const Offset other_begin = offsets(other);
    if (offsets(other + 1) - other_begin != length) return false;
    const Ordinal shift = base_of(row) - base_of(other);
    bool alike = true;
    for (int k = 0; k < length; ++k)
      alike = (columns(begin + k) == columns(other_begin + k) + shift) && alike;
    return alike;
  }
};

/// Writes the table, one thread per pattern and entry, and where parts begin.
template <class Space, class Offset>
struct WritePatterns {
  ColumnsOf<Space, Offset> A;
  ColumnPatterns<Space> patterns;
  Ordinal rows_per_part;
  std::int64_t table_steps;

  KOKKOS_FUNCTION void operator()(std::int64_t step) const {
    if (step < table_steps) {
      write_table(static_cast<int>(step / patterns.stride),
                  static_cast<Ordinal>(step % patterns.stride));
    } else {
      const std::int64_t part = step - table_steps;
      const std::int64_t row = part * rows_per_part;
      patterns.part_begins(part) =
          static_cast<std::int32_t>(A.offsets(row < A.num_rows ? row : A.num_rows));
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void write_table(int pattern, Ordinal k) const {
    const std::uint64_t content = patterns.search(pattern);
    const std::int64_t at = static_cast<std::int64_t>(pattern) * patterns.stride + k;
    if (content == 0) {
      patterns.table(at) = 0;
      return;
    }
    const Ordinal row = row_in(content);
    const Offset begin = A.offsets(row);
    const auto length = static_cast<Ordinal>(A.offsets(row + 1) - begin);
    if (k == 0) {
      patterns.table(at) = length;
    } else if (k <= length) {
      const Ordinal base = A.num_rows == A.num_cols ? row : A.columns(begin);
      patterns.table(at) = A.columns(begin + k - 1) - base;
    }
  }
};

/// Counts the rows whose columns are not what their pattern says.
template <class Space, class Offset>
struct CompareColumns {
  ColumnsOf<Space, Offset> A;
  ColumnPatterns<Space> patterns;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& others) const {
    const int pattern = patterns.pattern_of(row);
    if (pattern == ColumnPatterns<Space>::none) return;
    const Ordinal* const at = patterns.table.data() + pattern * patterns.stride;
    const Offset begin = A.offsets(row);
    bool alike = A.offsets(row + 1) - begin == at[0];
    const Ordinal base = A.num_rows == A.num_cols ? row : patterns.first_columns(row);
    for (Ordinal k = 0; alike && k < at[0]; ++k)
      alike = A.columns(begin + k) == base + at[1 + k];
    if (!alike) ++others;
  }
};

/// The arrays of a search, one after the other in one allocation.
template <class Space, class Offset>
ColumnPatterns<Space> allocate_patterns(const Space& exec, const ColumnsOf<Space, Offset>& A,
                                        Ordinal rows_per_part) {
  using Patterns = ColumnPatterns<Space>;
  const std::size_t n = A.num_rows;
  const std::size_t num_bases = A.num_rows == A.num_cols ? 0 : n;
  const std::size_t num_begins = (n + rows_per_part - 1) / rows_per_part + 1;
  const std::size_t table = Patterns::most * (Patterns::longest_row + 1);
  constexpr std::size_t search = search_length<Space>;
  const std::size_t ordinals = table + num_begins + num_bases;
  const std::size_t bytes = ordinals * sizeof(Ordinal) + n;
  Patterns patterns;
  patterns.memory = allocate<std::uint64_t>(exec, "tessera::spmv_patterns",
                                            search + bytes / sizeof(std::uint64_t) + 1);
  patterns.search = ArrayView<std::uint64_t, Space>(patterns.memory.data(), search);
  auto* at = reinterpret_cast<Ordinal*>(patterns.memory.data() + search);
  const auto take = [&](std::size_t length) {
    const ArrayView<Ordinal, Space> taken(at, length);
    at += length;
    return taken;
  };
  patterns.table = take(table);
  patterns.part_begins = take(num_begins);
  patterns.first_columns = take(num_bases);
  patterns.pattern_of = ArrayView<std::uint8_t, Space>(reinterpret_cast<std::uint8_t*>(at), n);
  return patterns;
}

template <class Space, class Offset>
ColumnPatterns<Space> search_patterns(const Space& exec, const ColumnsOf<Space, Offset>& A,
                                      Ordinal rows_per_part, Ordinal max_misses) {
  ColumnPatterns<Space> patterns = allocate_patterns(exec, A, rows_per_part);
  Kokkos::deep_copy(exec, patterns.search, std::uint64_t(0));
  const Ordinal distance = A.num_rows / sampled_rows;
  std::uint64_t* const counts = patterns.search.data() + ColumnPatterns<Space>::most;
  const auto look_at = [&](Ordinal count, Ordinal apart) {
    // Four times the share that is let through: the sample is small.
    const Ordinal max_sampled = max_misses / std::max<Ordinal>(1, distance) * 4;
    Kokkos::parallel_for(
        "tessera::spmv_search_patterns", Kokkos::RangePolicy<Space>(exec, 0, count),
        SearchPatterns<Space, Offset>{
            A.offsets, A.columns, patterns.pattern_of, patterns.first_columns,
            patterns.search.data(), counts, counts + 1, static_cast<std::uint64_t>(max_misses),
            static_cast<std::uint64_t>(max_sampled), apart, A.num_rows == A.num_cols});
  };
  if (distance > 1) look_at(sampled_rows, distance);
  look_at(A.num_rows, 1);
  return patterns;
}

template <class Space, class Offset>
void finish_patterns(const Space& exec, const ColumnsOf<Space, Offset>& A, Ordinal rows_per_part,
                     std::int64_t longest, ColumnPatterns<Space>& patterns) {
  using Patterns = ColumnPatterns<Space>;
  patterns.stride =
      static_cast<Ordinal>(std::min<std::int64_t>(longest, Patterns::longest_row)) + 1;
  const std::int64_t table_steps = static_cast<std::int64_t>(Patterns::most) * patterns.stride;
  const auto parts = static_cast<std::int64_t>(patterns.part_begins.extent(0));
  Kokkos::parallel_for(
      "tessera::spmv_write_patterns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, table_steps + parts),
      WritePatterns<Space, Offset>{A, patterns, rows_per_part, table_steps});
  patterns.found = true;
}

template <class Space, class Offset>
bool are_columns_of(const Space& exec, const ColumnPatterns<Space>& patterns,
                    const ColumnsOf<Space, Offset>& A) {
  Ordinal others = 0;
  Kokkos::parallel_reduce("tessera::spmv_compare_patterns",
                          Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                          CompareColumns<Space, Offset>{A, patterns}, others);
  return others == 0;
}

#define TESSERA_INSTANTIATE_OFFSET(Space, Offset)                                               \
  template ColumnPatterns<Space> search_patterns(const Space&, const ColumnsOf<Space, Offset>&, \
                                                 Ordinal, Ordinal);                             \
  template void finish_patterns(const Space&, const ColumnsOf<Space, Offset>&, Ordinal,         \
                                std::int64_t, ColumnPatterns<Space>&);                          \
  template bool are_columns_of(const Space&, const ColumnPatterns<Space>&,                      \
                               const ColumnsOf<Space, Offset>&);
#define TESSERA_INSTANTIATE(Space)                \
  TESSERA_INSTANTIATE_OFFSET(Space, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(Space, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels::detail
