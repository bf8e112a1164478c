// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/smoothed_aggregation.hpp"

#include "tessera/amg/coarsening/restriction.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// Whether smoothing would leave an entry of this process's rows out.
template <class Space>
bool has_weak_entries(const Space& exec, const LocalRows<Space>& A, double theta,
                      const ArrayView<const double, Space>& scale) {
  const auto view = A.view();
  int found = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::has_weak_entries", Kokkos::RangePolicy<Space>(exec, 0, view.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, int& any) {
        if (any > 0) return;  // one is enough
        for (std::int64_t e = view.offsets(i); e < view.offsets(i + 1); ++e) {
          const Ordinal j = view.columns(e);
          if (j == i || kernels::is_strong(view.values(e), scale(i), scale(j), theta * theta))
            continue;
          any = 1;
          return;
        }
      },
      Kokkos::Max<int>(found));
  return found > 0;
}

/// Of own columns and, behind them, ghosts the numbers in the order of all, `before` of `others`
/// being before own ones.
template <class Space>
Array<Ordinal, Space> numbers_in_order(const Space& exec, Ordinal own, Ordinal before,
                                       const GlobalNumbers<Space>& others,
                                       const GlobalNumbers<Space>& ghosts) {
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::skewness::numbers",
                                        static_cast<std::size_t>(own) + ghosts.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::skewness::numbers",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal c) {
        if (c < own) {
          number(c) = before + c;
        } else {
          const Ordinal place = place_in(others, ghosts(c - own));
          number(c) = place < before ? place : place + own;
        }
      });
  exec.fence("tessera::distributed::skewness");
  return number;
}

/// How far this process's rows are from A's columns (amg::skewness).
template <class Space>
Array<double, Space> skewness_of(const Space& exec, const LevelRows<Space>& fine) {
  if (fine.A.num_rows == 0) return allocate<double>(exec, "tessera::distributed::skewness", 0);
  const LevelRows<Space>& transposed = fine.transposed->rows;
  // In the order of all columns, so that sums along rows do not depend on how these are shared out.
  const auto others = united<Space>(exec, fine.ghosts, transposed.ghosts);
  const Ordinal own = fine.A.num_rows;
  const Ordinal before = num_below<Space>(exec, others, fine.first);
  const auto in_order = [&](const LevelRows<Space>& rows) {
    const auto number = numbers_in_order<Space>(exec, own, before, others, rows.ghosts);
    const auto numbered =
        renumbered_columns(exec, rows.A, number, own + static_cast<Ordinal>(others.extent(0)));
    return kernels::sort_rows(exec, numbered.view());
  };
  const auto A = in_order(fine);
  const auto At = in_order(transposed);
  return amg::skewness(exec, A.view(), At.view(), before);
}

}  // namespace

template <class Space>
SmoothedAggregation<Space>::SmoothedAggregation(
    const amg::SmoothedAggregationParameters& parameters, bool symmetric, int depth)
    : m_parameters(parameters),
      m_symmetric(symmetric),
      m_theta(parameters.strength_threshold * std::pow(parameters.strength_scaling, depth) *
              above_rounding) {}

template <class Space>
Ordinal SmoothedAggregation<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::SmoothedAggregation::aggregate");
  const auto m = vectors.extent(1);
  m_fine_vectors = vectors;
  m_in_order = processes.is_reproducible();
  m_longest = longest_ordinary_row(processes, fine.A);
  take_couplings(exec, processes, fine);
  m_filters = fine.block_size == 1 && m == 1 && m_theta > 0;
  if (m_filters) {
    const int own = has_weak_entries<Space>(exec, fine.A, m_theta, m_scale) ? 1 : 0;
    m_filters = processes.maximum_of(own) > 0;
  }
  m_tentative = tentative_prolongator(exec, fine.processes, aggregates(exec, fine, box), vectors,
                                      fine.block_size);
  vectors = m_tentative.coarse_vectors;
  return m_tentative.columns.num_own();
}

/// Of all processes' unknowns.
template <class Space>
SharedAggregates<Space> SmoothedAggregation<Space>::aggregates(
    const Space& exec, const LevelRows<Space>& fine, std::optional<kernels::Box>& box) const {
  Strength<Space> strength{m_theta, m_parameters.strength_measure, m_longest, {}};
  if (m_theta > 0 && fine.block_size == 1)
    strength.scale = Kokkos::subview(m_scale, std::make_pair(Ordinal(0), fine.A.num_rows));
  const auto graph = node_graph(exec, fine, strength);
  const GlobalHubTest<Space> is_hub{fine.A.offsets, fine.block_size, m_longest};
  auto made = aggregates_of(exec, graph, m_parameters.aggregation, box, is_hub);
  box = made.box;
  return made;
}

/// What values say of this process's rows before P is smoothed, as on one process
/// (amg::SmoothedAggregation::couplings).
template <class Space>
void SmoothedAggregation<Space>::take_couplings(const Space& exec, const Communicator& processes,
                                                const LevelRows<Space>& fine) {
  Array<double, Space> skewness;
  if (!m_symmetric) {
    on_all_processes(processes, [&] {
      skewness = skewness_of(exec, fine);
      m_weights = amg::weights_of_skewness<double, Space>(exec, skewness);
    });
  }
  if (m_theta == 0 || fine.block_size > 1) return;
  m_scale = scale_of(exec, processes, fine, skewness);
  if (!m_symmetric) m_scale_of_columns = scale_of(exec, processes, fine.transposed->rows, skewness);
}

/// The scale of strength of this process's unknowns, by whole rows, and of those of others.
template <class Space>
Array<double, Space> SmoothedAggregation<Space>::scale_of(
    const Space& exec, const Communicator& processes, const LevelRows<Space>& rows,
    const Array<double, Space>& skewness) const {
  Array<double, Space> own, both;
  on_all_processes(processes, [&] {
    both = room_with_halo(exec, rows.halo, static_cast<std::size_t>(rows.A.num_rows));
    if (rows.A.num_rows == 0) return;
    auto square = rows.A.view();
    square.num_cols = square.num_rows;  // other processes' columns are couplings like others
    own = kernels::coupling_scale(exec, square, m_parameters.strength_measure, 1, m_longest);
    if (!m_symmetric) amg::discount_skew_rows(exec, skewness, own);
  });
  with_halo(exec, rows.halo, own, both);
  return both;
}

template <class Space>
Smoothing<Space> SmoothedAggregation<Space>::smoothing(const LevelValues<Space>& values) const {
  Smoothing<Space> how{values.inverse_diagonal,
                       m_parameters.prolongator_omega / values.spectral_radius};
  if (m_filters) how.filter = {m_theta, m_scale, values.spectral_radius, m_symmetric, m_in_order};
  return how;
}

template <class Space>
Smoothing<Space> SmoothedAggregation<Space>::smoothing_of_columns(
    const LevelValues<Space>& values) const {
  Smoothing<Space> how = smoothing(values);
  how.weights = m_weights;
  if (m_filters)
    how.filter = {m_theta, m_scale_of_columns, values.spectral_radius, false, m_in_order};
  return how;
}

template <class Space>
auto SmoothedAggregation<Space>::make_prolongator(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& values) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::SmoothedAggregation::smooth");
  return m_prolongator.make(exec, processes, fine, m_tentative, m_fine_vectors, smoothing(values));
}

template <class Space>
auto SmoothedAggregation<Space>::make_restriction(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& values) -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::SmoothedAggregation::restriction");
  return m_restriction.make(exec, processes, fine.transposed->rows, m_tentative, m_fine_vectors,
                            smoothing_of_columns(values));
}

template <class Space>
void SmoothedAggregation<Space>::remake_transfers(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& values) {
  const kernels::ProfilingRegion region("tessera::distributed::SmoothedAggregation::smooth_again");
  if (!smooths()) return;
  if (m_filters || !m_symmetric) take_couplings(exec, processes, fine);
  m_prolongator.remake(exec, processes, fine, smoothing(values));
  if (has_restriction())
    m_restriction.remake(exec, processes, fine.transposed->rows, smoothing_of_columns(values));
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, SmoothedAggregation)

}  // namespace tessera::distributed
