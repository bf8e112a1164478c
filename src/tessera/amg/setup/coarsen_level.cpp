// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/coarsen_level.hpp"

#include "tessera/amg/coarsening/make_coarsening.hpp"
#include "tessera/amg/coarsening/smoothed_aggregation.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/amg/setup/level_galerkin_product.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/level_relaxation.hpp"
#include "tessera/amg/setup/store_level.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <optional>
#include <string>

namespace tessera::amg {
namespace detail {

/// What the parameters leave for the level below `fine`.
template <class Scalar, class Space, class Offset>
CoarseningLimits limits(const HierarchySetup<Scalar, Space, Offset>& setup,
                        const FineLevel<Scalar, Space, Offset>& fine,
                        std::vector<std::string>& notes) {
  const Parameters& p = setup.parameters;
  const Ordinal nodes = fine.A->num_rows() / fine.block_size;
  const auto finest_entries = static_cast<double>(setup.finest_entries);
  return {nodes,
          static_cast<double>(fine.A->num_entries()),
          p.max_coarsening_ratio * nodes,
          p.max_operator_complexity * finest_entries - static_cast<double>(setup.entries_so_far),
          finest_entries,
          notes};
}

/// Vectors of its own, or so many unit vectors as the level above has unknowns per node.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> near_nullspace_of(const Space& exec,
                                             const FineLevel<Scalar, Space, Offset>& fine,
                                             const CoarseLevel<Scalar, Space, Offset>& coarse) {
  const auto& given = coarse.near_nullspace;
  const auto n = static_cast<std::size_t>(coarse.A.num_rows);
  const auto m = given.extent(1) > 0 ? given.extent(1) : static_cast<std::size_t>(fine.block_size);
  require(n % m == 0 && (given.extent(1) == 0 || given.extent(0) == n), [&] {
    return "coarsening of level " + std::to_string(fine.number) + " made an operator of " +
           std::to_string(n) + " rows and " + std::to_string(given.extent(1)) +
           " near-nullspace vectors of length " + std::to_string(given.extent(0)) +
           "; expected vectors of that length, and rows in nodes of " + std::to_string(m);
  });
  if (given.extent(1) > 0) return given;
  return unit_vectors<Scalar, Space>(
      exec, {fine.block_size, coarse.A.num_rows / static_cast<Ordinal>(m)});
}

/// Whether the hierarchy goes on with `coarse`.
template <class Scalar, class Space, class Offset>
bool allows(const CoarseningLimits& limits, const FineLevel<Scalar, Space, Offset>& fine,
            const CoarseLevel<Scalar, Space, Offset>& coarse) {
  const auto m = static_cast<Ordinal>(coarse.near_nullspace.extent(1));
  const bool in_nodes = m > 0 && coarse.functions.extent(0) == 0;
  const Ordinal nodes = coarse.A.num_rows / (in_nodes ? m : fine.block_size);
  return limits.allow_nodes(nodes) && limits.allow_entries(coarse.A.num_entries());
}

/// Whether a graph whose nodes are in no order may be a line, of neighbours up to two points apart.
template <class Scalar, class Space, class Offset>
bool may_be_line(const FineLevel<Scalar, Space, Offset>& fine) {
  const auto A = fine.A->view();
  return static_cast<double>(A.num_entries) <= 5.0 * fine.block_size * A.num_rows;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void choose_coarsening(const HierarchySetup<Scalar, Space, Offset>& setup,
                       const std::vector<LevelInfo>& above,
                       SetupLevel<Scalar, Space, Offset>& here) {
  LevelCoarsening how = coarsening_of_level(uniform_coarsening(setup.parameters),
                                            here.chosen.coarsening, here.fine.number);
  // To look for a box that cannot be there takes a wait or more on each level.
  auto& groups = how.smoothed_aggregation.aggregation;
  const bool is_in_no_order = !above.empty() &&
                              above.back().aggregation.starts_with(grouped_by_mis2) &&
                              !detail::may_be_line(here.fine);
  if (is_in_no_order && groups == Aggregation::automatic) groups = Aggregation::mis2;
  here.coarsening_name = coarsening_name(how.type);
  here.coarsening = make_coarsening(here.fine, how, setup.keeps_pattern);
}

template <class Scalar, class Space, class Offset>
bool coarsen_level(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                   SetupLevel<Scalar, Space, Offset>& here, NearNullspace<Scalar, Space>& B,
                   PhaseTimer<Space>& timer, std::vector<std::string>& notes) {
  const Parameters& p = setup.parameters;
  const auto& fine = here.fine;
  if (fine.number + 1 >= p.max_levels) {
    notes.push_back("stopped at max_levels = " + std::to_string(p.max_levels));
    return false;
  }
  const CoarseningLimits limits = detail::limits(setup, fine, notes);
  LevelGalerkinProduct<Scalar, Space, Offset> product(here, setup.keeps_pattern, timer);
  auto coarse = here.coarsening->initialize(exec, fine, B.view(), limits, product, timer);
  if (!coarse || !detail::allows(limits, fine, *coarse)) {
    coarse.reset();
    here.storage.coarse_tiles.reset();
    restore_values(exec, here);
    return false;
  }
  B.replace(detail::near_nullspace_of(exec, fine, *coarse));
  coarse->near_nullspace = {};
  notes.insert(notes.end(), coarse->notes.begin(), coarse->notes.end());
  setup.entries_so_far += coarse->A.num_entries();
  // A copy: what Views were moved from may hold their arrays still (Kokkos 4.6 on CUDA).
  here.coarse = *coarse;
  require_points(here);
  return true;
}

template <class Scalar, class Space, class Offset>
LevelInfo coarsened_level_info(const Level<Scalar, Space>& level,
                               const SetupLevel<Scalar, Space, Offset>& here) {
  LevelInfo info = level_info(level, here.chosen.smoother);
  info.aggregation = here.coarse.aggregation;
  info.products = here.storage.coarse_tiles ? "mbsr" : "csr";
  info.coarsening = here.coarsening_name;
  return info;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, choose_coarsening)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, coarsen_level)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, coarsened_level_info)

/// The largest of all rows' sum of |a_ij|, j != i, over |a_ii|: theta. All eigenvalues of D^-1 A
/// lie within theta of 1 (Gershgorin), so that a Jacobi sweep damped by omega <= 1 leaves at most
/// 1 - omega (1 - theta) of an error's largest entry. Infinite where a coupled row has no diagonal;
/// waits once.
template <class Scalar, class Space, class Offset>
double off_diagonal_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

template <class Scalar, class Space, class Offset>
double off_diagonal_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  double share = 0;
  Kokkos::parallel_reduce(
      "tessera::amg::off_diagonal_share", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, double& largest) {
        double diagonal = 0;
        double beside = 0;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const auto value = static_cast<double>(A.values(e));
          if (A.columns(e) == i) {
            diagonal += value;
          } else {
            beside += Kokkos::fabs(value);
          }
        }
        const double ratio = beside == 0 ? 0 : beside / Kokkos::fabs(diagonal);
        // A NaN decides nothing, and fmax would pass it over.
        largest = ratio <= largest
                      ? largest
                      : (ratio >= 0 ? ratio : Kokkos::Experimental::infinity_v<double>);
      },
      Kokkos::Max<double>(share));
  exec.fence("tessera::amg::off_diagonal_share");
  return share;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, off_diagonal_share)

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
    finish_level(exec, setup.parameters, setup.levels.back(), false, levels.emplace_back(), timer);
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
