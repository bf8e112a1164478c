// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/pattern_hash.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

/// A number and its place, twice.
struct TwoSums {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  KOKKOS_FUNCTION void add(std::uint64_t place, std::uint64_t number) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    const std::uint64_t once = scrambled((place + 1) * golden ^ number);
    first += once;
    second += scrambled(once + number * golden);
  }
};

template <class List>
struct HashList {
  List list;
  KOKKOS_FUNCTION void operator()(std::size_t e, std::uint64_t& first,
                                  std::uint64_t& second) const {
    TwoSums sums;
    sums.add(e, static_cast<std::uint64_t>(list(e)));
    first += sums.first;
    second += sums.second;
  }
};

template <class Space>
struct HashCouplings {
  kernels::CsrView<double, Space, std::int64_t> rows;
  KOKKOS_FUNCTION void operator()(const Ordinal i, std::uint64_t& first, std::uint64_t& second,
                                  std::uint64_t& count) const {
    TwoSums sums;
    for (std::int64_t e = rows.offsets(i); e < rows.offsets(i + 1); ++e) {
      if (rows.values(e) == 0) continue;
      sums.add(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(rows.columns(e)));
      ++count;
    }
    first += sums.first;
    second += sums.second;
  }
};

template <class Space, class List>
TwoSums hash_of(const Space& exec, const List& list) {
  TwoSums sums;
  Kokkos::parallel_reduce(
      "tessera::distributed::pattern_hash",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, list.extent(0)),
      HashList<List>{list}, sums.first, sums.second);
  exec.fence("tessera::distributed::pattern_hash");
  return sums;
}

}  // namespace

template <class Space>
PatternHash pattern_hash(const Space& exec,
                         const kernels::CsrView<double, Space, std::int64_t>& rows) {
  const TwoSums offsets = hash_of(exec, rows.offsets);
  const TwoSums columns = hash_of(exec, rows.columns);
  return {rows.num_rows, rows.num_cols, rows.num_entries, scrambled(offsets.first) + columns.first,
          scrambled(offsets.second) + columns.second};
}

PatternHash pattern_hash(const HostArray<std::int64_t>& numbers) {
  TwoSums sums;
  for (std::size_t i = 0; i < numbers.extent(0); ++i)
    sums.add(i, static_cast<std::uint64_t>(numbers(i)));
  return {0, 0, numbers.extent(0), sums.first, sums.second};
}

template <class Space>
PatternHash coupling_hash(const Space& exec,
                          const kernels::CsrView<double, Space, std::int64_t>& rows) {
  std::uint64_t first = 0, second = 0, count = 0;
  Kokkos::parallel_reduce("tessera::distributed::coupling_hash",
                          Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows),
                          HashCouplings<Space>{rows}, first, second, count);
  exec.fence("tessera::distributed::coupling_hash");
  return {rows.num_rows, rows.num_cols, static_cast<std::size_t>(count), first, second};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, pattern_hash)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, coupling_hash)

}  // namespace tessera::distributed
