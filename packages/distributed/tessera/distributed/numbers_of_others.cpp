// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/numbers_of_others.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <Kokkos_Sort.hpp>

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

/// How many numbers are other processes'; they are written to `found` where that has room.
template <class Space>
std::size_t find_others(const Space& exec, const ArrayView<const std::int64_t, Space>& numbers,
                        std::int64_t first, Ordinal own,
                        const ArrayView<std::int64_t, Space>& found) {
  const bool counts = found.extent(0) == 0;
  std::int64_t count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::numbers_of_others",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, numbers.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, std::int64_t& place, const bool is_last) {
        const std::int64_t number = numbers(e);
        if (number < 0 || (number >= first && number < first + own)) return;
        if (is_last && !counts) found(place) = number;
        ++place;
      },
      count);
  exec.fence("tessera::distributed::numbers_of_others");
  return static_cast<std::size_t>(count);
}

template <class Space>
void sort_numbers(const Space& exec, const Array<std::int64_t, Space>& numbers) {
  if constexpr (kernels::is_host_space<Space>) {
    std::sort(numbers.data(), numbers.data() + numbers.extent(0));
  } else {
    Kokkos::sort(exec, numbers);
  }
}

/// Each of sorted numbers once.
template <class Space>
Array<std::int64_t, Space> once_each(const Space& exec,
                                     const Array<const std::int64_t, Space>& sorted) {
  const auto distinct =
      allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others", sorted.extent(0));
  std::int64_t count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::numbers_of_others::once",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, sorted.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, std::int64_t& place, const bool is_last) {
        if (e > 0 && sorted(e) == sorted(e - 1)) return;
        if (is_last) distinct(place) = sorted(e);
        ++place;
      },
      count);
  exec.fence("tessera::distributed::numbers_of_others");
  return Kokkos::subview(distinct, std::make_pair(std::size_t(0), static_cast<std::size_t>(count)));
}

}  // namespace

template <class Space>
std::vector<std::int64_t> numbers_of_others(const Space& exec,
                                            const ArrayView<const std::int64_t, Space>& numbers,
                                            std::int64_t first, Ordinal own) {
  const auto found = allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others",
                                            find_others<Space>(exec, numbers, first, own, {}));
  if (found.extent(0) > 0) find_others<Space>(exec, numbers, first, own, found);
  if (found.extent(0) == 0) return {};
  sort_numbers(exec, found);
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), once_each<Space>(exec, found));
  return {host.data(), host.data() + host.extent(0)};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbers_of_others)

}  // namespace tessera::distributed
