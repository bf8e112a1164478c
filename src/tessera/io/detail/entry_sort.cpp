// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Hosts scatter into rows and sort each; devices sort all entries at once by (row, column).
#include "tessera/io/detail/entry_sort.hpp"

#include <Kokkos_Sort.hpp>

#include "tessera/io/detail/sort_rows.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::detail {

template <class Space>
struct CountDisorder {
  EntryList<Space> entries;

  KOKKOS_FUNCTION void operator()(std::size_t e, std::size_t& disorder) const {
    const Ordinal row = entries.rows(e);
    const Ordinal previous = entries.rows(e - 1);
    const bool ordered =
        previous < row || (previous == row && entries.columns(e - 1) < entries.columns(e));
    disorder += ordered ? 0 : 1;
  }
};

template <class Space>
struct CountOffDiagonal {
  EntryList<Space> entries;

  KOKKOS_FUNCTION void operator()(std::size_t e, std::size_t& count) const {
    count += entries.rows(e) != entries.columns(e) ? 1 : 0;
  }
};

// Counts into offsets(row + 1), so that an inclusive scan makes offsets of them. The sums of
// integers do not depend on the atomics' order.
template <class Space, class Offset>
struct CountRows {
  EntryList<Space> entries;
  Array<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    const Ordinal row = entries.rows(e);
    const Ordinal column = entries.columns(e);
    Kokkos::atomic_inc(&offsets(row + 1));
    if (entries.mirrored && row != column) Kokkos::atomic_inc(&offsets(column + 1));
  }
};

template <class Space, class Offset>
struct ScanCounts {
  Array<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(std::size_t i, Offset& sum, bool final) const {
    sum += offsets(i);
    if (final) offsets(i) = sum;
  }
};

template <class Space, class Offset>
struct ScatterEntries {
  EntryList<Space> entries;
  Array<Offset, Space> next;
  SortedEntries<Space, Offset> sorted;

  KOKKOS_FUNCTION void put(Ordinal row, Ordinal column, Offset source) const {
    const Offset k = Kokkos::atomic_fetch_add(&next(row), Offset(1));
    sorted.columns(k) = column;
    sorted.sources(k) = source;
  }

  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    const Ordinal row = entries.rows(e);
    const Ordinal column = entries.columns(e);
    const auto source = static_cast<Offset>(e);
    put(row, column, source);
    if (entries.mirrored && row != column) put(column, row, -1 - source);
  }
};

template <class Space, class Offset>
struct MakeKeys {
  EntryList<Space> entries;
  Array<std::uint64_t, Space> keys;
  Array<Offset, Space> sources;
  Array<std::size_t, Space> next;  ///< of length 1: where the next mirror image goes

  KOKKOS_FUNCTION static std::uint64_t key(Ordinal row, Ordinal column) {
    return (static_cast<std::uint64_t>(row) << 32U) | static_cast<std::uint32_t>(column);
  }

  // Mirror images lie behind the listed entries in any order: the sort makes it a certain one.
  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    const Ordinal row = entries.rows(e);
    const Ordinal column = entries.columns(e);
    keys(e) = key(row, column);
    sources(e) = static_cast<Offset>(e);
    if (entries.mirrored && row != column) {
      const std::size_t k = Kokkos::atomic_fetch_add(&next(0), std::size_t{1});
      keys(k) = key(column, row);
      sources(k) = -1 - static_cast<Offset>(e);
    }
  }
};

// Takes the columns from the keys; the first entry of each run of equal keys orders its run.
template <class Space, class Offset>
struct UnpackKeys {
  Array<std::uint64_t, Space> keys;
  SortedEntries<Space, Offset> sorted;

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    const std::uint64_t key = keys(k);
    sorted.columns(k) = static_cast<Ordinal>(key & 0xffffffffU);
    if (k > 0 && keys(k - 1) == key) return;
    for (std::size_t i = k + 1; i < keys.extent(0) && keys(i) == key; ++i) {
      const Offset source = sorted.sources(i);
      std::size_t j = i;
      for (; j > k && SortRows<Space, Offset>::listed(sorted.sources(j - 1)) >
                          SortRows<Space, Offset>::listed(source);
           --j) {
        sorted.sources(j) = sorted.sources(j - 1);
      }
      sorted.sources(j) = source;
    }
  }
};

template <class Space, class Offset>
void sort_by_row(const Space& exec, const EntryList<Space>& entries,
                 const SortedEntries<Space, Offset>& sorted) {
  const auto next = allocate<Offset>(exec, "tessera::io::next", sorted.offsets.extent(0));
  Kokkos::deep_copy(exec, next, sorted.offsets);
  Kokkos::parallel_for(
      "tessera::io::scatter_entries",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, entries.size()),
      ScatterEntries<Space, Offset>{entries, next, sorted});
  Kokkos::parallel_for(
      "tessera::io::sort_rows",
      Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>>(
          exec, 0, entries.num_rows, Kokkos::ChunkSize(512)),
      SortRows<Space, Offset>{sorted});
}

template <class Space, class Offset>
void sort_by_key(const Space& exec, const EntryList<Space>& entries,
                 const SortedEntries<Space, Offset>& sorted) {
  const std::size_t size = sorted.columns.extent(0);
  const auto keys = allocate<std::uint64_t>(exec, "tessera::io::keys", size);
  const auto next = allocate<std::size_t>(exec, "tessera::io::next", 1);
  Kokkos::deep_copy(exec, next, entries.size());
  Kokkos::parallel_for(
      "tessera::io::make_keys",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, entries.size()),
      MakeKeys<Space, Offset>{entries, keys, sorted.sources, next});
  Kokkos::Experimental::sort_by_key(exec, keys, sorted.sources);
  Kokkos::parallel_for("tessera::io::unpack_keys",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, size),
                       UnpackKeys<Space, Offset>{keys, sorted});
}

template <class Space>
bool is_sorted(const Space& exec, const EntryList<Space>& entries) {
  if (entries.mirrored) return false;
  std::size_t disorder = 0;
  if (entries.size() > 1) {
    Kokkos::parallel_reduce(
        "tessera::io::count_disorder",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 1, entries.size()),
        CountDisorder<Space>{entries}, disorder);
  }
  return disorder == 0;
}

template <class Space>
std::size_t expanded_size(const Space& exec, const EntryList<Space>& entries) {
  if (!entries.mirrored) return entries.size();
  std::size_t off_diagonal = 0;
  Kokkos::parallel_reduce(
      "tessera::io::count_off_diagonal",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, entries.size()),
      CountOffDiagonal<Space>{entries}, off_diagonal);
  return entries.size() + off_diagonal;
}

template <class Space, class Offset>
Array<Offset, Space> row_offsets(const Space& exec, const EntryList<Space>& entries) {
  const std::size_t length = static_cast<std::size_t>(entries.num_rows) + 1;
  const auto offsets = allocate<Offset>(exec, "tessera::io::offsets", length);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  Kokkos::parallel_for(
      "tessera::io::count_rows",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, entries.size()),
      CountRows<Space, Offset>{entries, offsets});
  Kokkos::parallel_scan("tessera::io::scan_rows",
                        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, length),
                        ScanCounts<Space, Offset>{offsets});
  return offsets;
}

template <class Space, class Offset>
SortedEntries<Space, Offset> sort_entries(const Space& exec, const EntryList<Space>& entries,
                                          std::size_t size) {
  const SortedEntries<Space, Offset> sorted{row_offsets<Space, Offset>(exec, entries),
                                            allocate<Ordinal>(exec, "tessera::io::columns", size),
                                            allocate<Offset>(exec, "tessera::io::sources", size)};
  if constexpr (is_host_accessible<Space>) {
    sort_by_row(exec, entries, sorted);
  } else {
    sort_by_key(exec, entries, sorted);
  }
  return sorted;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, row_offsets)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, sort_entries)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, is_sorted)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, expanded_size)

}  // namespace tessera::detail
