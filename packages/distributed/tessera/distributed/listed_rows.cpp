// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/listed_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

using Offset = std::int64_t;

template <class Space>
void list_lengths(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
                  const ArrayView<const Offset, Space>& offsets,
                  const ArrayView<Offset, Space>& lengths) {
  Kokkos::parallel_for(
      "tessera::distributed::listed_lengths",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) { lengths(r) = offsets(rows(r) + 1) - offsets(rows(r)); });
}

template <class Space>
Array<Offset, Space> listed_lengths(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
                                    const ArrayView<const Offset, Space>& offsets) {
  const auto lengths =
      allocate<Offset>(exec, "tessera::distributed::listed_lengths", rows.extent(0));
  list_lengths<Space>(exec, rows, offsets, lengths);
  return lengths;
}

template <class Space>
Array<Offset, Space> starts_of(const Space& exec, const ArrayView<const Offset, Space>& lengths) {
  const auto count = static_cast<Ordinal>(lengths.extent(0));
  const auto starts = allocate<Offset>(exec, "tessera::distributed::starts_of",
                                       static_cast<std::size_t>(count) + 1);
  Kokkos::parallel_scan(
      "tessera::distributed::starts_of", Kokkos::RangePolicy<Space>(exec, 0, count + 1),
      KOKKOS_LAMBDA(const Ordinal r, Offset& sum, const bool is_last) {
        if (is_last) starts(r) = sum;
        if (r < count) sum += lengths(r);
      });
  return starts;
}

template <class T, class Space>
void pack_rows(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
               const ArrayView<const Offset, Space>& offsets,
               const ArrayView<const T, Space>& entries, const Array<Offset, Space>& starts,
               const ArrayView<T, Space>& packed) {
  Kokkos::parallel_for(
      "tessera::distributed::pack_rows",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const Offset first = offsets(rows(r));
        const Offset length = offsets(rows(r) + 1) - first;
        for (Offset e = 0; e < length; ++e)
          packed(starts(r) + e) = entries(first + e);
      });
  exec.fence("tessera::distributed::pack_rows");
}

template <class Space>
LocalRows<Space> listed_rows(const Space& exec, const LocalRows<Space>& rows,
                             const ArrayView<const Ordinal, Space>& list) {
  const auto starts = starts_of<Space>(exec, listed_lengths<Space>(exec, list, rows.offsets));
  Offset total = 0;
  Kokkos::deep_copy(exec, total, Kokkos::subview(starts, list.extent(0)));
  exec.fence("tessera::distributed::listed_rows");
  const auto size = static_cast<std::size_t>(total);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::listed_rows", size);
  const auto values = allocate<double>(exec, "tessera::distributed::listed_rows", size);
  pack_rows<Ordinal, Space>(exec, list, rows.offsets, rows.columns, starts, columns);
  pack_rows<double, Space>(exec, list, rows.offsets, rows.values, starts, values);
  return {static_cast<Ordinal>(list.extent(0)), rows.num_cols, starts, columns, values};
}

#define TESSERA_INSTANTIATE_LISTED(Space)                                                       \
  template void list_lengths(const Space&, const ArrayView<const Ordinal, Space>&,              \
                             const ArrayView<const Offset, Space>&,                             \
                             const ArrayView<Offset, Space>&);                                  \
  template Array<Offset, Space> listed_lengths(const Space&,                                    \
                                               const ArrayView<const Ordinal, Space>&,          \
                                               const ArrayView<const Offset, Space>&);          \
  template Array<Offset, Space> starts_of(const Space&, const ArrayView<const Offset, Space>&); \
  template void pack_rows(const Space&, const ArrayView<const Ordinal, Space>&,                 \
                          const ArrayView<const Offset, Space>&,                                \
                          const ArrayView<const Ordinal, Space>&, const Array<Offset, Space>&,  \
                          const ArrayView<Ordinal, Space>&);                                    \
  template void pack_rows(const Space&, const ArrayView<const Ordinal, Space>&,                 \
                          const ArrayView<const Offset, Space>&,                                \
                          const ArrayView<const double, Space>&, const Array<Offset, Space>&,   \
                          const ArrayView<double, Space>&);                                     \
  template LocalRows<Space> listed_rows(const Space&, const LocalRows<Space>&,                  \
                                        const ArrayView<const Ordinal, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_LISTED)
#undef TESSERA_INSTANTIATE_LISTED

}  // namespace tessera::distributed
