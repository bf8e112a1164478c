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
  const auto ghosts = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      Kokkos::subview(all, std::make_pair(static_cast<std::size_t>(own), points.num_here())));
  m_number_of_ghosts.assign(ghosts.data(), ghosts.data() + ghosts.extent(0));
  for (const Global coarse : m_number_of_ghosts)
    if (coarse >= 0) m_numbers.others.push_back(coarse);
}

template <class Space>
Array<const Ordinal, Space> CoarseNumbers<Space>::by_point(const Space& exec,
                                                           const OrderedNumbers& points) const {
  std::vector<Ordinal> of_others(points.others.size(), -1);
  const PlacesInOrder coarse(m_numbers);
  Ordinal next = 0;
  for (std::size_t g = 0; g < m_ghosts.size(); ++g) {
    if (m_number_of_ghosts[g] < 0) continue;
    of_others[static_cast<std::size_t>(points.place_among_others(m_ghosts[g]))] =
        coarse.place(m_numbers.num_own + next++);
  }
  const PlacesInOrder places(points);
  const auto other = from_host(exec, of_others);
  const auto own = m_own;
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        static_cast<std::size_t>(points.size()));
  Kokkos::parallel_for(
      "tessera::distributed::coarse_number", Kokkos::RangePolicy<Space>(exec, 0, points.size()),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal j = places.own_first(i);
        if (j >= places.num_own) {
          number(i) = other(j - places.num_own);
        } else {
          number(i) = own(j) < 0 ? -1 : coarse.num_before + own(j);
        }
      });
  exec.fence("tessera::distributed::coarse_number");
  return number;
}

template <class Space>
Array<const Ordinal, Space> CoarseNumbers<Space>::own_first(const Space& exec) const {
  std::vector<Ordinal> of_others;
  of_others.reserve(m_number_of_ghosts.size());
  const PlacesInOrder coarse(m_numbers);
  Ordinal next = 0;
  for (const auto number : m_number_of_ghosts)
    of_others.push_back(number < 0 ? -1 : coarse.place(m_numbers.num_own + next++));
  const auto other = from_host(exec, of_others);
  const auto own = m_own;
  const auto num_own = static_cast<Ordinal>(own.extent(0));
  const auto number = allocate<Ordinal>(exec, "tessera::distributed::coarse_number",
                                        own.extent(0) + of_others.size());
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
