// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/hierarchy_builder.hpp"

#include "tessera/amg/check_candidates.hpp"
#include "tessera/amg/check_vectors.hpp"
#include "tessera/amg/energy_span.hpp"
#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/smoother_for.hpp"
#include "tessera/amg/spectral_radius.hpp"
#include "tessera/core/check_parameters.hpp"
#include "tessera/core/magnitudes.hpp"
#include "tessera/core/storage_names.hpp"
#include "tessera/core/store.hpp"
#include "tessera/core/symmetry_probe.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/inverse_diagonal.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
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

/// The widest spans of a level's weights at which its matrices are picked to be stored in half,
/// which rounds by 2^-11, and in float. With coefficients that jump by 1e9 the cycle is no
/// preconditioner otherwise.
constexpr double widest_span_for_half = 128;
constexpr double widest_span_for_float = 1e6;

/// What `automatic` comes to for the matrices of a level of that span.
inline StorageScalar scalar_for(double span) {
  if (span <= widest_span_for_half) return StorageScalar::automatic;
  return span <= widest_span_for_float ? StorageScalar::float32 : StorageScalar::same;
}

/// Whether the levels' matrices may be stored in half, as far as is known before setup.
bool may_store_half(const Parameters& p) {
  const auto narrow = [](const StorageParameters& storage) {
    return storage.scalar == StorageScalar::half || storage.scalar == StorageScalar::automatic;
  };
  return p.choose_level || (p.levels.empty() && narrow(p.storage)) ||
         std::any_of(p.levels.begin(), p.levels.end(),
                     [&](const LevelParameters& level) { return narrow(level.A); });
}

/// A's values times two to the `exponent`, without rounding but where they leave the range.
template <class Scalar, class Space, class Offset>
void scale_by_power(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A, int exponent) {
  const auto values = as_multivector(A.values);
  kernels::scale(exec, static_cast<Scalar>(std::ldexp(1.0, exponent)), values);
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
LevelParameters HierarchyBuilder<Scalar, Space, Offset>::listed(std::size_t depth) const {
  const Parameters& p = m_parameters;
  return p.levels.empty() ? uniform_choice(p) : p.levels[std::min(depth, p.levels.size() - 1)];
}

template <class Scalar, class Space, class Offset>
LevelParameters HierarchyBuilder<Scalar, Space, Offset>::choices(const Fine& fine,
                                                                 std::size_t depth) const {
  const Parameters& p = m_parameters;
  LevelParameters chosen = listed(depth);
  if (m_first_choice && depth == static_cast<std::size_t>(m_first_level)) {
    chosen = *m_first_choice;
  } else if (p.choose_level) {
    const LevelFacts facts{static_cast<int>(depth),
                           fine.A->num_rows(),
                           static_cast<std::int64_t>(fine.A->num_entries()),
                           fine.block_size,
                           fine.spectral_radius,
                           m_symmetric};
    chosen = p.choose_level(facts, chosen);
    check_parameters(chosen, "amg.choose_level of level " + std::to_string(depth) + ": ");
    if (chosen.vectors == VectorScalar::float64 && !std::is_same_v<Scalar, double>)
      refuse_wider_vectors("amg.choose_level of level " + std::to_string(depth) + ": ");
  }
  chosen.smoother = smoother_for(chosen.smoother, fine.block_size, m_symmetric);
  return chosen;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::pick_storage(const Space& exec,
                                                           const Candidates<Scalar, Space>& B,
                                                           SetupLevel& here) const {
  StorageScalar* const scalars[] = {&here.chosen.A.scalar, &here.chosen.P.scalar,
                                    &here.chosen.R.scalar};
  const auto is_open = [](const StorageScalar* s) { return *s == StorageScalar::automatic; };
  if (std::none_of(std::begin(scalars), std::end(scalars), is_open)) return;
  const double span = energy_span<Scalar, Space>(exec, here.fine.inverse_diagonal, B.view());
  for (StorageScalar* scalar : scalars)
    if (is_open(scalar)) *scalar = detail::scalar_for(span);
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::note_storage(const char* name, int level,
                                                           const std::string& note) {
  if (note.empty()) return;
  m_storage_notes.push_back(std::string(name) + " of level " + std::to_string(level) + " " + note);
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
  const auto A = store(exec, fine.A, here.chosen.A);
  note_storage("A", here.number, A.note);
  level.A = A.op;
  timer.start(exec, "smoother");
  level.smoother = make_smoother<Scalar, Space>(exec, here.chosen.smoother, level.A, fine.A->view(),
                                                fine.inverse_diagonal, fine.spectral_radius);
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::connect(const Space& exec, SetupLevel& here,
                                                      Level<Scalar, Space>& level,
                                                      PhaseTimer<Space>& timer) {
  timer.start(exec, "storage");
  scale_restriction(exec, here);
  if (here.restriction_exponent != 0) {
    m_storage_notes.push_back("restriction to level " + std::to_string(here.number + 1) +
                              " scaled by 2^" + std::to_string(here.restriction_exponent) +
                              ": the level's operator would leave half's range");
  }
  // Plans hold for new values. The pattern of R follows them where A is not symmetric.
  if (here.P == nullptr) here.P = std::make_shared<StoredA>(exec, here.coarse.P);
  if (here.R == nullptr || !m_symmetric) here.R = std::make_shared<StoredA>(exec, here.coarse.R);
  auto P = store(exec, here.P, here.chosen.P);
  auto R = store(exec, here.R, here.chosen.R);
  // Rounded to different scalars R is no longer P's transpose, nor the cycle symmetric: bcsstk15
  // with P in bfloat16 and R in half takes 106 iterations, with both in bfloat16 84.
  if (m_symmetric && here.chosen.P.scalar == here.chosen.R.scalar && P.scalar != R.scalar) {
    const bool P_is_wider = width_of(P.scalar) > width_of(R.scalar);
    auto& narrower = P_is_wider ? R : P;
    const StorageFormat format = P_is_wider ? here.chosen.R.format : here.chosen.P.format;
    narrower =
        store(exec, P_is_wider ? here.R : here.P, {format, P_is_wider ? P.scalar : R.scalar});
    if (narrower.note.empty())
      narrower.note = std::string("stored as ") + (P_is_wider ? "P" : "R") + " is";
  }
  note_storage("P", here.number, P.note);
  note_storage("R", here.number, R.note);
  level.P = P.op;
  level.R = R.op;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::solve_coarsest(const Space& exec,
                                                             Hierarchy<Scalar, Space>& hierarchy,
                                                             PhaseTimer<Space>& timer) {
  timer.start(exec, "coarse solver");
  const Fine& last = m_levels.back().fine;
  return hierarchy.coarse_solver.try_setup(exec, last.A->view(), m_coarsest_candidates,
                                           m_nullspace);
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::scale_restriction(const Space& exec,
                                                                SetupLevel& here) {
  here.restriction_exponent = 0;
  if (!m_parameters.scale_restriction || !detail::may_store_half(m_parameters)) return;
  const int exponent = exponent_into_range<Half>(magnitudes(exec, here.coarse.A.view()));
  if (exponent == 0) return;
  detail::scale_by_power(exec, here.coarse.R, exponent);
  detail::scale_by_power(exec, here.coarse.A, exponent);
  here.restriction_exponent = exponent;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::unscale_restriction(const Space& exec,
                                                                  SetupLevel& here) {
  if (here.restriction_exponent != 0)
    detail::scale_by_power(exec, here.coarse.R, -here.restriction_exponent);
  here.restriction_exponent = 0;
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
    const Fine& fine = m_levels.back().fine;
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
      const auto A = kernels::convert_values<float>(exec, fine.A->matrix());
      const auto A_float = std::make_shared<StoredCsr<float, Space, Offset>>(exec, A);
      fits = tail->descend(exec, {A_float, {}, 0, fine.block_size}, B_float, below, timer, *levels);
    }
    if (fits) {
      m_tail = std::move(tail);
      const auto& told = levels->info;
      auto& info = hierarchy.info;
      info.levels.insert(info.levels.end(), told.levels.begin(), told.levels.end());
      info.notes.insert(info.notes.end(), told.notes.begin(), told.notes.end());
      m_storage_notes.insert(m_storage_notes.end(), m_tail->m_storage_notes.begin(),
                             m_tail->m_storage_notes.end());
      hierarchy.tail = std::move(levels);
      return true;
    }
    hierarchy.info.notes.push_back("vectors of level " + std::to_string(tail->m_first_level) +
                                   " in double: float does not hold the levels from there on");
  }
  return false;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::descend(const Space& exec, const Fine& fine,
                                                      Candidates<Scalar, Space>& B,
                                                      CoarseningState& state,
                                                      PhaseTimer<Space>& timer,
                                                      Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  hierarchy.first_level = m_first_level;
  m_symmetric = state.symmetric;
  m_levels.clear();
  m_storage_notes.clear();
  m_tail.reset();
  m_levels.emplace_back().fine = fine;
  const int coarse_size = detail::coarse_size<Space>(m_parameters);
  bool ended = false;
  while (!ended) {
    SetupLevel& here = m_levels.back();
    const std::size_t number = m_first_level + levels.size();
    here.number = static_cast<int>(number);
    const bool is_coarsest = here.fine.A->num_rows() <= coarse_size;
    // The callback is asked of levels that are relaxed alone, once their spectral radius is known.
    const bool is_listed = is_coarsest || !m_parameters.choose_level;
    if (is_listed && narrows(listed(number)) &&
        descend_in_float(exec, {}, B, state, timer, hierarchy))
      return true;
    if (is_coarsest) break;
    if (!prepare(exec, here.fine, timer)) return false;
    here.chosen = choices(here.fine, number);
    if (!is_listed && narrows(here.chosen) &&
        descend_in_float(exec, here.chosen, B, state, timer, hierarchy))
      return true;
    pick_storage(exec, B, here);
    Level<Scalar, Space>& level = levels.emplace_back();
    finish(exec, here, true, level, timer);
    std::optional<Coarse> coarse;
    if (static_cast<int>(number) + 1 >= m_parameters.max_levels) {
      info.notes.push_back("stopped at max_levels = " + std::to_string(m_parameters.max_levels));
    } else {
      here.coarsening = make_coarsening<Scalar, Space, Offset>(m_parameters, m_keeps_pattern);
      coarse = here.coarsening->initialize(exec, here.fine, B, state, timer);
    }
    if (coarse) {
      here.coarse = std::move(*coarse);
      connect(exec, here, level, timer);
      const auto next = std::make_shared<StoredA>(exec, here.coarse.A);
      m_levels.emplace_back().fine = {next, {}, 0, static_cast<int>(B.count())};
    }
    ended = !coarse;
    info.levels.push_back(detail::level_info(level, m_levels[levels.size() - 1].chosen.smoother));
    info.levels.back().aggregation = state.aggregation;
    info.levels.back().setup_ms = timer.lap();
  }

  const Fine& last = m_levels.back().fine;
  if (!ended) {
    finish(exec, m_levels.back(), false, levels.emplace_back(), timer);
    info.levels.push_back(detail::level_info(levels.back(), {}));
  }
  hierarchy.coarsest_is_relaxed = last.A->num_rows() > m_parameters.max_dense_size;
  if (hierarchy.coarsest_is_relaxed) {
    info.levels.back().aggregation = "relaxed";
    info.notes.push_back("the coarsest level has " + std::to_string(last.A->num_rows()) +
                         " unknowns, more than max_dense_size, and is relaxed instead of solved");
  } else {
    m_coarsest_candidates = B.copy(exec);
    if (!solve_coarsest(exec, hierarchy, timer)) return false;
    info.levels.back().aggregation = "dense " + hierarchy.coarse_solver.description();
    levels.back().smoother.reset();
    info.levels.back().smoother.clear();
  }
  return true;
}

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::complete(const Space& exec, PhaseTimer<Space>& timer,
                                                       HierarchyInfo& info) const {
  info.notes.insert(info.notes.end(), m_storage_notes.begin(), m_storage_notes.end());
  timer.stop(exec);
  info.levels.back().setup_ms += timer.lap();
  info.setup_phases_ms = timer.phases();
  info.setup_ms = timer.total_ms();
  detail::sum_complexities(info);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::build(
    const Space& exec, const Csr& A, const ConstMultiVectorView<Scalar, Space>& candidates,
    int block_size, const std::vector<int>& nullspace, Hierarchy<Scalar, Space>& hierarchy) {
  detail::check_arguments(A.num_rows, A.num_cols, block_size);
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  hierarchy = {};
  Candidates<Scalar, Space> B(exec, A.num_rows, candidates, block_size);
  CoarseningState state{A.num_entries(), A.num_entries(), hierarchy.info.notes};
  timer.start(exec, "analyse");
  const auto finest = std::make_shared<StoredA>(exec, A);
  state.symmetric = m_parameters.symmetry == MatrixSymmetry::automatic
                        ? looks_symmetric(exec, finest->view(), finest->plan())
                        : m_parameters.symmetry == MatrixSymmetry::symmetric;
  m_nullspace = nullspace;
  if (!descend(exec, {finest, {}, 0, block_size}, B, state, timer, hierarchy)) return false;
  complete(exec, timer, hierarchy.info);
  return true;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::refresh(const Space& exec, bool keeps_interpolation,
                                                      PhaseTimer<Space>& timer,
                                                      Hierarchy<Scalar, Space>& hierarchy) {
  auto& levels = hierarchy.levels;
  auto& info = hierarchy.info;
  m_storage_notes.clear();
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    SetupLevel& here = m_levels[depth];
    const bool relaxes = levels[depth].smoother != nullptr;
    if (relaxes && !prepare(exec, here.fine, timer)) return false;
    finish(exec, here, relaxes, levels[depth], timer);
    if (depth + 1 < m_levels.size()) {
      if (!keeps_interpolation) unscale_restriction(exec, here);
      here.coarsening->compute(exec, here.fine, keeps_interpolation, here.coarse, timer);
      // Those in compressed rows see the new values, unless the pattern is a new one, too.
      if (!keeps_interpolation) connect(exec, here, levels[depth], timer);
      if (!keeps_interpolation && !m_symmetric)
        m_levels[depth + 1].fine.A = std::make_shared<StoredA>(exec, here.coarse.A);
    }
    auto& shown = info.levels[depth];
    const std::string aggregation = shown.aggregation;
    shown = detail::level_info(levels[depth], here.chosen.smoother);
    shown.aggregation = aggregation;
    shown.setup_ms = timer.lap();
  }
  if (m_tail != nullptr) {
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
              info.levels.begin() + static_cast<std::ptrdiff_t>(levels.size()));
    m_storage_notes.insert(m_storage_notes.end(), m_tail->m_storage_notes.begin(),
                           m_tail->m_storage_notes.end());
  } else if (!hierarchy.coarsest_is_relaxed) {
    if (!solve_coarsest(exec, hierarchy, timer)) return false;
    info.levels.back().aggregation = "dense " + hierarchy.coarse_solver.description();
  }
  return true;
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::update(const Space& exec, bool keeps_interpolation,
                                                     Hierarchy<Scalar, Space>& hierarchy) {
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  PhaseTimer<Space> timer(exec, m_parameters.measure_phases);
  auto& info = hierarchy.info;
  // Those at the end are of the values before.
  info.notes.resize(info.notes.size() - m_storage_notes.size());
  if (!refresh(exec, keeps_interpolation, timer, hierarchy)) return false;
  complete(exec, timer, info);
  return true;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class HierarchyBuilder<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
