// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/numbers_of_others.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

template <class Space>
using Numbers = ArrayView<const std::int64_t, Space>;

struct IsOfOthers {
  std::int64_t first;
  Ordinal own;
  KOKKOS_FUNCTION bool operator()(std::int64_t number) const {
    return number >= 0 && (number < first || number >= first + own);
  }
};

/// Counts by chunks, of which most have none: only the others are looked at again.
template <class Space>
Array<std::int64_t, Space> found_on_host(const Space& exec, const Numbers<Space>& numbers,
                                         const IsOfOthers& is_of_others) {
  constexpr std::size_t numbers_per_chunk = 1024;
  const std::size_t all = numbers.extent(0);
  const std::size_t num_chunks = (all + numbers_per_chunk - 1) / numbers_per_chunk;
  const auto end_of = [=](std::size_t chunk) {
    return std::min(all, (chunk + 1) * numbers_per_chunk);
  };
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>> chunks(exec, 0, num_chunks);
  const auto offsets =
      allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others", num_chunks + 1);
  Kokkos::parallel_for("tessera::distributed::numbers_of_others::count", chunks,
                       [=](const std::size_t chunk) {
                         std::int64_t count = 0;
                         for (std::size_t e = chunk * numbers_per_chunk; e < end_of(chunk); ++e)
                           count += is_of_others(numbers(e)) ? 1 : 0;
                         offsets(chunk) = count;
                       });
  exec.fence("tessera::distributed::numbers_of_others");
  std::int64_t count = 0;
  for (std::size_t chunk = 0; chunk < num_chunks; ++chunk)
    count += std::exchange(offsets(chunk), count);
  offsets(num_chunks) = count;
  const auto found = allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others",
                                            static_cast<std::size_t>(count));
  if (count == 0) return found;
  Kokkos::parallel_for("tessera::distributed::numbers_of_others::fill", chunks,
                       [=](const std::size_t chunk) {
                         std::int64_t place = offsets(chunk);
                         if (place == offsets(chunk + 1)) return;
                         for (std::size_t e = chunk * numbers_per_chunk; e < end_of(chunk); ++e)
                           if (is_of_others(numbers(e))) found(place++) = numbers(e);
                       });
  exec.fence("tessera::distributed::numbers_of_others");
  return found;
}

/// How many numbers are other processes'; they are written to `found` where that has room.
template <class Space>
std::size_t find_others(const Space& exec, const Numbers<Space>& numbers,
                        const IsOfOthers& is_of_others,
                        const ArrayView<std::int64_t, Space>& found) {
  const bool counts = found.extent(0) == 0;
  std::int64_t count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::numbers_of_others",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, numbers.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, std::int64_t& place, const bool is_last) {
        const std::int64_t number = numbers(e);
        if (!is_of_others(number)) return;
        if (is_last && !counts) found(place) = number;
        ++place;
      },
      count);
  exec.fence("tessera::distributed::numbers_of_others");
  return static_cast<std::size_t>(count);
}

template <class Space>
Array<std::int64_t, Space> found_others(const Space& exec, const Numbers<Space>& numbers,
                                        const IsOfOthers& is_of_others) {
  if constexpr (kernels::is_host_space<Space>) {
    return found_on_host<Space>(exec, numbers, is_of_others);
  } else {
    const auto found = allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others",
                                              find_others<Space>(exec, numbers, is_of_others, {}));
    if (found.extent(0) > 0) find_others<Space>(exec, numbers, is_of_others, found);
    return found;
  }
}

}  // namespace

template <class Space>
GlobalNumbers<Space> numbers_of_others(const Space& exec,
                                       const ArrayView<const std::int64_t, Space>& numbers,
                                       std::int64_t first, Ordinal own) {
  return sorted_once<Space>(exec, found_others<Space>(exec, numbers, {first, own}));
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbers_of_others)

}  // namespace tessera::distributed
