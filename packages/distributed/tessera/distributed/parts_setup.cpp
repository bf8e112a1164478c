// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/parts_setup.hpp"

#include "tessera/distributed/limited_setup.hpp"
#include "tessera/distributed/numbered_parts.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::distributed {
namespace {

template <class Space>
PatternOfParts pattern_of(const Space& exec, const RowsInParts<Space>& rows) {
  return {pattern_hash(exec, rows.own), pattern_hash(exec, rows.ghost)};
}

/// What setup and updates ask for: without `amg.reuse` each update joins rows itself.
template <class Space>
Numbered<Space> needed_of(const SolverState<Space>& state, Numbered<Space> joined) {
  if (state.given.solve.amg.reuse == amg::Reuse::none) joined.place = {};
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
        return needed_of(state, numbered_parts(exec, state.processes, rows, state.keeps_levels()));
      },
      near_nullspace);
  state.pattern = pattern_of(exec, rows);
}

template <class Space>
void take_parts(const Space& exec, SolverState<Space>& state, const RowsInParts<Space>& rows) {
  require(state.A.matrix.parts != nullptr,
          [] { return std::string("setup_parts comes before update_parts"); });
  state.take_values([&] {
    state.A = needed_of(state, with_parts(exec, state.A, rows, state.keeps_levels()));
    state.prepare(exec, state.A.matrix);
  });
  state.free_joined_rows();
  state.kept_by_setup = state.kept_bytes;
}

template <class Space>
bool has_pattern(const Space& exec, const SolverState<Space>& state,
                 const RowsInParts<Space>& rows) {
  return state.pattern && are_same<Space>(exec, rows.ghosts, state.A.matrix.ghosts) &&
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
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, has_pattern)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, join_again)

}  // namespace tessera::distributed
