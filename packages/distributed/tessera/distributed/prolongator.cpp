// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/prolongator.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// By row of T the aggregate, which its m columns are numbered by; -1 for an empty row.
template <class Space>
Array<Ordinal, Space> aggregates_of(const Space& exec, const LocalRows<Space>& T, Ordinal m) {
  const auto aggregates = allocate<Ordinal>(exec, "tessera::distributed::aggregates",
                                            static_cast<std::size_t>(T.num_rows));
  const auto offsets = T.offsets;
  const auto columns = T.columns;
  Kokkos::parallel_for(
      "tessera::distributed::aggregates", Kokkos::RangePolicy<Space>(exec, 0, T.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        aggregates(i) = offsets(i) == offsets(i + 1) ? -1 : columns(offsets(i)) / m;
      });
  exec.fence("tessera::distributed::aggregates");
  return aggregates;
}

/// The near-nullspace vector of each aggregate whose rows of T have one entry: what T interpolates
/// to `fine`. Every row of an aggregate says the same, but for rounding: the last one is heard.
template <class Space>
void divide_by_tentative(const Space& exec, const LocalRows<Space>& T,
                         const ArrayView<const double, Space>& fine,
                         const MultiVectorView<double, Space>& near_nullspace) {
  const auto view = T.view();
  const auto last =
      allocate<Ordinal>(exec, "tessera::distributed::near_nullspace", near_nullspace.extent(0));
  Kokkos::deep_copy(exec, last, -1);
  Kokkos::parallel_for(
      "tessera::distributed::near_nullspace::last",
      Kokkos::RangePolicy<Space>(exec, 0, view.num_rows), KOKKOS_LAMBDA(const Ordinal i) {
        const Offset e = view.offsets(i);
        if (e < view.offsets(i + 1) && view.values(e) != 0)
          Kokkos::atomic_max(&last(view.columns(e)), i);
      });
  Kokkos::parallel_for(
      "tessera::distributed::near_nullspace",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(near_nullspace.extent(0))),
      KOKKOS_LAMBDA(const Ordinal g) {
        const Ordinal i = last(g);
        if (i >= 0) near_nullspace(g, 0) = fine(i) / view.values(view.offsets(i));
      });
  exec.fence("tessera::distributed::near_nullspace");
}

/// Row `first` + c of the first column is entry `places`(c) of `given`.
template <class Space>
void place_entries(const Space& exec, const ArrayView<const double, Space>& given,
                   const ArrayView<const Ordinal, Space>& places, std::size_t first,
                   const MultiVectorView<double, Space>& to) {
  Kokkos::parallel_for(
      "tessera::distributed::near_nullspace::place",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(places.extent(0))),
      KOKKOS_LAMBDA(const Ordinal c) { to(first + c, 0) = given(places(c)); });
  exec.fence("tessera::distributed::near_nullspace");
}

/// Weights of as many rows as `squared` has, whose last ones are empty; none stay none.
template <class Space>
Array<double, Space> padded(const Space& exec, const Array<double, Space>& weights,
                            std::size_t num_rows) {
  if (weights.extent(0) == 0) return weights;
  const auto all = allocate<double>(exec, "tessera::distributed::weights", num_rows);
  Kokkos::deep_copy(exec, all, 1.0);
  Kokkos::deep_copy(exec, Kokkos::subview(all, std::make_pair(std::size_t(0), weights.extent(0))),
                    weights);
  return all;
}

}  // namespace

/// Of others' aggregates their own: what their rows say is that but for rounding, which depends on
/// the rows that have come. Collective.
template <class Space>
void Prolongator<Space>::fetch_near_nullspace(const Space& exec,
                                              const std::shared_ptr<const Communicator>& processes,
                                              const Vectors& coarse_vectors,
                                              const Vectors& near_nullspace) const {
  const auto& others = m_columns.others();
  std::vector<Partition::Global> ascending = others;
  std::ranges::sort(ascending);
  const Partition coarse(*processes, m_columns.num_own());
  const auto first_vector =
      allocate<double>(exec, "tessera::distributed::near_nullspace", coarse_vectors.extent(0));
  Kokkos::deep_copy(exec, first_vector, Kokkos::subview(coarse_vectors, Kokkos::ALL, 0));
  const auto all = with_halo(exec, Exchange<double, Space>(halo_plan(processes, coarse, ascending)),
                             first_vector);
  const auto own = static_cast<std::size_t>(m_columns.num_own());
  std::vector<Ordinal> places;
  for (const auto column : others)
    places.push_back(static_cast<Ordinal>(
        own + (std::ranges::lower_bound(ascending, column) - ascending.begin())));
  place_entries<Space>(exec, all, from_host(exec, places), own, near_nullspace);
}

/// By aggregate the near-nullspace vector that the tentative prolongator interpolates; of others'
/// aggregates from what has come of the fine ones.
template <class Space>
void Prolongator<Space>::take_near_nullspace(const Space& exec, const LevelRows<Space>& fine,
                                             const Vectors& fine_vectors,
                                             const Vectors& coarse_vectors, bool filters) {
  const auto m = fine_vectors.extent(1);
  m_tentative.coarse_near_nullspace =
      allocate_multivector<double>(exec, "tessera::distributed::near_nullspace",
                                   static_cast<std::size_t>(m_tentative.T.num_cols), m);
  if (!filters) return;
  const auto own =
      allocate<double>(exec, "tessera::distributed::near_nullspace", fine_vectors.extent(0));
  Kokkos::deep_copy(exec, own, Kokkos::subview(fine_vectors, Kokkos::ALL, 0));
  const auto fine_near_nullspace = with_halo(exec, fine.halo, own);
  const auto near_nullspace = m_tentative.coarse_near_nullspace;
  Kokkos::deep_copy(exec, near_nullspace, 0.0);
  divide_by_tentative<Space>(exec, m_tentative.T, fine_near_nullspace, near_nullspace);
  if (fine.processes->is_reproducible())
    fetch_near_nullspace(exec, fine.processes, coarse_vectors, near_nullspace);
  Kokkos::deep_copy(
      exec,
      Kokkos::subview(near_nullspace,
                      std::make_pair(std::size_t(0), static_cast<std::size_t>(m_columns.num_own())),
                      Kokkos::ALL),
      coarse_vectors);
  exec.fence("tessera::distributed::near_nullspace");
}

template <class Space>
auto Prolongator<Space>::make(const Space& exec, const Communicator& processes,
                              const LevelRows<Space>& fine, const SharedTentative<Space>& tentative,
                              const Vectors& fine_vectors, const Smoothing<Space>& how)
    -> const Rows& {
  const Rows& T = tentative.T;
  m_columns = tentative.columns;
  auto rows = fine.rows;
  const auto others = rows.pattern(exec, T, m_columns);
  const auto their_columns = m_columns.add<Space>(exec, others.columns);
  m_tentative.T = stacked_rows(exec, T, T.num_rows, others, their_columns, m_columns.size());
  rows.values(exec, T, values_below(m_tentative.T, T.num_entries()));
  m_tentative.block_size = 1;
  m_tentative.aggregate_of =
      aggregates_of<Space>(exec, m_tentative.T, static_cast<Ordinal>(fine_vectors.extent(1)));
  take_near_nullspace(exec, fine, fine_vectors, tentative.coarse_vectors, how.filter.theta > 0);
  if (how.omega_over_rho > 0) {
    const auto inverse = with_halo(exec, fine.halo, how.inverse_diagonal);
    on_all_processes(processes, [&] {
      m_smoothed = amg::smooth_prolongator(
          exec, squared(exec, fine.A).view(), inverse, how.omega_over_rho, m_tentative, how.filter,
          std::numeric_limits<std::size_t>::max(), padded(exec, how.weights, inverse.extent(0)));
    });
  } else {
    m_smoothed = m_tentative.T;
  }
  m_P = first_rows(exec, m_smoothed, fine.A.num_rows);
  const auto number = m_columns.keep(used_columns(exec, m_P, m_columns.num_own()));
  m_P = renumbered_others(exec, m_P, m_columns.num_own(), number, m_columns.size());
  return m_P;
}

template <class Space>
auto Prolongator<Space>::remake(const Space& exec, const Communicator& processes,
                                const LevelRows<Space>& fine, const Smoothing<Space>& how)
    -> const Rows& {
  if (!(how.omega_over_rho > 0)) return m_P;
  const auto inverse = with_halo(exec, fine.halo, how.inverse_diagonal);
  on_all_processes(processes, [&] {
    amg::smooth_prolongator_numeric(exec, squared(exec, fine.A).view(), inverse, how.omega_over_rho,
                                    m_tentative, m_smoothed, how.filter,
                                    std::numeric_limits<std::size_t>::max(),
                                    padded(exec, how.weights, inverse.extent(0)));
    exec.fence("tessera::distributed::Prolongator");
  });
  return m_P;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Prolongator)

}  // namespace tessera::distributed
