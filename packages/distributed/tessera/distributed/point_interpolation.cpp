// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/point_interpolation.hpp"

#include "tessera/distributed/coarse_numbers.hpp"
#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// What it is made from beside this process's rows.
constexpr CouplingsOfOthers couplings_of_others(amg::Interpolation interpolation) {
  switch (interpolation) {
    case amg::Interpolation::direct:
      return CouplingsOfOthers::none;
    case amg::Interpolation::classical_modified:
      return CouplingsOfOthers::to_coarse_points;
    case amg::Interpolation::extended_i:
    case amg::Interpolation::extended_e:
      break;
  }
  return CouplingsOfOthers::strong;
}

}  // namespace

template <class Space>
auto PointInterpolation<Space>::make(const Space& exec, const Rows& A,
                                     const SplitPoints<Space>& split) -> const Rows& {
  const Communicator& processes = *split.points.processes;
  m_couplings = ExtendedCouplings<Space>(couplings_of_others(m_interpolation));
  auto strong = m_couplings.make(exec, A, split.points, split.halo, split.is_coarse);
  // Numbered in the order of all: that of truncation between equal weights.
  const CoarseNumbers<Space> coarse(
      exec,
      points_of_shares<Space>(exec, split.points.processes, split.points.nodes,
                              m_couplings.others()),
      split.is_coarse);
  on_all_processes(processes, [&] {
    m_factors = amg::interpolation_pattern<double, Space, Offset>(
        exec, strong, coarse.own_first(exec), coarse.numbers().size(), m_interpolation);
    strong = {};
    amg::fill_interpolation(exec, m_couplings.rows().view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_ordered = m_product.make(exec, multiplied_rows(exec), m_factors.N, m_truncation, timer);
    timer.stop(exec);
    this->m_P = own_columns_first(exec, m_ordered, 0, m_ordered.num_rows, coarse.numbers(),
                                  this->m_columns);
    release();
  });
  return this->m_P;
}

template <class Space>
auto PointInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                       const Rows& A) -> const Rows& {
  m_couplings.fill(exec, A);
  on_all_processes(processes, [&] {
    amg::fill_interpolation(exec, m_couplings.rows().view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_product.remake(exec, multiplied_rows(exec), m_factors.N, m_ordered, timer);
    timer.stop(exec);
    release();
  });
  return this->m_P;
}

/// Of M what P's rows are made of.
template <class Space>
auto PointInterpolation<Space>::multiplied_rows(const Space& exec) const -> Rows {
  if (m_taken) return listed_rows<Space>(exec, m_factors.M, *m_taken);
  return first_rows(exec, m_factors.M, m_couplings.num_own());
}

/// Frees values; patterns stay, for new ones.
template <class Space>
void PointInterpolation<Space>::release() {
  m_factors.M.values = m_factors.N.values = {};
  m_product.release();
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, PointInterpolation)

}  // namespace tessera::distributed
