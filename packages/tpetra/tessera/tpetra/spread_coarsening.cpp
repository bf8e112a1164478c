// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/spread_coarsening.hpp"

#include "tessera/amg/prolongator_smoothing.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/on_all_processes.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::tpetra {
namespace {

using Offset = std::int64_t;

template <class Space>
SpreadMatrixRows<Space> no_rows(const Space& exec) {
  const auto offsets = allocate<Offset>(exec, "tessera::tpetra::no_rows", 1);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  return {0, 0, offsets, {}, {}};
}

/// The rows as those of a square matrix: others' unknowns get empty rows below them.
template <class Space>
SpreadMatrixRows<Space> squared(const Space& exec, const SpreadMatrixRows<Space>& rows) {
  const auto offsets = allocate<Offset>(exec, "tessera::tpetra::squared",
                                        static_cast<std::size_t>(rows.num_cols) + 1);
  const auto given = rows.offsets;
  const Ordinal last = rows.num_rows;
  Kokkos::parallel_for(
      "tessera::tpetra::squared", Kokkos::RangePolicy<Space>(exec, 0, rows.num_cols + 1),
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = given(i < last ? i : last); });
  exec.fence("tessera::tpetra::squared");
  return {rows.num_cols, rows.num_cols, offsets, rows.columns, rows.values};
}

/// The first rows alone, in the same arrays.
template <class Space>
SpreadMatrixRows<Space> first_rows(const Space& exec, const SpreadMatrixRows<Space>& rows,
                                   Ordinal num_rows) {
  const auto kept = std::make_pair(std::size_t(0), entries_of_first_rows(exec, rows, num_rows));
  return {num_rows, rows.num_cols,
          Kokkos::subview(rows.offsets,
                          std::make_pair(std::size_t(0), static_cast<std::size_t>(num_rows) + 1)),
          Kokkos::subview(rows.columns, kept), Kokkos::subview(rows.values, kept)};
}

/// This process's values, and below them what has come of others' in the halo's order.
template <class Space>
Array<double, Space> with_halo(const Space& exec, Exchange<double, Space> halo,
                               const Array<double, Space>& own) {
  halo.begin(exec, as_multivector(own));
  const auto received = halo.end(exec);
  const auto others = static_cast<std::size_t>(halo.num_remote());
  const auto both = allocate<double>(exec, "tessera::tpetra::with_halo", own.extent(0) + others);
  const auto place = [&](std::size_t first, std::size_t length) {
    return Kokkos::subview(both, std::make_pair(first, first + length));
  };
  Kokkos::deep_copy(exec, place(0, own.extent(0)), own);
  if (others > 0)
    Kokkos::deep_copy(exec, place(own.extent(0), others),
                      Kokkos::subview(received, std::make_pair(std::size_t(0), others)));
  exec.fence("tessera::tpetra::with_halo");
  return both;
}

/// By row of T the aggregate, which its m columns are numbered by; -1 for an empty row.
template <class Space>
Array<Ordinal, Space> aggregates_of(const Space& exec, const SpreadMatrixRows<Space>& T,
                                    Ordinal m) {
  const auto aggregates =
      allocate<Ordinal>(exec, "tessera::tpetra::aggregates", static_cast<std::size_t>(T.num_rows));
  const auto offsets = T.offsets;
  const auto columns = T.columns;
  Kokkos::parallel_for(
      "tessera::tpetra::aggregates", Kokkos::RangePolicy<Space>(exec, 0, T.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        aggregates(i) = offsets(i) == offsets(i + 1) ? -1 : columns(offsets(i)) / m;
      });
  exec.fence("tessera::tpetra::aggregates");
  return aggregates;
}

/// Groups the vertices as one process does (amg::SmoothedAggregation).
template <class Space>
kernels::Aggregates<Space> aggregates_by(const Space& exec,
                                         const kernels::Graph<Space, Offset>& graph,
                                         amg::Aggregation how, std::optional<kernels::Box>& box) {
  if (how != amg::Aggregation::mis2) {
    if (const auto boxes = kernels::aggregate_structured(exec, graph, 0, box)) {
      box = boxes->coarse;
      return boxes->aggregates;
    }
  }
  box.reset();
  return kernels::aggregate_mis2(exec, graph);
}

/// A vertex in no aggregate that is strongly coupled to other processes' alone gets one of its own:
/// neighbours here it has none, and relaxation alone would not do. Strong is every nonzero where
/// there is no scale.
template <class Space>
void add_lone_vertices(const Space& exec, const SpreadMatrixRows<Space>& A, Ordinal block_size,
                       double theta, const ArrayView<const double, Space>& scale,
                       kernels::Aggregates<Space>& aggregates) {
  const auto aggregate_of = aggregates.aggregate_of;
  const Ordinal first = aggregates.num_aggregates;
  const Ordinal num_own = A.num_rows;
  const bool has_scale = scale.extent(0) > 0;
  const auto view = A.view();
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::tpetra::add_lone_vertices",
      Kokkos::RangePolicy<Space>(exec, 0, num_own / block_size),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& sum, const bool last) {
        if (aggregate_of(v) >= 0) return;
        bool is_coupled = false;
        for (Offset e = view.offsets(v * block_size); e < view.offsets((v + 1) * block_size); ++e) {
          const Ordinal j = view.columns(e);
          if (j < num_own) continue;
          is_coupled = is_coupled || (has_scale ? kernels::is_strong(view.values(e), scale(v),
                                                                     scale(j), theta * theta)
                                                : view.values(e) != 0);
        }
        if (!is_coupled) return;
        if (last) aggregate_of(v) = first + sum;
        ++sum;
      },
      count);
  exec.fence("tessera::tpetra::add_lone_vertices");
  aggregates.num_aggregates += count;
  if (count > 0) aggregates.num_members.reset();
}

/// The candidate of each aggregate whose rows of T have one entry: what T interpolates to `fine`.
/// Every row of an aggregate says the same, but for rounding: the last one is heard.
template <class Space>
void divide_by_tentative(const Space& exec, const SpreadMatrixRows<Space>& T,
                         const ArrayView<const double, Space>& fine,
                         const MultiVectorView<double, Space>& candidates) {
  const auto view = T.view();
  const auto last = allocate<Ordinal>(exec, "tessera::tpetra::candidates", candidates.extent(0));
  Kokkos::deep_copy(exec, last, -1);
  Kokkos::parallel_for(
      "tessera::tpetra::candidates::last", Kokkos::RangePolicy<Space>(exec, 0, view.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Offset e = view.offsets(i);
        if (e < view.offsets(i + 1) && view.values(e) != 0)
          Kokkos::atomic_max(&last(view.columns(e)), i);
      });
  Kokkos::parallel_for(
      "tessera::tpetra::candidates",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(candidates.extent(0))),
      KOKKOS_LAMBDA(const Ordinal g) {
        const Ordinal i = last(g);
        if (i >= 0) candidates(g, 0) = fine(i) / view.values(view.offsets(i));
      });
  exec.fence("tessera::tpetra::candidates");
}

}  // namespace

template <class Space>
SpreadCoarsening<Space>::SpreadCoarsening(const amg::Parameters& parameters, bool symmetric,
                                          int depth)
    : m_parameters(parameters),
      m_symmetric(symmetric),
      m_theta(parameters.strength_threshold * std::pow(parameters.strength_scaling, depth)) {}

template <class Space>
Ordinal SpreadCoarsening<Space>::aggregate(const Space& exec, const Teuchos::Comm<int>& processes,
                                           const SpreadRows<Space>& fine,
                                           MultiVector<double, Space>& vectors,
                                           std::optional<kernels::Box>& box) {
  const Kokkos::Profiling::ScopedRegion region("tessera::tpetra::SpreadCoarsening::aggregate");
  const auto m = vectors.extent(1);
  m_filters = fine.block_size == 1 && m == 1 && m_theta > 0;
  m_fine_vectors = vectors;
  if (m_theta > 0 && fine.block_size == 1) take_scale(exec, processes, fine);
  on_all_processes(processes, [&] {
    const Ordinal n = fine.A.num_rows;
    m_T = no_rows(exec);
    m_coarse_vectors = allocate_multivector<double>(exec, "tessera::tpetra::vectors", 0, m);
    if (n == 0) return;
    const auto tentative = amg::tentative_prolongator<Offset, double, Space>(
        exec, aggregates(exec, fine, box), vectors, fine.block_size);
    m_T = kernels::sort_rows(exec, tentative.T.view());
    m_coarse_vectors = tentative.coarse_candidates;
    exec.fence("tessera::tpetra::aggregate");
  });
  vectors = m_coarse_vectors;
  return m_T.num_cols;
}

/// Of this process's unknowns, by its own couplings.
template <class Space>
kernels::Aggregates<Space> SpreadCoarsening<Space>::aggregates(
    const Space& exec, const SpreadRows<Space>& fine, std::optional<kernels::Box>& box) const {
  const Ordinal n = fine.A.num_rows;
  std::vector<Ordinal> own(static_cast<std::size_t>(fine.A.num_cols), -1);
  std::iota(own.begin(), own.begin() + n, 0);
  const auto block = diagonal_block(exec, fine.A.view(), from_host(exec, own));
  const std::size_t longest = kernels::longest_ordinary_row(n, fine.A.num_entries());
  Array<double, Space> scale = m_scale;
  if (m_theta > 0 && fine.block_size > 1)
    scale = kernels::coupling_scale(exec, block.view(), m_parameters.strength_measure,
                                    fine.block_size, longest);
  // Those of others are not the block's.
  ArrayView<const double, Space> own_scale = scale;
  if (scale.extent(0) > 0)
    own_scale =
        ArrayView<const double, Space>(scale.data(), static_cast<std::size_t>(n / fine.block_size));
  auto graph =
      kernels::strength_of_connection(exec, block.view(), m_theta, own_scale, fine.block_size);
  if (!m_symmetric) graph = kernels::symmetrize(exec, graph);
  auto made = aggregates_by(exec, graph, m_parameters.aggregation, box);
  const kernels::HubTest<Space, Offset> is_hub{fine.A.offsets, fine.block_size, longest};
  if (kernels::add_hub_aggregates(exec, is_hub, made) > 0) box.reset();
  add_lone_vertices<Space>(exec, fine.A, fine.block_size, m_theta,
                           fine.block_size == 1 ? m_scale : Array<double, Space>(), made);
  return made;
}

/// The scale of strength of this process's unknowns, by whole rows, and of those of others.
template <class Space>
void SpreadCoarsening<Space>::take_scale(const Space& exec, const Teuchos::Comm<int>& processes,
                                         const SpreadRows<Space>& fine) {
  Array<double, Space> own = allocate<double>(exec, "tessera::tpetra::scale", 0);
  on_all_processes(processes, [&] {
    if (fine.A.num_rows == 0) return;
    auto square = fine.A.view();
    square.num_cols = square.num_rows;  // other processes' columns are couplings like others
    own = kernels::coupling_scale(
        exec, square, m_parameters.strength_measure, 1,
        kernels::longest_ordinary_row(fine.A.num_rows, fine.A.num_entries()));
  });
  m_scale = with_halo(exec, fine.halo, own);
}

/// By aggregate the candidate that the tentative prolongator interpolates; of others' aggregates
/// from what has come of the fine ones.
template <class Space>
void SpreadCoarsening<Space>::take_candidates(const Space& exec, const SpreadRows<Space>& fine) {
  const auto m = m_fine_vectors.extent(1);
  m_tentative.coarse_candidates = allocate_multivector<double>(
      exec, "tessera::tpetra::candidates", static_cast<std::size_t>(m_tentative.T.num_cols), m);
  if (!m_filters) return;
  const auto own = allocate<double>(exec, "tessera::tpetra::candidates", m_fine_vectors.extent(0));
  Kokkos::deep_copy(exec, own, Kokkos::subview(m_fine_vectors, Kokkos::ALL, 0));
  const auto fine_candidates = with_halo(exec, fine.halo, own);
  const auto candidates = m_tentative.coarse_candidates;
  Kokkos::deep_copy(exec, candidates, 0.0);
  divide_by_tentative<Space>(exec, m_tentative.T, fine_candidates, candidates);
  Kokkos::deep_copy(
      exec,
      Kokkos::subview(candidates,
                      std::make_pair(std::size_t(0), static_cast<std::size_t>(m_columns.num_own())),
                      Kokkos::ALL),
      m_coarse_vectors);
  exec.fence("tessera::tpetra::candidates");
}

template <class Space>
amg::WeakFilter<Space> SpreadCoarsening<Space>::filter(double spectral_radius) const {
  if (!m_filters) return {};
  return {m_theta, m_scale, spectral_radius, m_symmetric};
}

template <class Space>
auto SpreadCoarsening<Space>::make_prolongator(const Space& exec,
                                               const Teuchos::Comm<int>& processes,
                                               const SpreadRows<Space>& fine,
                                               const SpreadValues<Space>& values,
                                               ColumnNumbers::Global first) -> const Rows& {
  const Kokkos::Profiling::ScopedRegion region("tessera::tpetra::SpreadCoarsening::smooth");
  m_columns = ColumnNumbers(first, m_T.num_cols);
  auto rows = fine.rows;
  const auto others = rows.pattern(exec, m_T, m_columns);
  const auto their_columns = m_columns.add(others.columns);
  m_tentative.T = stacked_rows(exec, m_T, m_T.num_rows, others, their_columns, m_columns.size());
  rows.values(exec, m_T, values_below(m_tentative.T, m_T.num_entries()));
  m_tentative.block_size = 1;
  m_tentative.aggregate_of =
      aggregates_of<Space>(exec, m_tentative.T, static_cast<Ordinal>(m_fine_vectors.extent(1)));
  take_candidates(exec, fine);
  if (smooths()) {
    const auto inverse = with_halo(exec, fine.halo, values.inverse_diagonal);
    on_all_processes(processes, [&] {
      m_smoothed = amg::smooth_prolongator(exec, squared(exec, fine.A).view(), inverse,
                                           m_parameters.prolongator_omega / values.spectral_radius,
                                           m_tentative, filter(values.spectral_radius));
    });
  } else {
    m_smoothed = m_tentative.T;
  }
  m_P = first_rows(exec, m_smoothed, fine.A.num_rows);
  const auto number = m_columns.keep(used_columns(exec, m_P, m_columns.num_own()));
  m_P = renumbered_columns(exec, m_P, number, m_columns.size());
  return m_P;
}

template <class Space>
auto SpreadCoarsening<Space>::make_product(const Space& exec, const Teuchos::Comm<int>& processes,
                                           const SpreadRows<Space>& fine,
                                           const RowExchange<Space>& coarse) -> const Rows& {
  return m_product.make(exec, processes, fine.A, m_P, m_columns, fine.rows, coarse);
}

template <class Space>
auto SpreadCoarsening<Space>::remake_prolongator(const Space& exec,
                                                 const Teuchos::Comm<int>& processes,
                                                 const SpreadRows<Space>& fine,
                                                 const SpreadValues<Space>& values) -> const Rows& {
  const Kokkos::Profiling::ScopedRegion region("tessera::tpetra::SpreadCoarsening::smooth_again");
  if (!smooths()) return m_P;
  if (m_filters) take_scale(exec, processes, fine);
  const auto inverse = with_halo(exec, fine.halo, values.inverse_diagonal);
  on_all_processes(processes, [&] {
    amg::smooth_prolongator_numeric(exec, squared(exec, fine.A).view(), inverse,
                                    m_parameters.prolongator_omega / values.spectral_radius,
                                    m_tentative, m_smoothed, filter(values.spectral_radius));
    exec.fence("tessera::tpetra::SpreadCoarsening");
  });
  return m_P;
}

template <class Space>
auto SpreadCoarsening<Space>::remake_product(const Space& exec, const SpreadRows<Space>& fine,
                                             bool new_P) -> const Rows& {
  return m_product.remake(exec, fine.A, m_P, new_P);
}

#define TESSERA_INSTANTIATE(Space) template class SpreadCoarsening<Space>;
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::tpetra
