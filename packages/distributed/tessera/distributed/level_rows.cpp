// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

/// Own columns keep their numbers, and others behind them have those given.
template <class Space>
void own_columns_and(const Space& exec, Ordinal own, const Array<Ordinal, Space>& others,
                     const Array<Ordinal, Space>& columns) {
  Kokkos::parallel_for(
      "tessera::distributed::level_transpose",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(columns.extent(0))),
      KOKKOS_LAMBDA(const Ordinal c) { columns(c) = c < own ? c : others(c - own); });
  exec.fence("tessera::distributed::level_transpose");
}

}  // namespace

template <class Space>
LevelRows<Space> level_rows(const Matrix<Space>& A, int block_size) {
  Exchange<double, Space> halo(A.halo);
  halo.reserve(1);
  return {A.rows,   block_size,
          halo,     RowExchange<Space>(A.halo, RowExchange<Space>::Direction::forward),
          {},       A.processes,
          A.ghosts, A.column_shares->first(),
          {},       A.given_numbers};
}

template <class Space>
LevelTranspose<Space> level_transpose(const Space& exec, const Matrix<Space>& A,
                                      const Matrix<Space>& At, int block_size) {
  LevelTranspose<Space> result{level_rows(At, block_size), {}, 0};
  const Ordinal own = A.num_own_columns();
  ColumnNumbers<Space> numbers(exec, A.column_shares->first(), own, A.ghosts);
  const auto of_ghosts = numbers.add(exec, At.ghosts);
  result.columns_of_A = allocate<Ordinal>(exec, "tessera::distributed::level_transpose::columns",
                                          static_cast<std::size_t>(own) + of_ghosts.extent(0));
  own_columns_and<Space>(exec, own, of_ghosts, result.columns_of_A);
  result.num_columns = numbers.size();
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_transpose)

}  // namespace tessera::distributed
