// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::distributed {

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
LevelTranspose<Space> level_transpose(const Matrix<Space>& A, const Matrix<Space>& At,
                                      int block_size) {
  LevelTranspose<Space> result{level_rows(At, block_size), {}, 0};
  const Ordinal own = A.num_own_columns();
  std::vector<std::pair<Partition::Global, Ordinal>> number;
  number.reserve(A.ghosts.size());
  Ordinal next = own;
  for (const auto ghost : A.ghosts)
    number.emplace_back(ghost, next++);
  if (!std::ranges::is_sorted(number)) std::ranges::sort(number);
  result.columns_of_A.resize(static_cast<std::size_t>(own) + At.ghosts.size());
  const auto of_ghosts = result.columns_of_A.begin() + own;
  std::iota(result.columns_of_A.begin(), of_ghosts, 0);
  // Those of A^T ascend.
  std::ranges::transform(At.ghosts, of_ghosts, [&, known = number.begin()](auto ghost) mutable {
    while (known != number.end() && known->first < ghost)
      ++known;
    return known != number.end() && known->first == ghost ? known->second : next++;
  });
  result.num_columns = next;
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, level_transpose)

}  // namespace tessera::distributed
