// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/level_order.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <string>

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
LevelOrder<Scalar, Space> order_by_levels(const Space& exec,
                                          const TriangleView<Scalar, Space, Offset>& T,
                                          const TriangleLevels<Space>& levels) {
  require(levels.num_rows == T.num_rows, [&] {
    return "levels of " + std::to_string(levels.num_rows) + " rows, expected those of all " +
           std::to_string(T.num_rows) + " rows of the triangle";
  });
  const Ordinal n = T.num_rows;
  LevelOrder<Scalar, Space> order;
  order.num_rows = n;
  order.num_levels = levels.num_levels;
  order.rows = levels.order;
  order.level_offsets = levels.offsets;
  order.offsets = allocate<Ordinal>(exec, "tessera::sptrsv::level_order", n + std::size_t{1});
  const auto lengths = order.offsets;
  const auto rows = order.rows;
  Kokkos::parallel_for(
      "tessera::sptrsv::count_level_order", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal p) {
        lengths(p) = static_cast<Ordinal>(T.end(rows(p)) - T.begin(rows(p)));
      });
  const std::size_t entries =
      counts_to_offsets<Ordinal, Space>(exec, order.offsets, "the triangle by levels");
  order.columns = allocate<Ordinal>(exec, "tessera::sptrsv::level_order", entries);
  order.values = allocate<Scalar>(exec, "tessera::sptrsv::level_order", entries);
  if (!T.has_unit_diagonal())
    order.inverse_diagonal = allocate<Scalar>(exec, "tessera::sptrsv::level_order", n);
  const auto offsets = order.offsets;
  const auto columns = order.columns;
  Kokkos::parallel_for(
      "tessera::sptrsv::columns_by_level", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal p) {
        Offset from = T.begin(rows(p));
        for (Ordinal e = offsets(p); e < offsets(p + 1); ++e, ++from)
          columns(e) = T.columns(from);
      });
  refill(exec, T, order);
  return order;
}

template <class Scalar, class Space, class Offset>
void refill(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
            const LevelOrder<Scalar, Space>& order) {
  Kokkos::parallel_for(
      "tessera::sptrsv::values_by_level", Kokkos::RangePolicy<Space>(exec, 0, order.num_rows),
      KOKKOS_LAMBDA(const Ordinal p) {
        const Ordinal row = order.rows(p);
        Offset from = T.begin(row);
        for (Ordinal e = order.offsets(p); e < order.offsets(p + 1); ++e, ++from)
          order.values(e) = T.values(from);
        if (order.inverse_diagonal.extent(0) > 0)
          order.inverse_diagonal(p) = T.inverse_diagonal(row);
      });
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, order_by_levels)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill)

}  // namespace tessera::kernels
