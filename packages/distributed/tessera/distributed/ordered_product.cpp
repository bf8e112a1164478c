// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_product.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <utility>

namespace tessera::distributed {

template <class Space>
auto OrderedProduct<Space>::make(const Space& exec, const Rows& A, const Rows& P,
                                 const ColumnNumbers<Space>& numbers, const Matrix<Space>& R,
                                 RowExchange<Space> fine) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::OrderedProduct::make");
  m_fine = std::move(fine);
  m_columns = numbers;
  m_knows_pattern = false;
  on_all_processes(*R.processes, [&] {
    m_coarse = RowExchange<Space>(R.halo, RowExchange<Space>::Direction::forward);
  });
  const auto rows_of_others = m_fine.pattern(exec, P, m_columns);
  on_all_processes(*R.processes, [&] {
    const auto their_columns = m_columns.add(exec, rows_of_others.columns);
    m_P = stacked_rows(exec, P, P.num_rows, rows_of_others, their_columns, m_columns.size());
  });
  auto product = multiplied(exec, A, P, R);
  on_all_processes(*R.processes, [&] {
    m_number = m_columns.keep(exec, used_columns(exec, product, numbers.num_own()));
    product = renumbered_others(exec, product, m_columns.num_own(), m_number, m_columns.size());
    m_product = kernels::sort_rows(exec, product.view());
  });
  m_knows_pattern = true;
  return m_product;
}

/// R (A P) by the columns of the stack.
template <class Space>
auto OrderedProduct<Space>::multiplied(const Space& exec, const Rows& A, const Rows& P,
                                       const Matrix<Space>& R) -> Rows {
  const auto own = std::make_pair(std::size_t(0), P.num_entries());
  Kokkos::deep_copy(exec, Kokkos::subview(m_P.values, own), P.values);
  m_fine.values(exec, P, values_below(m_P, P.num_entries()));
  on_all_processes(*R.processes, [&] {
    m_AP = kernels::spgemm(exec, A.view(), m_P.view());
    exec.fence("tessera::distributed::OrderedProduct");
  });
  if (!m_knows_pattern) {
    const auto parts = m_coarse.pattern(exec, m_AP, m_columns);
    on_all_processes(*R.processes, [&] {
      const auto columns_of_parts = m_columns.add(exec, parts.columns);
      m_stack = stacked_rows(exec, m_AP, m_AP.num_rows, parts, columns_of_parts, m_columns.size());
    });
  }
  const auto above = std::make_pair(std::size_t(0), m_AP.num_entries());
  Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, above), m_AP.values);
  m_coarse.values(exec, m_AP, values_below(m_stack, m_AP.num_entries()));
  Rows product;
  on_all_processes(*R.processes, [&] {
    product = kernels::spgemm(exec, in_order_of_all(exec, R).view(), m_stack.view());
    exec.fence("tessera::distributed::OrderedProduct");
  });
  return product;
}

template <class Space>
auto OrderedProduct<Space>::remake(const Space& exec, const Rows& A, const Rows& P,
                                   const Matrix<Space>& R) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::OrderedProduct::remake");
  const auto made = multiplied(exec, A, P, R);
  on_all_processes(*R.processes, [&] {
    const auto product =
        renumbered_others(exec, made, m_columns.num_own(), m_number, m_columns.size());
    m_product = kernels::sort_rows(exec, product.view());
  });
  return m_product;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, OrderedProduct)

}  // namespace tessera::distributed
