// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/point_interpolation.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
using Global = Partition::Global;

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

/// `first` + the number of each own coarse point, -1 for fine ones; behind them room for others.
template <class Space>
Array<Global, Space> global_coarse_numbers(const Space& exec, const amg::Splitting<Space>& own,
                                           Global first, std::size_t all) {
  const auto numbers = allocate<Global>(exec, "tessera::distributed::global_coarse_numbers", all);
  const auto coarse_number = own.coarse_number;
  Kokkos::parallel_for(
      "tessera::distributed::global_coarse_numbers",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(coarse_number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        numbers(i) = coarse_number(i) < 0 ? Global(-1) : first + coarse_number(i);
      });
  exec.fence("tessera::distributed::global_coarse_numbers");
  return numbers;
}

/// The own numbers behind `num_before` others, and then `others` as they are.
template <class Space>
Array<const Ordinal, Space> numbers_in_order(const Space& exec, const amg::Splitting<Space>& own,
                                             Ordinal num_before,
                                             const std::vector<Ordinal>& others) {
  const auto own_number = own.coarse_number;
  const auto num_own = static_cast<Ordinal>(own_number.extent(0));
  const auto other_number = from_host(exec, others);
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        own_number.extent(0) + others.size());
  Kokkos::parallel_for(
      "tessera::distributed::coarse_number",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (i >= num_own)
          number(i) = other_number(i - num_own);
        else
          number(i) = own_number(i) < 0 ? -1 : num_before + own_number(i);
      });
  exec.fence("tessera::distributed::coarse_number");
  return number;
}

}  // namespace

template <class Space>
auto PointInterpolation<Space>::make(const Space& exec, const Rows& A,
                                     const SplitPoints<Space>& split) -> const Rows& {
  const Communicator& processes = *split.points.processes;
  m_couplings = ExtendedCouplings<Space>(couplings_of_others(m_interpolation));
  auto strong = m_couplings.make(exec, A, split.points, split.halo, split.is_coarse);
  number_coarse_points(exec, split);
  on_all_processes(processes, [&] {
    const auto num_coarse = m_num_own_coarse + static_cast<Ordinal>(m_coarse_others.size());
    m_factors = amg::interpolation_pattern<double, Space, Offset>(exec, strong, m_coarse_number,
                                                                  num_coarse, m_interpolation);
    strong = {};
    amg::fill_interpolation(exec, m_couplings.rows().view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_ordered = m_product.make(exec, first_rows(exec, m_factors.M, m_couplings.num_own()),
                               m_factors.N, m_truncation, timer);
    timer.stop(exec);
    take_columns(exec);
    release();
  });
  return m_P;
}

template <class Space>
auto PointInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                       const Rows& A) -> const Rows& {
  m_couplings.fill(exec, A);
  on_all_processes(processes, [&] {
    amg::fill_interpolation(exec, m_couplings.rows().view(), m_interpolation, m_factors);
    amg::PhaseTimer<Space> timer(exec, false);
    m_product.remake(exec, first_rows(exec, m_factors.M, m_couplings.num_own()), m_factors.N,
                     m_ordered, timer);
    timer.stop(exec);
    release();
  });
  return m_P;
}

/// Frees values; patterns stay, for new ones.
template <class Space>
void PointInterpolation<Space>::release() {
  m_factors.M.values = m_factors.N.values = {};
  m_product.release();
}

/// Which points of others are coarse, and all coarse points in the order of their numbers among
/// all: that of truncation between equal weights.
template <class Space>
void PointInterpolation<Space>::number_coarse_points(const Space& exec,
                                                     const SplitPoints<Space>& split) {
  const auto& processes = split.points.processes;
  const Ordinal num_own = m_couplings.num_own();
  const std::vector<Global>& points_of_others = m_couplings.others();
  amg::Splitting<Space> own;
  Array<Global, Space> all;
  m_first_coarse = split.coarse->first();
  m_num_own_coarse = split.coarse->own();
  on_all_processes(*processes, [&] {
    own =
        amg::number_coarse_points(exec, Array<std::int8_t, Space>(Kokkos::subview(
                                            split.is_coarse, std::make_pair(Ordinal(0), num_own))));
    all = global_coarse_numbers(exec, own, m_first_coarse,
                                static_cast<std::size_t>(num_own) + points_of_others.size());
  });
  NodeHalo<Space>(halo_plan(processes, *split.points.nodes, points_of_others)).fill(exec, all);
  on_all_processes(*processes, [&] {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all);
    std::vector<Ordinal> others;
    m_coarse_others.clear();
    Ordinal num_before = 0;
    for (std::size_t i = 0; i < points_of_others.size(); ++i) {
      const Global number = host(static_cast<std::size_t>(num_own) + i);
      const bool is_before = number < m_first_coarse;
      const auto place = static_cast<Ordinal>(m_coarse_others.size());
      others.push_back(number < 0 ? -1 : is_before ? place : place + m_num_own_coarse);
      if (number < 0) continue;
      num_before += is_before ? 1 : 0;
      m_coarse_others.push_back(number);
    }
    m_coarse_number = numbers_in_order(exec, own, num_before, others);
  });
}

/// P by own coarse points and behind them those of others that it has entries of.
template <class Space>
void PointInterpolation<Space>::take_columns(const Space& exec) {
  const auto before = static_cast<Ordinal>(
      std::ranges::lower_bound(m_coarse_others, m_first_coarse) - m_coarse_others.begin());
  m_columns = ColumnNumbers(m_first_coarse, m_num_own_coarse, m_coarse_others);
  std::vector<Ordinal> number(static_cast<std::size_t>(m_columns.size()));
  for (Ordinal c = 0; c < m_columns.size(); ++c) {
    const bool is_own = c >= before && c < before + m_num_own_coarse;
    number[static_cast<std::size_t>(c)] = is_own       ? c - before
                                          : c < before ? m_num_own_coarse + c
                                                       : c;
  }
  m_P = renumbered_columns(exec, m_ordered, number, m_columns.size());
  const auto kept = m_columns.keep(used_columns(exec, m_P, m_columns.num_own()));
  m_P = renumbered_others(exec, m_P, m_num_own_coarse, kept, m_columns.size());
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, PointInterpolation)

}  // namespace tessera::distributed
