// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/prolongator.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <limits>
#include <utility>

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
/// to `fine`. Every row of an aggregate gives the same, but for rounding: the last one counts,
/// which becomes `last` of the aggregate.
template <class Space>
void divide_by_tentative(const Space& exec, const LocalRows<Space>& T,
                         const ArrayView<const double, Space>& fine,
                         const Array<Ordinal, Space>& last,
                         const MultiVectorView<double, Space>& near_nullspace) {
  const auto view = T.view();
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
  const auto& ascending = m_columns.ascending_others();
  const Partition coarse(*processes, m_columns.num_own());
  const Plan<Space> plan = halo_plan(exec, processes, coarse, ascending);
  const auto own = static_cast<std::size_t>(m_columns.num_own());
  Exchange<double, Space> halo;
  Array<double, Space> first_vector, all;
  Array<Ordinal, Space> places;
  on_all_processes(*processes, [&] {
    halo = Exchange<double, Space>(plan);
    halo.reserve(1);
    first_vector =
        allocate<double>(exec, "tessera::distributed::near_nullspace", coarse_vectors.extent(0));
    Kokkos::deep_copy(exec, first_vector, Kokkos::subview(coarse_vectors, Kokkos::ALL, 0));
    all = room_with_halo(exec, halo, first_vector.extent(0));
    places = places_among<Space>(exec, ascending, others, m_columns.num_own());
  });
  with_halo(exec, halo, first_vector, all);
  place_entries<Space>(exec, all, places, own, near_nullspace);
}

/// By aggregate the near-nullspace vector that the tentative prolongator interpolates; of others'
/// aggregates from what has come of the fine ones, by way of `room`.
template <class Space>
void Prolongator<Space>::take_near_nullspace(const Space& exec, const LevelRows<Space>& fine,
                                             const FilterRoom& room,
                                             const Vectors& coarse_vectors) {
  const auto near_nullspace = m_tentative.coarse_near_nullspace;
  with_halo(exec, fine.halo, room.own, room.all);
  Kokkos::deep_copy(exec, near_nullspace, 0.0);
  divide_by_tentative<Space>(exec, m_tentative.T, room.all, room.last, near_nullspace);
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

/// T with the rows `come` of others below, and room for what is yet to come. Sends nothing.
template <class Space>
void Prolongator<Space>::stack(const Space& exec, const Rows& T,
                               const typename RowExchange<Space>::Received& come,
                               const Vectors& fine_vectors) {
  const auto m = fine_vectors.extent(1);
  const auto their_columns = m_columns.add(exec, come.columns);
  m_tentative.T = stacked_rows(exec, T, T.num_rows, come, their_columns, m_columns.size());
  m_tentative.block_size = 1;
  m_tentative.aggregate_of = aggregates_of<Space>(exec, m_tentative.T, static_cast<Ordinal>(m));
  m_tentative.coarse_near_nullspace =
      allocate_multivector<double>(exec, "tessera::distributed::near_nullspace",
                                   static_cast<std::size_t>(m_tentative.T.num_cols), m);
}

/// The fine near-nullspace's first vector, and room for others' part of it. Sends nothing.
template <class Space>
auto Prolongator<Space>::filter_room(const Space& exec, const LevelRows<Space>& fine,
                                     const Vectors& fine_vectors) const -> FilterRoom {
  const char* const label = "tessera::distributed::near_nullspace";
  FilterRoom room;
  room.own = allocate<double>(exec, label, fine_vectors.extent(0));
  Kokkos::deep_copy(exec, room.own, Kokkos::subview(fine_vectors, Kokkos::ALL, 0));
  room.all = room_with_halo(exec, fine.halo, room.own.extent(0));
  room.last = allocate<Ordinal>(exec, label, m_tentative.coarse_near_nullspace.extent(0));
  return room;
}

template <class Space>
auto Prolongator<Space>::make(const Space& exec, const Communicator& processes,
                              const LevelRows<Space>& fine, const SharedTentative<Space>& tentative,
                              const Vectors& fine_vectors, const Smoothing<Space>& how)
    -> const Rows& {
  const Rows& T = tentative.T;
  const bool filters = how.filter.theta > 0;
  m_columns = tentative.columns;
  auto rows = fine.rows;
  const auto come = rows.pattern(exec, T, m_columns);
  FilterRoom room;
  Array<double, Space> inverse;
  on_all_processes(processes, [&] {
    stack(exec, T, come, fine_vectors);
    if (filters) room = filter_room(exec, fine, fine_vectors);
    if (how.omega_over_rho > 0)
      inverse = room_with_halo(exec, fine.halo, how.inverse_diagonal.extent(0));
  });
  rows.values(exec, T, values_below(m_tentative.T, T.num_entries()));
  if (filters) take_near_nullspace(exec, fine, room, tentative.coarse_vectors);
  if (how.omega_over_rho > 0) with_halo(exec, fine.halo, how.inverse_diagonal, inverse);
  on_all_processes(processes, [&] {
    m_smoothed = m_tentative.T;
    if (how.omega_over_rho > 0)
      m_smoothed = amg::smooth_prolongator(
          exec, squared(exec, fine.A).view(), inverse, how.omega_over_rho, m_tentative, how.filter,
          std::numeric_limits<std::size_t>::max(), padded(exec, how.weights, inverse.extent(0)));
    m_P = first_rows(exec, m_smoothed, fine.A.num_rows);
    const auto number = m_columns.keep(exec, used_columns(exec, m_P, m_columns.num_own()));
    m_P = renumbered_others(exec, m_P, m_columns.num_own(), number, m_columns.size());
  });
  return m_P;
}

template <class Space>
auto Prolongator<Space>::remake(const Space& exec, const Communicator& processes,
                                const LevelRows<Space>& fine, const Smoothing<Space>& how)
    -> const Rows& {
  if (!(how.omega_over_rho > 0)) return m_P;
  const auto inverse = with_halo(exec, processes, fine.halo, how.inverse_diagonal);
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
