// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <map>
#include <numeric>

namespace tessera::distributed {

template <class Space>
LevelRows<Space> level_rows(const Matrix<Space>& A, int block_size) {
  return {A.rows,
          block_size,
          Exchange<double, Space>(A.halo),
          RowExchange<Space>(A.halo, RowExchange<Space>::Direction::forward),
          {},
          A.processes,
          A.ghosts,
          A.column_shares->first()};
}

template <class Space>
LevelTranspose<Space> level_transpose(const Matrix<Space>& A, const Matrix<Space>& At,
                                      int block_size) {
  LevelTranspose<Space> result{level_rows(At, block_size), {}, 0};
  const Ordinal own = A.num_own_columns();
  std::map<Partition::Global, Ordinal> number;
  Ordinal next = own;
  for (const auto ghost : A.ghosts)
    number.emplace(ghost, next++);
  result.columns_of_A.resize(static_cast<std::size_t>(own));
  std::iota(result.columns_of_A.begin(), result.columns_of_A.end(), 0);
  for (const auto ghost : At.ghosts) {
    const auto [place, is_new] = number.emplace(ghost, next);
    if (is_new) ++next;
    result.columns_of_A.push_back(place->second);
  }
  result.num_columns = next;
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_transpose)

}  // namespace tessera::distributed
