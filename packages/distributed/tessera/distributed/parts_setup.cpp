// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/parts_setup.hpp"

#include "tessera/distributed/limited_setup.hpp"
#include "tessera/distributed/numbered_parts.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::distributed {
namespace {

template <class Space>
PatternOfParts pattern_of(const Space& exec, const RowsInParts<Space>& rows) {
  return {pattern_hash(exec, rows.own), pattern_hash(exec, rows.ghost)};
}

/// Whether levels keep ghosts and a halo for the next update, when the arrays given may be gone.
template <class Space>
bool keeps_lists(const SolverState<Space>& state) {
  return state.given.solve.amg.reuse != amg::Reuse::none;
}

/// The rows with lists that levels may keep: copies, unless the device has its own anyway.
/// Collective.
template <class Space>
RowsInParts<Space> with_kept_lists(const Communicator& processes, RowsInParts<Space> rows) {
  on_all_processes(processes, [&] {
    if constexpr (kernels::is_host_space<Space>) {
      rows.ghosts = host_array(rows.ghosts.data(), rows.ghosts.extent(0));
      if (rows.halo)
        rows.halo->exports = host_array(rows.halo->exports.data(), rows.halo->exports.extent(0));
    }
  });
  return rows;
}

/// What setup and updates ask for: without `amg.reuse` each update joins rows itself.
template <class Space>
Numbered<Space> needed_of(const SolverState<Space>& state, Numbered<Space> joined) {
  if (!keeps_lists(state)) joined.place = {};
  return joined;
}

}  // namespace

template <class Space>
void set_up_parts(const Space& exec, SolverState<Space>& state, const RowsInParts<Space>& rows,
                  const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace) {
  state.pattern.reset();
  set_up<Space>(
      exec, state,
      [&] {
        const auto given = keeps_lists(state) ? with_kept_lists(*state.processes, rows) : rows;
        return needed_of(state, numbered_parts(exec, state.processes, given, state.keeps_levels()));
      },
      near_nullspace);
  state.pattern = pattern_of(exec, rows);
}

template <class Space>
void take_parts(const Space& exec, SolverState<Space>& state, const RowsInParts<Space>& rows) {
  require(state.A.matrix.parts != nullptr,
          [] { return std::string("setup_parts comes before update_parts"); });
  state.take_values([&] {
    state.A = needed_of(state,
                        with_parts(exec, state.A, rows, state.keeps_levels(), !keeps_lists(state)));
    state.prepare(exec, state.A.matrix);
  });
  state.free_joined_rows();
  state.kept_by_setup = state.kept_bytes;
}

template <class Space>
bool shares_exports(const SolverState<Space>& state) {
  return kernels::is_host_space<Space> && state.A.has_given_lists && !keeps_lists(state) &&
         state.A.matrix.halo != nullptr;
}

template <class Space>
void move_exports(SolverState<Space>& state, const HostArray<Ordinal>& exports) {
  if constexpr (kernels::is_host_space<Space>) {
    if (!shares_exports(state)) return;
    // Whatever sends along the plan reads its list there.
    std::const_pointer_cast<CommunicationPlan<Space>>(state.A.matrix.halo)->exports = exports;
  }
}

template <class Space>
bool has_pattern(const Space& exec, const SolverState<Space>& state,
                 const RowsInParts<Space>& rows) {
  return state.pattern && pattern_hash(rows.ghosts) == state.A.ghosts &&
         pattern_of(exec, rows) == *state.pattern;
}

template <class Space>
void join_again(const Space& exec, SolverState<Space>& state) {
  if (state.A.matrix.parts == nullptr) return;
  on_all_processes(*state.processes, [&] { rejoin(exec, state.A, state.keeps_levels()); });
}

#define TESSERA_INSTANTIATE_SET_UP_PARTS(Space)                                                   \
  template void set_up_parts<Space>(const Space&, SolverState<Space>&, const RowsInParts<Space>&, \
                                    const ConstMultiVectorView<double, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SET_UP_PARTS)
#undef TESSERA_INSTANTIATE_SET_UP_PARTS
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, take_parts)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, shares_exports)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, move_exports)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, has_pattern)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, join_again)

}  // namespace tessera::distributed
