// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/segments.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::kernels {

template <class Space>
Segments<Space> group_by(const Space& exec,
                         const NonDeduced<ArrayView<const Ordinal, Space>>& group_of,
                         Ordinal num_groups, std::optional<Ordinal> num_members) {
  using Range = Kokkos::RangePolicy<Space>;
  const auto n = static_cast<Ordinal>(group_of.extent(0));
  Segments<Space> result;
  // One allocation for both, as each makes a GPU wait.
  const std::size_t groups = num_groups;
  const auto memory = allocate<Ordinal>(exec, "tessera::group_by::offsets", 2 * groups + 1);
  result.offsets = Kokkos::subview(memory, Kokkos::make_pair(std::size_t(0), groups + 1));
  const auto next = Kokkos::subview(memory, Kokkos::make_pair(groups + 1, 2 * groups + 1));
  const auto offsets = result.offsets;
  Kokkos::deep_copy(exec, offsets, 0);
  Kokkos::parallel_for(
      "tessera::group_by::count", Range(exec, 0, n), KOKKOS_LAMBDA(const Ordinal i) {
        if (group_of(i) >= 0) Kokkos::atomic_inc(&offsets(group_of(i)));
      });
  std::size_t total = 0;
  if (num_members) {
    total = *num_members;
    counts_to_offsets_async<Ordinal, Space>(exec, offsets);
  } else {
    total = counts_to_offsets<Ordinal, Space>(exec, offsets);
  }
  result.members = allocate<Ordinal>(exec, "tessera::group_by::members", total);
  auto members = result.members;
  Kokkos::deep_copy(exec, next, Kokkos::subview(offsets, Kokkos::make_pair(0, num_groups)));
  Kokkos::parallel_for(
      "tessera::group_by::fill", Range(exec, 0, n), KOKKOS_LAMBDA(const Ordinal i) {
        if (group_of(i) >= 0) members(Kokkos::atomic_fetch_add(&next(group_of(i)), 1)) = i;
      });
  Kokkos::parallel_for(
      "tessera::group_by::sort", Range(exec, 0, num_groups), KOKKOS_LAMBDA(const Ordinal g) {
        sort_ascending(members.data() + offsets(g), offsets(g + 1) - offsets(g));
      });
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, group_by)

}  // namespace tessera::kernels
