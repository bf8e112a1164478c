// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/two_stage_interpolation.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// Own points of `split` that are coarse.
template <class Space>
Array<const Ordinal, Space> own_coarse_points(const Space& exec, const SplitPoints<Space>& split) {
  const auto own = std::make_pair(Ordinal(0), split.points.num_own());
  const auto coarse = amg::number_coarse_points(
      exec, Array<std::int8_t, Space>(Kokkos::subview(split.is_coarse, own)));
  return amg::list_coarse_points(exec, coarse.coarse_number, coarse.num_coarse);
}

}  // namespace

template <class Space>
auto TwoStageInterpolation<Space>::make(const Space& exec, const Rows& A,
                                        const SplitPoints<Space>& split) -> const Rows& {
  const auto all = m_first.points.processes;
  const Rows& P1 = m_to_first.make(exec, A, m_first);
  on_all_processes(*all, [&] { m_to_last.take_rows_of(own_coarse_points(exec, m_first)); });
  const Rows& P2 = m_to_last.make(exec, A, split);
  const Plan<Space> halo = halo_plan(exec, all, *m_first.coarse, m_to_first.columns().others());
  m_first = {};
  m_stack.make(exec, *all, halo, P2, m_to_last.columns());
  on_all_processes(*all, [&] {
    amg::PhaseTimer<Space> timer(exec, false);
    m_ordered = m_product.make(exec, P1, m_stack.rows(), m_truncation, timer);
    timer.stop(exec);
    this->m_P = own_columns_first(exec, m_ordered, 0, m_ordered.num_rows, m_stack.numbers(),
                                  this->m_columns);
    m_product.release();
  });
  return this->m_P;
}

template <class Space>
auto TwoStageInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                          const Rows& A) -> const Rows& {
  const Rows& P1 = m_to_first.remake(exec, processes, A);
  const Rows& P2 = m_to_last.remake(exec, processes, A);
  m_stack.fill(exec, processes, P2);
  on_all_processes(processes, [&] {
    amg::PhaseTimer<Space> timer(exec, false);
    m_product.remake(exec, P1, m_stack.rows(), m_ordered, timer);
    timer.stop(exec);
    m_product.release();
  });
  return this->m_P;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, TwoStageInterpolation)

}  // namespace tessera::distributed
