// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/hierarchy_builder.hpp"

#include "tessera/amg/diagonal_dominance.hpp"
#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/smoother_for.hpp"
#include "tessera/amg/spectral_radius.hpp"
#include "tessera/core/check_parameters.hpp"
#include "tessera/core/storage_names.hpp"
#include "tessera/core/store.hpp"
#include "tessera/core/symmetry_probe.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/inverse_diagonal.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/statistics.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/csr_analyse_together.hpp"
#include "tessera/smoother/make_smoother.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cmath>

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

/// "jacobi", "chebyshev of degree 2".
std::string smoother_name(const SmootherParameters& p) {
  const auto known = std::find_if(smoother_type_names.begin(), smoother_type_names.end(),
                                  [&](const auto& name) { return name.value == p.type; });
  std::string name(known->name);
  if (p.type == SmootherType::chebyshev) name += " of degree " + std::to_string(p.degree);
  return name;
}

template <class Scalar, class Space>
LevelInfo level_info(const Level<Scalar, Space>& level, const SmootherParameters& smoother) {
  LevelInfo info;
  info.rows = level.A->num_rows();
  info.entries = static_cast<std::int64_t>(level.A->num_entries());
  info.entries_per_row =
      info.rows == 0 ? 0.0 : static_cast<double>(info.entries) / static_cast<double>(info.rows);
  info.unknowns_per_vertex = level.block_size;
  info.precision = scalar_name<Scalar>();
  info.spectral_radius = level.spectral_radius;
  info.A = level.A->info();
  if (level.P != nullptr) info.P = level.P->info();
  if (level.R != nullptr) info.R = level.R->info();
  if (level.smoother != nullptr) info.smoother = smoother_name(smoother);
  return info;
}

/// Operator, grid and memory complexity from the levels' sizes.
void sum_complexities(HierarchyInfo& info) {
  double rows = 0;
  double entries = 0;
  info.bytes = 0;
  for (const auto& level : info.levels) {
    rows += static_cast<double>(level.rows);
    entries += static_cast<double>(level.entries);
    info.bytes += level.A.bytes + level.P.bytes + level.R.bytes;
  }
  const auto& finest = info.levels.front();
  info.grid_complexity = finest.rows == 0 ? 1.0 : rows / static_cast<double>(finest.rows);
  info.operator_complexity =
      finest.entries == 0 ? 1.0 : entries / static_cast<double>(finest.entries);
  info.memory_complexity =
      finest.A.bytes == 0 ? 1.0
                          : static_cast<double>(info.bytes) / static_cast<double>(finest.A.bytes);
}

}  // namespace detail

/// The method that the parameters name. Below an indefinite matrix a level may have a diagonal of
/// two signs, which leaves Lanczos without an inner product and with a NaN: then Arnoldi decides.
template <class Scalar, class Space, class Offset>
double HierarchyBuilder<Scalar, Space, Offset>::estimate_spectral_radius(const Space& exec,
                                                                         const Fine& fine) const {
  const auto A = fine.A->view();
  const int steps = m_parameters.spectral_radius_steps;
  if (m_parameters.spectral_radius == SpectralRadiusMethod::lanczos) {
    const double rho =
        spectral_radius_lanczos(exec, A, fine.A->plan(), fine.inverse_diagonal, steps);
    if (std::isfinite(rho)) return rho;
  }
  return spectral_radius_arnoldi(exec, A, fine.A->plan(), fine.inverse_diagonal, steps);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::prepare(const Space& exec, Fine& fine,
                                                      PhaseTimer<Space>& timer) const {
  timer.start(exec, "spectral radius");
  fine.inverse_diagonal = kernels::inverse_diagonal(exec, fine.A->view());
  fine.spectral_radius = estimate_spectral_radius(exec, fine);
  if (!std::isfinite(fine.spectral_radius)) return false;
  // A matrix without a usable diagonal leaves relaxation undamped.
  if (!(fine.spectral_radius > 0)) fine.spectral_radius = 1;
  return true;
}

template <class Scalar, class Space, class Offset>
LevelParameters HierarchyBuilder<Scalar, Space, Offset>::choices(const Fine& fine,
                                                                 std::size_t depth) const {
  const Parameters& p = m_parameters;
  LevelParameters chosen =
      p.levels.empty() ? uniform_choice(p) : p.levels[std::min(depth, p.levels.size() - 1)];
  if (p.choose_level) {
    const LevelFacts facts{static_cast<int>(depth),
                           fine.A->num_rows(),
                           static_cast<std::int64_t>(fine.A->num_entries()),
                           fine.block_size,
                           fine.spectral_radius,
                           m_symmetric};
    chosen = p.choose_level(facts, chosen);
    check_parameters(chosen, "amg.choose_level of level " + std::to_string(depth) + ": ");
  }
  chosen.smoother = smoother_for(chosen.smoother, fine.block_size, m_symmetric);
  return chosen;
}

/// Where it is left open: the level is stored as mBSR, by name or by its bytes, and its tiles are
/// full enough for products.
template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::wants_tiles(const Space& exec,
                                                          const SetupLevel& here) const {
  if (m_parameters.products != Products::automatic) return m_parameters.products == Products::mbsr;
  const StorageFormat format = here.chosen.A.format;
  if (format != StorageFormat::mbsr && format != StorageFormat::automatic) return false;
  const Fine& fine = here.fine;
  if (format == StorageFormat::mbsr && fine.tiles != nullptr) {
    return kernels::entries_per_tile(fine.tiles->view()) >= least_entries_per_multiplied_tile;
  }
  const auto choice = kernels::select_format(exec, fine.A->view());
  return (format == StorageFormat::mbsr || choice.format == kernels::Format::mbsr) &&
         !choice.statistics.duplicates &&
         choice.statistics.entries_per_tile() >= least_entries_per_multiplied_tile;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::convert_to_tiles(const Space& exec,
                                                               Fine& fine) const {
  fine.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(
      kernels::csr_to_mbsr<Scalar>(exec, fine.A->view()));
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::choose_products(const Space& exec, SetupLevel& here,
                                                              PhaseTimer<Space>& timer) {
  timer.start(exec, "conversion");
  here.fine.multiplies_tiles = wants_tiles(exec, here);
  if (!here.fine.multiplies_tiles || here.fine.tiles != nullptr) return;
  try {
    convert_to_tiles(exec, here.fine);
    here.converts = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    here.fine.multiplies_tiles = false;
    m_storage_notes.push_back("products of level " + std::to_string(m_levels.size() - 1) +
                              " in compressed rows: mBSR cannot hold its operator (" +
                              error.what() + ")");
  }
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::note_products(const SetupLevel& here) {
  if (!here.fine.multiplies_tiles || here.coarse.tiles) return;
  m_storage_notes.push_back("products of level " + std::to_string(m_levels.size() - 1) +
                            " in compressed rows: mBSR cannot hold one of them");
}

template <class Scalar, class Space, class Offset>
std::shared_ptr<const SparseOperator<Scalar, Space>>
HierarchyBuilder<Scalar, Space, Offset>::stored(const Space& exec,
                                                const std::shared_ptr<const StoredA>& A,
                                                const kernels::Mbsr<Scalar, Space>* tiles,
                                                const char* name,
                                                const StorageParameters& storage) {
  auto result = store(exec, A, storage, tiles);
  if (!result.note.empty()) {
    m_storage_notes.push_back(std::string(name) + " of level " +
                              std::to_string(m_levels.size() - 1) + " " + result.note);
  }
  return result.op;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::finish(const Space& exec, const SetupLevel& here,
                                                     bool relaxes, Level<Scalar, Space>& level,
                                                     PhaseTimer<Space>& timer) {
  const Fine& fine = here.fine;
  level.block_size = fine.block_size;
  level.spectral_radius = relaxes ? fine.spectral_radius : 0;
  if (!relaxes) {
    // The direct solve has a copy of its own.
    level.A = fine.A;
    return;
  }
  timer.start(exec, "storage");
  level.A = stored(exec, fine.A, fine.tiles.get(), "A", here.chosen.A);
  timer.start(exec, "smoother");
  level.smoother = make_smoother<Scalar, Space>(exec, here.chosen.smoother, level.A, fine.A->view(),
                                                fine.inverse_diagonal, fine.spectral_radius);
}

/// In compressed rows their products are planned together: a device is waited for once.
template <class Scalar, class Space, class Offset>
typename HierarchyBuilder<Scalar, Space, Offset>::Fine
HierarchyBuilder<Scalar, Space, Offset>::plan_products(const Space& exec, SetupLevel& here,
                                                       int block_size, PhaseTimer<Space>& timer) {
  timer.start(exec, "analyse");
  const Coarse& coarse = here.coarse;
  if (coarse.tiles) {
    Fine next{std::make_shared<StoredA>(exec, coarse.A), {}, 0, block_size};
    next.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(coarse.tiles->A);
    return next;
  }
  const auto plans = kernels::analyse_spmv_together<Scalar, Space, Offset>(
      exec, {coarse.P.view(), coarse.R.view(), coarse.A.view()});
  here.P = std::make_shared<StoredA>(coarse.P, plans[0]);
  here.R = std::make_shared<StoredA>(coarse.R, plans[1]);
  return {std::make_shared<StoredA>(coarse.A, plans[2]), {}, 0, block_size};
}

/// Plans hold for new values. The pattern of R follows them where A is not symmetric.
template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::plan_beside_tiles(const Space& exec,
                                                                SetupLevel& here) {
  const Coarse& coarse = here.coarse;
  if (here.P == nullptr && here.chosen.P.format != StorageFormat::mbsr)
    here.P = std::make_shared<StoredA>(exec, coarse.P);
  if (here.chosen.R.format == StorageFormat::mbsr) return;
  const bool only_tiles = coarse.R.num_cols == 0;
  if (here.R != nullptr && m_symmetric && !only_tiles) return;
  here.R = std::make_shared<StoredA>(
      exec,
      only_tiles ? kernels::mbsr_to_csr<Scalar, Offset>(exec, coarse.tiles->R.view()) : coarse.R);
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::connect(const Space& exec, SetupLevel& here,
                                                      Level<Scalar, Space>& level,
                                                      PhaseTimer<Space>& timer) {
  timer.start(exec, "storage");
  const auto* const tiles = here.coarse.tiles ? &*here.coarse.tiles : nullptr;
  if (tiles != nullptr) plan_beside_tiles(exec, here);
  level.P = stored(exec, here.P, tiles != nullptr ? &tiles->P : nullptr, "P", here.chosen.P);
  level.R = stored(exec, here.R, tiles != nullptr ? &tiles->R : nullptr, "R", here.chosen.R);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::solve_coarsest(const Space& exec,
                                                             Hierarchy<Scalar, Space>& hierarchy,
                                                             PhaseTimer<Space>& timer) {
  timer.start(exec, "coarse solver");
  const Fine& last = m_levels.back().fine;
  if (last.A->num_rows() > m_parameters.max_dense_size) {
    const auto entries = static_cast<double>(hierarchy.levels.front().A->num_entries());
    return kernels::is_host_space<Space> &&
           hierarchy.coarse_solver.try_setup_sparse(exec, last.A->view(), m_symmetric,
                                                    detail::sparse_seconds_per_entry * entries);
  }
  return hierarchy.coarse_solver.try_setup(exec, last.A->view(), m_coarsest_candidates,
                                           m_nullspace);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::build(
    const Space& exec, const Csr& A, const ConstMultiVectorView<Scalar, Space>& candidates,
    int block_size, const std::vector<int>& nullspace, Hierarchy<Scalar, Space>& hierarchy) {
  detail::check_arguments(A.num_rows, A.num_cols, block_size);
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  hierarchy = {};
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;

  Candidates<Scalar, Space> B(exec, A.num_rows, candidates, block_size);
  CoarseningState state{A.num_entries(), A.num_entries(), info.notes};
  timer.start(exec, "analyse");
  m_levels.clear();
  m_storage_notes.clear();
  m_levels.emplace_back().fine = {std::make_shared<StoredA>(exec, A), {}, 0, block_size};
  const auto& finest = *m_levels.front().fine.A;
  m_symmetric = m_parameters.symmetry == AssumedSymmetry::automatic
                    ? looks_symmetric(exec, finest.view(), finest.plan())
                    : m_parameters.symmetry == AssumedSymmetry::symmetric;
  state.symmetric = m_symmetric;

  const int coarse_size = detail::coarse_size<Space>(m_parameters);
  bool ended = false;
  while (!ended && m_levels.back().fine.A->num_rows() > coarse_size) {
    SetupLevel& here = m_levels.back();
    Level<Scalar, Space>& level = levels.emplace_back();
    if (!prepare(exec, here.fine, timer)) return false;
    here.chosen = choices(here.fine, levels.size() - 1);
    const bool is_last = static_cast<int>(m_levels.size()) >= m_parameters.max_levels;
    if (!is_last) choose_products(exec, here, timer);
    finish(exec, here, true, level, timer);
    std::optional<Coarse> coarse;
    if (is_last) {
      info.notes.push_back("stopped at max_levels = " + std::to_string(m_parameters.max_levels));
    } else {
      here.coarsening = make_coarsening<Scalar, Space, Offset>(m_parameters, m_keeps_pattern);
      coarse = here.coarsening->initialize(exec, here.fine, B, state, timer);
    }
    if (coarse) {
      here.coarse = std::move(*coarse);
      note_products(here);
      Fine next = plan_products(exec, here, static_cast<int>(B.count()), timer);
      connect(exec, here, level, timer);
      m_levels.emplace_back().fine = std::move(next);
    }
    ended = !coarse;
    info.levels.push_back(detail::level_info(level, m_levels[levels.size() - 1].chosen.smoother));
    info.levels.back().aggregation = state.aggregation;
    if (!ended)
      info.levels.back().products = m_levels[levels.size() - 1].coarse.tiles ? "mbsr" : "csr";
    info.levels.back().setup_ms = timer.lap();
    if (!ended && !m_keeps_pattern) {
      // Of use for new values alone: what the levels go on with, they have a share in.
      SetupLevel& made = m_levels[levels.size() - 1];
      SetupLevel kept;
      kept.chosen = made.chosen;
      made = std::move(kept);
    }
  }

  const Fine& last = m_levels.back().fine;
  if (!ended) {
    finish(exec, m_levels.back(), false, levels.emplace_back(), timer);
    info.levels.push_back(detail::level_info(levels.back(), {}));
  }
  const bool large = last.A->num_rows() > m_parameters.max_dense_size;
  const bool by_diagonal = ended && off_diagonal_share(exec, last.A->view()) <= decided_by_diagonal;
  m_nullspace = nullspace;
  m_coarsest_candidates = B.copy(exec);
  const bool solved = !by_diagonal && solve_coarsest(exec, hierarchy, timer);
  if (!solved && !by_diagonal && !large) return false;
  hierarchy.coarsest_is_relaxed = !solved;
  if (hierarchy.coarsest_is_relaxed) {
    info.levels.back().aggregation = "relaxed";
    info.notes.push_back(
        "the coarsest level has " + std::to_string(last.A->num_rows()) + " unknowns, " +
        (by_diagonal ? "each decided by its diagonal," : "more than max_dense_size,") +
        " and is relaxed instead of solved");
  } else {
    info.levels.back().aggregation = detail::how_solved(hierarchy.coarse_solver);
    levels.back().smoother.reset();
    info.levels.back().smoother.clear();
  }
  info.notes.insert(info.notes.end(), m_storage_notes.begin(), m_storage_notes.end());
  timer.stop(exec);
  info.levels.back().setup_ms += timer.lap();
  info.setup_phases_ms = timer.phases();
  info.setup_ms = timer.total_ms();
  detail::sum_complexities(info);
  return true;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::update(const Space& exec, bool keeps_interpolation,
                                                     Hierarchy<Scalar, Space>& hierarchy) {
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  m_storage_notes.clear();
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    SetupLevel& here = m_levels[depth];
    const bool relaxes = levels[depth].smoother != nullptr;
    if (relaxes && !prepare(exec, here.fine, timer)) return false;
    if (here.converts) {
      timer.start(exec, "conversion");
      convert_to_tiles(exec, here.fine);
    }
    finish(exec, here, relaxes, levels[depth], timer);
    if (depth + 1 < levels.size()) {
      here.coarsening->compute(exec, here.fine, keeps_interpolation, here.coarse, timer);
      // Plans hold for new values. The patterns of R and the coarse operator follow the values
      // where A is not symmetric.
      if (!keeps_interpolation && !m_symmetric) {
        const Fine next = plan_products(exec, here, 0, timer);
        m_levels[depth + 1].fine.A = next.A;
        m_levels[depth + 1].fine.tiles = next.tiles;
      }
      // Those in compressed rows see the new values, unless the pattern is a new one, too.
      if (!keeps_interpolation) connect(exec, here, levels[depth], timer);
    }
    auto& shown = info.levels[depth];
    const std::string aggregation = shown.aggregation;
    const std::string products = shown.products;
    shown = detail::level_info(levels[depth], here.chosen.smoother);
    shown.aggregation = aggregation;
    shown.products = products;
    shown.setup_ms = timer.lap();
  }
  if (!hierarchy.coarsest_is_relaxed) {
    if (!solve_coarsest(exec, hierarchy, timer)) return false;
    info.levels.back().aggregation = detail::how_solved(hierarchy.coarse_solver);
  }
  timer.stop(exec);
  info.levels.back().setup_ms += timer.lap();
  info.setup_phases_ms = timer.phases();
  info.setup_ms = timer.total_ms();
  detail::sum_complexities(info);
  return true;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class HierarchyBuilder<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
