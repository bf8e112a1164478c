// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/hierarchy_builder.hpp"

#include "tessera/amg/check_candidates.hpp"
#include "tessera/amg/diagonal_dominance.hpp"
#include "tessera/amg/level_choices.hpp"
#include "tessera/amg/level_info.hpp"
#include "tessera/amg/level_products.hpp"
#include "tessera/amg/level_storage.hpp"
#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/prepare_level.hpp"
#include "tessera/core/magnitudes.hpp"
#include "tessera/core/symmetry_probe.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>

namespace tessera::amg {
namespace detail {

/// The size at which coarsening ends: the user's, or ours, for a device pays a launch for every
/// level, and a host the cube of the size. Never more than is solved densely: relaxation alone
/// would be a poor end.
template <class Space>
int coarse_size(const Parameters& p) {
  const int open = kernels::is_host_space<Space> ? 200 : 150;
  return std::min(p.coarse_size > 0 ? p.coarse_size : open, p.max_dense_size);
}

/// What factors of a coarsest level may take for each entry of the finest, in seconds: some tens of
/// cycles, as many as relaxation in their place costs.
inline constexpr double sparse_seconds_per_entry = 2e-6;

/// Applications of the smoother to a coarsest level that cannot be solved.
inline constexpr int usual_coarse_sweeps = 17;

template <class Scalar, class Space>
std::string how_solved(const CoarseSolver<Scalar, Space>& solver) {
  return (solver.is_sparse() ? "sparse " : "dense ") + solver.description();
}

void check_arguments(Ordinal num_rows, Ordinal num_cols, int block_size) {
  require(num_rows == num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(num_rows) + " by " +
           std::to_string(num_cols);
  });
  require(block_size >= 1 && num_rows % block_size == 0, [&] {
    return "block_size must divide the number of rows: " + std::to_string(block_size) +
           " does not divide " + std::to_string(num_rows);
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::solve_coarsest(const Space& exec,
                                                             Hierarchy<Scalar, Space>& hierarchy,
                                                             PhaseTimer<Space>& timer) {
  timer.start(exec, "coarse solver");
  const Fine& last = m_levels.back().fine;
  if (last.A->num_rows() > m_parameters.max_dense_size) {
    const double seconds = detail::sparse_seconds_per_entry * static_cast<double>(m_finest_entries);
    return kernels::is_host_space<Space> &&
           hierarchy.coarse_solver.try_setup_sparse(exec, last.A->view(), m_symmetric, seconds);
  }
  return hierarchy.coarse_solver.try_setup(exec, last.A->view(), m_coarsest_candidates,
                                           m_nullspace);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::narrows(const LevelParameters& chosen) const {
  return std::is_same_v<Scalar, double> && chosen.vectors == VectorScalar::float32;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::descend_in_float(
    const Space& exec, const std::optional<LevelParameters>& chosen,
    const Candidates<Scalar, Space>& B, const CoarseningState& state, PhaseTimer<Space>& timer,
    Hierarchy<Scalar, Space>& hierarchy) {
  if constexpr (std::is_same_v<Scalar, double>) {
    timer.start(exec, "change of precision");
    Fine& fine = m_levels.back().fine;
    auto tail = std::make_unique<Tail>(m_parameters, m_keeps_pattern);
    tail->m_first_level = m_first_level + static_cast<int>(m_levels.size()) - 1;
    tail->m_first_choice = chosen;
    tail->m_nullspace = m_nullspace;
    auto levels = std::make_shared<Hierarchy<float, Space>>();
    CoarseningState below{
        state.finest_entries, state.entries_so_far, levels->info.notes, state.depth, state.box,
        state.aggregation,    state.symmetric};
    const auto candidates = allocate_multivector<float>(exec, "tessera::amg::candidates",
                                                        B.view().extent(0), B.view().extent(1));
    kernels::copy(exec, B.view(), MultiVectorView<float, Space>(candidates));
    bool fits = float_has_room_for(magnitudes(exec, fine.A->view())) &&
                usable_candidates<float, Space>(exec, candidates);
    if (fits) {
      Candidates<float, Space> B_float(exec, fine.A->num_rows(), candidates, fine.block_size);
      // Tiles, if its products are of tiles, it makes from these rows.
      auto A = std::make_shared<StoredCsr<float, Space, Offset>>(
          exec, kernels::convert_values<float>(exec, fine.A->matrix()));
      fits = tail->descend(exec, {std::move(A), {}, 0, fine.block_size}, B_float, below, timer,
                           *levels);
    }
    if (fits) {
      m_tail = std::move(tail);
      const auto& told = levels->info;
      auto& info = hierarchy.info;
      info.levels.insert(info.levels.end(), told.levels.begin(), told.levels.end());
      info.notes.insert(info.notes.end(), told.notes.begin(), told.notes.end());
      hierarchy.tail = std::move(levels);
      if (!m_keeps_pattern) fine = {};
      return true;
    }
    hierarchy.info.notes.push_back("vectors of level " + std::to_string(tail->m_first_level) +
                                   " in double: float does not hold the levels from there on");
  }
  return false;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::descend(const Space& exec, Fine fine,
                                                      Candidates<Scalar, Space>& B,
                                                      CoarseningState& state,
                                                      PhaseTimer<Space>& timer,
                                                      Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  hierarchy.first_level = m_first_level;
  m_symmetric = state.symmetric;
  m_finest_entries = state.finest_entries;
  m_levels.clear();
  m_tail.reset();
  m_levels.emplace_back().fine = std::move(fine);
  const int coarse_size = detail::coarse_size<Space>(m_parameters);
  bool ended = false;
  while (!ended) {
    SetupLevel& here = m_levels.back();
    here.number = m_first_level + static_cast<int>(levels.size());
    const bool is_small = here.fine.A->num_rows() <= coarse_size;
    const bool is_coarsest = is_small && m_parameters.coarse_sweeps == 0;
    // The callback is asked of levels that are relaxed alone, once their spectral radius is known.
    const bool is_listed = is_coarsest || !m_parameters.choose_level;
    if (is_listed && narrows(listed_choice(m_parameters, here.number)) &&
        descend_in_float(exec, {}, B, state, timer, hierarchy))
      return true;
    if (is_coarsest) break;
    if (!prepare_level(exec, m_parameters, here.fine, timer)) return false;
    here.chosen = m_first_choice && levels.empty()
                      ? *m_first_choice
                      : choices_for(m_parameters, here.fine, here.number, m_symmetric);
    if (!is_listed && narrows(here.chosen) &&
        descend_in_float(exec, here.chosen, B, state, timer, hierarchy))
      return true;
    pick_storage(exec, B, here);
    const bool is_last = is_small || here.number + 1 >= m_parameters.max_levels;
    if (!is_last) choose_products(exec, m_parameters, here, timer);
    Level<Scalar, Space>& level = levels.emplace_back();
    finish_level(exec, here, true, level, timer);
    std::optional<Coarse> coarse;
    if (is_last && !is_small)
      info.notes.push_back("stopped at max_levels = " + std::to_string(m_parameters.max_levels));
    if (!is_last) {
      here.coarsening = make_coarsening<Scalar, Space, Offset>(m_parameters, m_keeps_pattern);
      coarse = here.coarsening->initialize(exec, here.fine, B, state, timer);
    }
    ended = !coarse;
    std::string products;
    Fine next;
    if (coarse) {
      here.coarse = std::move(*coarse);
      note_products(here);
      products = here.coarse.tiles ? "mbsr" : "csr";
      next = plan_products(exec, here, static_cast<int>(B.count()), timer);
      connect_levels(exec, m_parameters, m_symmetric, here, level, timer);
    }
    info.levels.push_back(level_info(level, here.chosen.smoother));
    info.levels.back().aggregation = state.aggregation;
    info.levels.back().products = products;
    if (!ended && !m_keeps_pattern) {
      // Of use for new values alone: what the levels go on with, they have a share in.
      SetupLevel kept;
      kept.number = here.number;
      kept.chosen = here.chosen;
      kept.notes = std::move(here.notes);
      here = std::move(kept);
    }
    info.levels.back().setup_ms = timer.lap();
    if (!ended) m_levels.emplace_back().fine = std::move(next);
  }
  return end(exec, B, ended, timer, hierarchy);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::end(const Space& exec,
                                                  const Candidates<Scalar, Space>& B,
                                                  bool is_relaxed_level, PhaseTimer<Space>& timer,
                                                  Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  const Fine& last = m_levels.back().fine;
  if (!is_relaxed_level) {
    finish_level(exec, m_levels.back(), false, levels.emplace_back(), timer);
    info.levels.push_back(level_info(levels.back(), {}));
  }
  const bool large = last.A->num_rows() > m_parameters.max_dense_size;
  const bool by_diagonal =
      is_relaxed_level && off_diagonal_share(exec, last.A->view()) <= decided_by_diagonal;
  m_coarsest_candidates = B.copy(exec);
  const bool asked = m_parameters.coarse_sweeps > 0;
  const bool solved = !asked && !by_diagonal && solve_coarsest(exec, hierarchy, timer);
  if (!solved && !asked && !by_diagonal && !large) return false;
  hierarchy.coarsest_is_relaxed = !solved;
  hierarchy.coarse_sweeps = asked ? m_parameters.coarse_sweeps : detail::usual_coarse_sweeps;
  if (solved) {
    info.levels.back().aggregation = detail::how_solved(hierarchy.coarse_solver);
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

template <class Scalar, class Space, class Offset>
std::vector<std::string> HierarchyBuilder<Scalar, Space, Offset>::level_notes() const {
  std::vector<std::string> all;
  const auto append = [&](const std::vector<std::string>& notes) {
    all.insert(all.end(), notes.begin(), notes.end());
  };
  for (const SetupLevel& level : m_levels) {
    append(level.notes.products);
    append(level.notes.A);
    append(level.notes.connection);
  }
  if (m_tail != nullptr) append(m_tail->level_notes());
  return all;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::complete(const Space& exec, PhaseTimer<Space>& timer,
                                                       HierarchyInfo& info) {
  const auto notes = level_notes();
  info.notes.insert(info.notes.end(), notes.begin(), notes.end());
  m_num_level_notes = notes.size();
  timer.stop(exec);
  info.levels.back().setup_ms += timer.lap();
  info.setup_phases_ms = timer.phases();
  info.setup_ms = timer.total_ms();
  sum_complexities(info);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::build(
    const Space& exec, const Csr& A, const ConstMultiVectorView<Scalar, Space>& candidates,
    int block_size, const std::vector<int>& nullspace, Hierarchy<Scalar, Space>& hierarchy) {
  detail::check_arguments(A.num_rows, A.num_cols, block_size);
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  const ArrayPool<Space> pool(exec, pools_memory<Space>(m_parameters));
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  hierarchy = {};
  Candidates<Scalar, Space> B(exec, A.num_rows, candidates, block_size);
  CoarseningState state{A.num_entries(), A.num_entries(), hierarchy.info.notes};
  timer.start(exec, "analyse");
  auto finest = std::make_shared<StoredA>(exec, A);
  state.symmetric = m_parameters.symmetry == AssumedSymmetry::automatic
                        ? looks_symmetric(exec, finest->view(), finest->plan())
                        : m_parameters.symmetry == AssumedSymmetry::symmetric;
  m_nullspace = nullspace;
  if (!descend(exec, {std::move(finest), {}, 0, block_size}, B, state, timer, hierarchy))
    return false;
  complete(exec, timer, hierarchy.info);
  return true;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::refresh_coarse(const Space& exec,
                                                             bool keeps_interpolation,
                                                             std::size_t depth,
                                                             Level<Scalar, Space>& level,
                                                             PhaseTimer<Space>& timer) {
  SetupLevel& here = m_levels[depth];
  if (!keeps_interpolation) unscale_restriction(exec, here);
  here.coarsening->compute(exec, here.fine, keeps_interpolation, here.coarse, timer);
  if (keeps_interpolation) return;
  // Plans hold for new values. The patterns of R and the coarse operator follow the values where A
  // is not symmetric.
  if (!m_symmetric) {
    const Fine next = plan_products(exec, here, 0, timer);
    SetupLevel& below = m_levels[depth + 1];
    below.fine.A = next.A;
    below.fine.tiles = next.tiles;
    below.converts = below.fine.multiplies_tiles && next.tiles == nullptr;
  }
  // Those in compressed rows see the new values, unless the pattern is a new one, too.
  connect_levels(exec, m_parameters, m_symmetric, here, level, timer);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::refresh_in_float(
    const Space& exec, bool keeps_interpolation, PhaseTimer<Space>& timer,
    Hierarchy<Scalar, Space>& hierarchy) {
  timer.start(exec, "change of precision");
  const StoredA& A = *m_levels.back().fine.A;
  auto& A_float = m_tail->m_levels.front().fine.A;
  if (!float_has_room_for(magnitudes(exec, A.view()))) return false;
  if (m_symmetric) {
    kernels::copy(exec, ConstMultiVectorView<Scalar, Space>(as_multivector(A.matrix().values)),
                  as_multivector(A_float->matrix().values));
  } else {
    A_float = std::make_shared<StoredCsr<float, Space, Offset>>(
        exec, kernels::convert_values<float>(exec, A.matrix()));
  }
  if (!m_tail->refresh(exec, keeps_interpolation, timer, *hierarchy.tail)) return false;
  const auto& below = hierarchy.tail->info.levels;
  std::copy(below.begin(), below.end(),
            hierarchy.info.levels.begin() + static_cast<std::ptrdiff_t>(hierarchy.levels.size()));
  return true;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::refresh(const Space& exec, bool keeps_interpolation,
                                                      PhaseTimer<Space>& timer,
                                                      Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    SetupLevel& here = m_levels[depth];
    const bool relaxes = levels[depth].smoother != nullptr;
    if (relaxes && !prepare_level(exec, m_parameters, here.fine, timer)) return false;
    if (here.converts) {
      timer.start(exec, "conversion");
      convert_to_tiles(exec, here.fine);
    }
    finish_level(exec, here, relaxes, levels[depth], timer);
    if (depth + 1 < m_levels.size())
      refresh_coarse(exec, keeps_interpolation, depth, levels[depth], timer);
    auto& shown = info.levels[depth];
    const std::string aggregation = shown.aggregation;
    const std::string products = shown.products;
    shown = level_info(levels[depth], here.chosen.smoother);
    shown.aggregation = aggregation;
    shown.products = products;
    shown.setup_ms = timer.lap();
  }
  if (m_tail != nullptr) return refresh_in_float(exec, keeps_interpolation, timer, hierarchy);
  if (!hierarchy.coarsest_is_relaxed) {
    if (!solve_coarsest(exec, hierarchy, timer)) return false;
    info.levels.back().aggregation = detail::how_solved(hierarchy.coarse_solver);
  }
  return true;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::update(const Space& exec, bool keeps_interpolation,
                                                     Hierarchy<Scalar, Space>& hierarchy) {
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  const ArrayPool<Space> pool(exec, pools_memory<Space>(m_parameters));
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  auto& info = hierarchy.info;
  // Those at the end are of the values before.
  info.notes.resize(info.notes.size() - m_num_level_notes);
  if (!refresh(exec, keeps_interpolation, timer, hierarchy)) return false;
  complete(exec, timer, info);
  return true;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class HierarchyBuilder<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
