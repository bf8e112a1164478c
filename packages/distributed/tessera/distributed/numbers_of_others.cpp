// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/numbers_of_others.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>

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

}  // namespace

template <class Space>
std::vector<std::int64_t> numbers_of_others(const Space& exec,
                                            const ArrayView<const std::int64_t, Space>& numbers,
                                            std::int64_t first, Ordinal own) {
  const auto found = allocate<std::int64_t>(exec, "tessera::distributed::numbers_of_others",
                                            find_others<Space>(exec, numbers, first, own, {}));
  if (found.extent(0) > 0) find_others<Space>(exec, numbers, first, own, found);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  std::vector<std::int64_t> others(host.data(), host.data() + host.extent(0));
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbers_of_others)

}  // namespace tessera::distributed
