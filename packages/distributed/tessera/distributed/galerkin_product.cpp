// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/galerkin_product.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

template <class View>
View first_entries(const View& view, std::size_t length) {
  return Kokkos::subview(view, std::make_pair(std::size_t(0), length));
}

}  // namespace

template <class Space>
auto GalerkinProduct<Space>::make(const Space& exec, const Communicator& processes, const Rows& A,
                                  const Rows& P, const ColumnNumbers& numbers, const Rows& R,
                                  Exchange fine, Exchange coarse) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::GalerkinProduct::make");
  m_fine = std::move(fine);
  m_coarse = std::move(coarse);
  m_columns = numbers;
  m_P = P;
  m_R = R;
  if (!m_fine.is_empty()) {
    const auto rows_of_others = m_fine.pattern(exec, P, m_columns);
    const auto their_columns = m_columns.add<Space>(exec, rows_of_others.columns);
    m_P = stacked_rows(exec, P, P.num_rows, rows_of_others, their_columns, m_columns.size());
    m_fine.values(exec, P, values_below(m_P, P.num_entries()));
  }
  on_all_processes(processes, [&] {
    m_partial = kernels::galerkin_product(exec, m_R.view(), A.view(), m_P.view(), m_plan);
    exec.fence("tessera::distributed::GalerkinProduct");
  });
  if (m_coarse.is_empty()) return m_product = m_partial;
  const auto parts = m_coarse.pattern(exec, m_partial, m_columns);
  const auto columns_of_parts = m_columns.add<Space>(exec, parts.columns);
  const Ordinal own = numbers.num_own();
  m_stack = stacked_rows(exec, m_partial, own, parts, columns_of_parts, m_columns.size());
  const auto number = m_columns.keep(used_columns(exec, m_stack, own));
  m_stack = renumbered_others(exec, m_stack, own, number, m_columns.size());
  fill_stack(exec);
  on_all_processes(processes, [&] {
    m_sum = sum_of_rows(exec, own, m_coarse.received_rows());
    m_product = kernels::spgemm(exec, m_sum.view(), m_stack.view());
    exec.fence("tessera::distributed::GalerkinProduct");
  });
  return m_product;
}

/// The values of the rows that others have made, below this process's own.
template <class Space>
void GalerkinProduct<Space>::fill_stack(const Space& exec) {
  const std::size_t own = entries_of_first_rows(exec, m_stack, m_columns.num_own());
  Kokkos::deep_copy(exec, first_entries(m_stack.values, own), first_entries(m_partial.values, own));
  m_coarse.values(exec, m_partial, values_below(m_stack, own));
}

template <class Space>
auto GalerkinProduct<Space>::remake(const Space& exec, const Rows& A, const Rows& P, const Rows& R,
                                    bool new_P) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::GalerkinProduct::remake");
  if (new_P) {
    m_R.values = R.values;
    if (m_fine.is_empty()) {
      m_P.values = P.values;
    } else {
      Kokkos::deep_copy(exec, first_entries(m_P.values, P.num_entries()), P.values);
      m_fine.values(exec, P, values_below(m_P, P.num_entries()));
    }
  }
  kernels::galerkin_numeric(exec, m_plan, m_R.view(), A.view(), m_P.view(), m_partial);
  if (!m_coarse.is_empty()) {
    fill_stack(exec);
    kernels::spgemm_numeric(exec, m_sum.view(), m_stack.view(), m_product);
  }
  exec.fence("tessera::distributed::GalerkinProduct");
  return m_product;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GalerkinProduct)

}  // namespace tessera::distributed
