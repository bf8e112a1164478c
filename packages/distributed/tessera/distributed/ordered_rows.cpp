// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>

namespace tessera::distributed {
namespace {

/// The columns with those from `from` on, up to `count` of them, put before the first ones.
template <class Space>
LocalRows<Space> with_columns_in_front(const Space& exec, const LocalRows<Space>& rows,
                                       Ordinal from, Ordinal count) {
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::in_order_of_all", rows.num_entries());
  const auto old = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::in_order_of_all",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, rows.num_entries()),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Ordinal j = old(e);
        columns(e) = j < from ? j + count : j < from + count ? j - from : j;
      });
  exec.fence("tessera::distributed::in_order_of_all");
  return {rows.num_rows, rows.num_cols, rows.offsets, columns, rows.values};
}

}  // namespace

template <class Space>
Ordinal num_ghosts_before(const Space& exec, const Matrix<Space>& A) {
  return num_below<Space>(exec, A.ghosts, A.column_shares->first());
}

template <class Space>
LocalRows<Space> in_order_of_all(const Space& exec, const LocalRows<Space>& rows, Ordinal num_own,
                                 Ordinal num_before) {
  if (rows.num_rows == 0) return rows;
  const auto numbered = with_columns_in_front(exec, rows, num_own, num_before);
  const auto sorted = kernels::sort_rows(exec, numbered.view());
  // The way back puts the first `num_own` of what is behind those in front again.
  return with_columns_in_front(exec, sorted, num_before, num_own);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, num_ghosts_before)
#define TESSERA_INSTANTIATE_ORDERED(Space)                                                         \
  template LocalRows<Space> in_order_of_all<Space>(const Space&, const LocalRows<Space>&, Ordinal, \
                                                   Ordinal);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_ORDERED)
#undef TESSERA_INSTANTIATE_ORDERED

}  // namespace tessera::distributed
