// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/coarse_numbers.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace coarse_numbers_detail {

/// Among the coarse points of all processes, of own points. By itself, for nvcc takes no such loop
/// in a constructor.
template <class Space>
void number_own_points(const Space& exec, const Array<const Ordinal, Space>& number,
                       Partition::Global first, const Array<Partition::Global, Space>& all) {
  Kokkos::parallel_for(
      "tessera::distributed::coarse_numbers", Kokkos::RangePolicy<Space>(exec, 0, number.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        all(i) = number(i) < 0 ? Partition::Global(-1) : first + number(i);
      });
  exec.fence("tessera::distributed::coarse_numbers");
}

/// With the coarse ones of ghosts, whose numbers `of_ghosts` has; `place` becomes theirs in the
/// order of all.
template <class Space>
OrderedNumbers<Space> number_ghosts(const Space& exec, const GlobalNumbers<Space>& of_ghosts,
                                    Partition::Global first, Ordinal num_own,
                                    const Array<Ordinal, Space>& place) {
  const Kokkos::RangePolicy<Space> ghosts(exec, 0, static_cast<Ordinal>(place.extent(0)));
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::coarse_numbers::count", ghosts,
      KOKKOS_LAMBDA(const Ordinal g, Ordinal& before, const bool is_last) {
        const bool is_coarse = of_ghosts(g) >= 0;
        if (is_last) place(g) = is_coarse ? before : -1;
        if (is_coarse) ++before;
      },
      count);
  exec.fence("tessera::distributed::coarse_numbers");
  const auto others = allocate<Partition::Global>(exec, "tessera::distributed::coarse_numbers",
                                                  static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "tessera::distributed::coarse_numbers::take", ghosts, KOKKOS_LAMBDA(const Ordinal g) {
        if (place(g) >= 0) others(place(g)) = of_ghosts(g);
      });
  const auto numbers = ordered_numbers(exec, first, num_own, others);
  const PlacesInOrder places(numbers);
  Kokkos::parallel_for(
      "tessera::distributed::coarse_numbers::place", ghosts, KOKKOS_LAMBDA(const Ordinal g) {
        if (place(g) >= 0) place(g) = places.place(num_own + place(g));
      });
  exec.fence("tessera::distributed::coarse_numbers");
  return numbers;
}

}  // namespace coarse_numbers_detail

template <class Space>
CoarseNumbers<Space>::CoarseNumbers(const Space& exec, const LevelPoints<Space>& points,
                                    const Array<std::int8_t, Space>& is_coarse)
    : m_ghosts(points.ghosts) {
  using Global = Partition::Global;
  const Ordinal own = points.num_own();
  Array<Global, Space> all;
  NodeHalo<Space> halo;
  on_all_processes(*points.processes, [&] {
    halo = NodeHalo<Space>(points.halo);
    all = allocate<Global>(exec, "tessera::distributed::coarse_numbers", points.num_here());
    const auto split = amg::number_coarse_points(
        exec,
        Array<std::int8_t, Space>(Kokkos::subview(is_coarse, std::make_pair(Ordinal(0), own))));
    m_own = split.coarse_number;
    m_numbers.num_own = split.num_coarse;
  });
  m_numbers.first = Partition(*points.processes, m_numbers.num_own).first();
  coarse_numbers_detail::number_own_points<Space>(exec, m_own, m_numbers.first, all);
  halo.fill(exec, all);
  on_all_processes(*points.processes, [&] {
    m_place_of_ghosts = allocate<Ordinal>(exec, "tessera::distributed::coarse_numbers",
                                          points.num_here() - static_cast<std::size_t>(own));
    m_numbers = coarse_numbers_detail::number_ghosts<Space>(
        exec,
        Kokkos::subview(all, std::make_pair(static_cast<std::size_t>(own), points.num_here())),
        m_numbers.first, m_numbers.num_own, m_place_of_ghosts);
  });
}

template <class Space>
Array<const Ordinal, Space> CoarseNumbers<Space>::by_point(
    const Space& exec, const OrderedNumbers<Space>& points) const {
  const PlacesInOrder coarse(m_numbers);
  const PlacesInOrder places(points);
  const auto others = points.others, ghosts = m_ghosts;
  const auto place_of_ghosts = m_place_of_ghosts;
  const auto own = m_own;
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        static_cast<std::size_t>(points.size()));
  Kokkos::parallel_for(
      "tessera::distributed::coarse_number", Kokkos::RangePolicy<Space>(exec, 0, points.size()),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal j = places.own_first(i);
        if (j >= places.num_own) {
          const std::int64_t other = others(j - places.num_own);
          const Ordinal g = place_in(ghosts, other);
          const bool is_ghost = g < static_cast<Ordinal>(ghosts.extent(0)) && ghosts(g) == other;
          number(i) = is_ghost ? place_of_ghosts(g) : -1;
        } else {
          number(i) = own(j) < 0 ? -1 : coarse.num_before + own(j);
        }
      });
  exec.fence("tessera::distributed::coarse_number");
  return number;
}

template <class Space>
Array<const Ordinal, Space> CoarseNumbers<Space>::own_first(const Space& exec) const {
  const PlacesInOrder coarse(m_numbers);
  const auto other = m_place_of_ghosts;
  const auto own = m_own;
  const auto num_own = static_cast<Ordinal>(own.extent(0));
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        own.extent(0) + other.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::coarse_number",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(number.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (i >= num_own) {
          number(i) = other(i - num_own);
        } else {
          number(i) = own(i) < 0 ? -1 : coarse.num_before + own(i);
        }
      });
  exec.fence("tessera::distributed::coarse_number");
  return number;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, CoarseNumbers)

}  // namespace tessera::distributed
