// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/block_jacobi.hpp"

#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/full_blocks.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/operator/jacobi_preconditioner.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <algorithm>

namespace tessera::distributed {
namespace {

/// The square matrix of own rows and columns from `first` on, `count` of them.
template <class Space>
LocalRows<Space> block_between(const Space& exec, const Matrix<Space>& A, Ordinal first,
                               Ordinal count) {
  if (count == A.rows.num_cols) return A.rows;
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::BlockJacobi",
                                         static_cast<std::size_t>(A.rows.num_cols));
  Kokkos::parallel_for(
      "tessera::distributed::BlockJacobi", Kokkos::RangePolicy<Space>(exec, 0, A.rows.num_cols),
      KOKKOS_LAMBDA(const Ordinal j) {
        numbers(j) = j >= first && j < first + count ? j - first : -1;
      });
  LocalRows<Space> rows = kept_columns(exec, A.rows.view(), numbers, count);
  rows.num_rows = count;
  rows.offsets = Kokkos::subview(
      rows.offsets,
      std::make_pair(static_cast<std::size_t>(first), static_cast<std::size_t>(first) + count + 1));
  return rows;
}

}  // namespace

template <class Space>
BlockJacobi<Space>::BlockJacobi(const Space& exec, const Matrix<Space>& A, int block_rows)
    : m_block_rows(block_rows),
      m_is_divided(DividedBlocks<Space>::are_there(*A.row_shares, block_rows)) {
  if (m_is_divided) m_divided = DividedBlocks<Space>(exec, A, block_rows);
  Ordinal singular = 0;
  on_all_processes(*A.processes, [&] {
    const Ordinal count = A.rows.num_rows - m_divided.num_first() - m_divided.num_last();
    if (count == 0) return;
    const auto rows = block_between(exec, A, m_divided.num_first(), count);
    m_whole = kernels::inverse_blocks(exec, rows.view(), block_rows, &singular);
    exec.fence("tessera::distributed::BlockJacobi");
  });
  m_num_singular =
      A.processes->sum_of(static_cast<std::int64_t>(singular) + m_divided.num_singular());
}

template <class Space>
std::string BlockJacobi<Space>::note() const {
  return singular_blocks_note(m_num_singular);
}

template <class Space>
void BlockJacobi<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  const auto first = static_cast<std::size_t>(m_divided.num_first());
  const std::size_t end = r.extent(0) - static_cast<std::size_t>(m_divided.num_last());
  const auto whole = std::make_pair(first, end);
  if (first < end)
    kernels::multiply_blocks<double, Space>(exec, m_whole, m_block_rows,
                                            ConstVectors(Kokkos::subview(r, whole, Kokkos::ALL)),
                                            Vectors(Kokkos::subview(z, whole, Kokkos::ALL)));
  if (m_is_divided) m_divided.apply(exec, r, z);
}

template <class Space>
int rows_of_blocks(const Space& exec, const Matrix<Space>& A, int asked, int block_size) {
  if (asked > 0) return asked;
  const int full = block_size == 0 ? find_full_blocks(exec, A) : 1;
  if (full > 1) return full;
  const int nodes = agreed_block_size(exec, A, block_size);
  return nodes > 1 ? std::min(nodes, kernels::max_block_rows) : rules::rows_of_open_blocks.value;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, BlockJacobi)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_of_blocks)

}  // namespace tessera::distributed
