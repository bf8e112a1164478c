// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nodes that rounds of a graph algorithm have not decided yet.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <utility>

namespace tessera::kernels::detail {

/// The nodes that a round still visits, and room for those that the next one does. How many
/// there are the device counts; a launch is as large as the host last knew them to be.
template <class Space>
struct NodeWorklist {
  Array<Ordinal, Space> list;  ///< empty: all nodes
  Array<Ordinal, Space> spare;
  Ordinal bound = 0;
  ArrayView<const Ordinal, Space> length;  ///< one; empty: it is `bound`
};

/// A pass over a worklist that keeps some of it: visit(v) says whether node v is kept. A team's
/// nodes stay in order, the teams' come as they are done, which no result depends on: a pass
/// reads what others wrote and writes what is v's.
template <class Space, class Visit>
struct WorklistPass {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int team = is_host_space<Space> ? 1 : 256;
  static constexpr int visits = is_host_space<Space> ? 32 : 1;  ///< of a thread

  Visit visit;
  NodeWorklist<Space> work;
  ArrayView<Ordinal, Space> num_kept;  ///< one, 0 before

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t end = work.length.extent(0) == 0 ? work.bound : work.length(0);
    const std::int64_t first_of_team =
        static_cast<std::int64_t>(member.league_rank()) * team * visits;
    if (first_of_team >= end) return;  // the team agrees
    const std::int64_t first = first_of_team + member.team_rank() * visits;
    std::uint32_t keeps = 0;
    for (int i = 0; i < visits; ++i) {
      if (first + i < end && visit(node(first + i))) keeps |= std::uint32_t(1) << i;
    }
    const auto mine = static_cast<Ordinal>(Kokkos::Experimental::popcount_builtin(keeps));
    Ordinal position = member.team_scan(mine, num_kept.data());
    for (int i = 0; i < visits; ++i) {
      if ((keeps >> i & 1u) != 0) work.spare(position++) = node(first + i);
    }
  }

  KOKKOS_INLINE_FUNCTION Ordinal node(std::int64_t at) const {
    return work.list.extent(0) == 0 ? static_cast<Ordinal>(at) : work.list(at);
  }
};

/// `work` becomes those of it that `visit` keeps.
template <class Space, class Visit>
void visit_and_keep(const Space& exec, const char* label, NodeWorklist<Space>& work,
                    const ArrayView<Ordinal, Space>& num_kept, const Visit& visit) {
  using Pass = WorklistPass<Space, Visit>;
  constexpr int nodes = Pass::team * Pass::visits;
  if (work.bound > 0) {
    Kokkos::parallel_for(
        label, Kokkos::TeamPolicy<Space>(exec, (work.bound - 1) / nodes + 1, Pass::team, 1),
        Pass{visit, work, num_kept});
  }
  std::swap(work.list, work.spare);
  work.length = num_kept;
}

/// visit(v) for the nodes of a list.
template <class Space, class Visit>
struct VisitListed {
  NodeWorklist<Space> work;
  Visit visit;

  KOKKOS_FUNCTION void operator()(Ordinal at) const {
    if (work.length.extent(0) == 0 || at < work.length(0)) visit(work.list(at));
  }
};

/// visit(v) for all of `work`, which is a list.
template <class Space, class Visit>
void visit_all(const Space& exec, const char* label, const NodeWorklist<Space>& work,
               const Visit& visit) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, work.bound),
                       VisitListed<Space, Visit>{work, visit});
}

}  // namespace tessera::kernels::detail
