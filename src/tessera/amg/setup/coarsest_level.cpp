// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/coarsest_level.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/diagonal_dominance.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/store_level.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

template <class Scalar, class Space, class Offset>
bool make_coarse_solver(const Space& exec, const HierarchySetup<Scalar, Space, Offset>& setup,
                        CoarseSolver<Scalar, Space>& solver) {
  const auto& last = setup.levels.back().fine;
  if (last.A->num_rows() <= setup.parameters.max_dense_size)
    return solver.try_setup(exec, last.A->view(), setup.coarsest_near_nullspace, setup.nullspace);
  const double seconds =
      rules::coarse_factor_seconds_per_entry * static_cast<double>(setup.finest_entries);
  return kernels::is_host_space<Space> &&
         solver.try_setup_sparse(exec, last.A->view(), setup.symmetric, seconds);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool solve_coarsest(const Space& exec, const HierarchySetup<Scalar, Space, Offset>& setup,
                    PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy) {
  timer.start(exec, "coarse solver");
  CoarseSolver<Scalar, Space>& solver = hierarchy.coarse_solver;
  if (!detail::make_coarse_solver(exec, setup, solver)) return false;
  hierarchy.info.levels.back().aggregation =
      (solver.is_sparse() ? "sparse " : "dense ") + solver.description();
  return true;
}

template <class Scalar, class Space, class Offset>
bool end_hierarchy(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                   const NearNullspace<Scalar, Space>& B, bool is_relaxed_level,
                   PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  const auto& last = setup.levels.back().fine;
  if (!is_relaxed_level) {
    finish_level(exec, setup.levels.back(), false, levels.emplace_back(), timer);
    info.levels.push_back(level_info(levels.back(), {}));
  }
  const bool large = last.A->num_rows() > setup.parameters.max_dense_size;
  const bool by_diagonal =
      is_relaxed_level && off_diagonal_share(exec, last.A->view()) <= rules::decided_by_diagonal;
  setup.coarsest_near_nullspace = B.copy(exec);
  const int sweeps = setup.parameters.coarse_sweeps;
  const bool asked = sweeps > 0;
  const bool solved = !asked && !by_diagonal && solve_coarsest(exec, setup, timer, hierarchy);
  if (!solved && !asked && !by_diagonal && !large) return false;
  hierarchy.coarsest_is_relaxed = !solved;
  hierarchy.coarse_sweeps = asked ? sweeps : rules::default_coarse_sweeps.value;
  if (solved) {
    levels.back().smoother.reset();
    info.levels.back().smoother.clear();
    return true;
  }
  info.levels.back().aggregation = "relaxed";
  if (!asked) {
    info.notes.push_back(
        "the coarsest level has " + std::to_string(last.A->num_rows()) + " unknowns, " +
        (by_diagonal ? "each decided by its diagonal," : "more than max_dense_size,") +
        " and is relaxed instead of solved");
  }
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, end_hierarchy)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, solve_coarsest)

}  // namespace tessera::amg
