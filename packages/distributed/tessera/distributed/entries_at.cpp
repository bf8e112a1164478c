// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/entries_at.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstdint>

namespace tessera::distributed {

template <class T, class Space>
std::vector<T> entries_at(const Space& exec, const ArrayView<const T, Space>& list,
                          const std::vector<Ordinal>& places) {
  if constexpr (kernels::is_host_space<Space>) {
    exec.fence("tessera::distributed::entries_at");
    std::vector<T> found;
    found.reserve(places.size());
    for (const Ordinal place : places)
      found.push_back(list(place));
    return found;
  } else {
    const auto at = from_host(exec, places);
    const auto found = allocate<T>(exec, "tessera::distributed::entries_at", places.size());
    Kokkos::parallel_for(
        "tessera::distributed::entries_at",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(places.size())),
        KOKKOS_LAMBDA(const Ordinal i) { found(i) = list(at(i)); });
    return to_host(exec, found);
  }
}

#define TESSERA_INSTANTIATE_ENTRIES(Space)                                                       \
  template std::vector<Ordinal> entries_at(const Space&, const ArrayView<const Ordinal, Space>&, \
                                           const std::vector<Ordinal>&);                         \
  template std::vector<std::int64_t> entries_at(                                                 \
      const Space&, const ArrayView<const std::int64_t, Space>&, const std::vector<Ordinal>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_ENTRIES)
#undef TESSERA_INSTANTIATE_ENTRIES

}  // namespace tessera::distributed
