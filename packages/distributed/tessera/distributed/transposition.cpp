// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/transposition.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"

#include <utility>

namespace tessera::distributed {

template <class Space>
auto Transposition<Space>::make(const Space& exec, const Matrix<Space>& A) -> const Matrix<Space>& {
  RowExchange<Space> back;
  on_all_processes(*A.processes, [&] {
    m_part = kernels::transpose(exec, A.rows.view());
    back = RowExchange<Space>(A.halo, RowExchange<Space>::Direction::backward);
  });
  ColumnNumbers<Space> numbers(A.row_shares->first(), A.rows.num_rows);
  const LocalRows<Space>& rows =
      m_sums.make(exec, m_part, A.num_own_columns(), std::move(back), numbers);
  m_transpose = matrix_of(exec, A.processes, rows, A.column_shares, A.row_shares, numbers);
  return m_transpose;
}

template <class Space>
auto Transposition<Space>::remake(const Space& exec, const Matrix<Space>& A)
    -> const Matrix<Space>& {
  on_all_processes(*A.processes, [&] {
    const auto transposed = kernels::transpose(exec, A.rows.view());
    Kokkos::deep_copy(exec, m_part.values, transposed.values);
    exec.fence("tessera::distributed::Transposition");
  });
  m_sums.remake(exec, m_part);
  return m_transpose;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Transposition)

}  // namespace tessera::distributed
