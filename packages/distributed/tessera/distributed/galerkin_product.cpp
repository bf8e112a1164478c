// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/galerkin_product.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"

#include <utility>

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
                                  const Rows& P, const ColumnNumbers<Space>& numbers, const Rows& R,
                                  Exchange fine, Exchange coarse) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::GalerkinProduct::make");
  m_fine = std::move(fine);
  m_columns = numbers;
  m_P = P;
  m_R = R;
  if (!m_fine.is_empty()) {
    const auto rows_of_others = m_fine.pattern(exec, P, m_columns);
    on_all_processes(processes, [&] {
      const auto their_columns = m_columns.add(exec, rows_of_others.columns);
      m_P = stacked_rows(exec, P, P.num_rows, rows_of_others, their_columns, m_columns.size());
    });
    m_fine.values(exec, P, values_below(m_P, P.num_entries()));
  }
  on_all_processes(processes, [&] {
    m_partial = kernels::galerkin_product(exec, m_R.view(), A.view(), m_P.view(), m_plan);
    exec.fence("tessera::distributed::GalerkinProduct");
  });
  return m_sums.make(exec, m_partial, numbers.num_own(), std::move(coarse), m_columns);
}

template <class Space>
auto GalerkinProduct<Space>::remake(const Space& exec, const Communicator& processes, const Rows& A,
                                    const Rows& P, const Rows& R, bool new_P) -> const Rows& {
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
  on_all_processes(processes, [&] {
    kernels::galerkin_numeric(exec, m_plan, m_R.view(), A.view(), m_P.view(), m_partial);
    exec.fence("tessera::distributed::GalerkinProduct");
  });
  return m_sums.remake(exec, m_partial);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GalerkinProduct)

}  // namespace tessera::distributed
