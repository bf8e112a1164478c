// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/transposition.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <utility>

namespace tessera::distributed {

template <class Space>
auto Transposition<Space>::make(const Space& exec, const Matrix<Space>& A) -> const Matrix<Space>& {
  const Ordinal own = A.num_own_columns();
  on_all_processes(*A.processes, [&] { m_part = kernels::transpose(exec, A.rows.view()); });
  ColumnNumbers numbers(A.row_shares->first(), A.rows.num_rows);
  m_back = RowExchange<Space>(A.halo, RowExchange<Space>::Direction::backward);
  LocalRows<Space> rows = m_part;
  if (!m_back.is_empty()) {
    const auto parts = m_back.pattern(exec, m_part, numbers);
    const auto columns = numbers.add<Space>(exec, parts.columns);
    on_all_processes(*A.processes, [&] {
      m_num_own_entries = entries_of_first_rows(exec, m_part, own);
      m_stack = stacked_rows(exec, m_part, own, parts, columns, numbers.size());
    });
    m_back.values(exec, m_part, values_below(m_stack, m_num_own_entries));
    on_all_processes(*A.processes, [&] {
      m_sum = sum_of_rows(exec, own, m_back.received_rows());
      rows = kernels::spgemm(exec, m_sum.view(), m_stack.view());
      exec.fence("tessera::distributed::Transposition");
    });
  }
  m_transpose = matrix_of(A.processes, rows, A.column_shares, A.row_shares, numbers);
  return m_transpose;
}

template <class Space>
auto Transposition<Space>::remake(const Space& exec, const Matrix<Space>& A)
    -> const Matrix<Space>& {
  on_all_processes(*A.processes, [&] {
    const auto transposed = kernels::transpose(exec, A.rows.view());
    Kokkos::deep_copy(exec, m_part.values, transposed.values);
    exec.fence("tessera::distributed::Transposition");
    if (m_back.is_empty()) return;
    const auto own = std::make_pair(std::size_t(0), m_num_own_entries);
    Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own),
                      Kokkos::subview(m_part.values, own));
  });
  if (m_back.is_empty()) return m_transpose;
  m_back.values(exec, m_part, values_below(m_stack, m_num_own_entries));
  on_all_processes(*A.processes, [&] {
    kernels::spgemm_numeric(exec, m_sum.view(), m_stack.view(), m_transpose.rows);
    exec.fence("tessera::distributed::Transposition");
  });
  return m_transpose;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Transposition)

}  // namespace tessera::distributed
