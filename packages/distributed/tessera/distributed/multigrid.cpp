// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/multigrid.hpp"

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/pick_parameters.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

/// Thresholds of points as levels over processes have them, and what is left of aggressive levels.
void go_on_with_points(amg::ClassicalParameters& classical, amg::ReductionParameters& reduction,
                       int above) {
  classical.strength_threshold = std::min(1.0, classical.strength_threshold * above_rounding);
  classical.max_row_sum = std::min(1.0, classical.max_row_sum * above_rounding);
  classical.aggressive_levels = std::max(0, classical.aggressive_levels - above);
  reduction.strength_threshold = std::min(1.0, reduction.strength_threshold * above_rounding);
}

/// The same of a level's own coarsening.
void go_on_with_level(amg::LevelCoarsening& own, int above) {
  double& threshold = own.smoothed_aggregation.strength_threshold;
  if (threshold > 0) threshold = std::min(1.0, threshold * above_rounding);  // else that of all
  go_on_with_points(own.classical, own.reduction, above);
  own.pairwise.rounded = true;
}

/// What the first process goes on with, below `above` levels of `picked`.
GatheredParameters parameters_below(const SolveParameters& given, const SolveParameters& picked,
                                    std::size_t above, int block_size) {
  GatheredParameters below{given, block_size};
  below.solve.amg = picked.amg;
  below.solve.preconditioner = PreconditionerKind::amg;
  // The limit of memory is the whole solver's, which forecasts it for all levels.
  below.solve.max_memory_mb = 0;
  below.solve.forecast_memory = false;
  // So is the nullspace that was asked for, which a coarse level does not have.
  if (below.solve.solver.nullspace != NullspaceKind::automatic)
    below.solve.solver.nullspace = NullspaceKind::none;
  // Its first level is the next one of the whole.
  auto& listed = below.solve.amg.levels;
  if (!listed.empty())
    listed.erase(listed.begin(),
                 listed.begin() + static_cast<std::ptrdiff_t>(std::min(above, listed.size() - 1)));
  below.solve.amg.max_levels -= static_cast<int>(above);
  const amg::SmoothedAggregationParameters& finest = picked.amg.smoothed_aggregation;
  if (finest.strength_threshold > 0 && above > 0)
    below.solve.amg.smoothed_aggregation.strength_threshold *=
        above_rounding * std::pow(finest.strength_scaling, static_cast<double>(above));
  if (above == 0) return below;
  const int number = static_cast<int>(above);
  go_on_with_points(below.solve.amg.classical, below.solve.amg.reduction, number);
  below.solve.amg.pairwise.rounded = true;
  const auto choose = given.amg.choose_level;
  if (!choose) {
    for (amg::LevelParameters& level : listed)
      go_on_with_level(level.coarsening, number);
    return below;
  }
  // The callback sees the list as it was given.
  below.solve.amg.choose_level = [choose, number](amg::LevelFacts level,
                                                  const amg::LevelParameters& listed_for_it) {
    level.number += number;
    amg::LevelParameters chosen = choose(level, listed_for_it);
    go_on_with_level(chosen.coarsening, number);
    return chosen;
  };
  return below;
}

/// How far levels are spread, by what the device is or messages cost where the parameters leave it
/// open.
template <class Space>
LevelShares shares_of_levels(const MultigridParameters& p) {
  return {p.gather_rows, rows_per_process<Space>(p.rows_per_process),
          p.rows_per_process == 0 && p.message_costs == MessageCosts::measured};
}

}  // namespace

template <class Space>
Multigrid<Space>::Multigrid(const Space& exec, const MultigridParameters& parameters,
                            const Matrix<Space>& A,
                            const MultiVector<double, Space>& near_nullspace)
    : m_parameters(parameters), m_near_nullspace(near_nullspace) {
  check(parameters.solve.amg);
  set_up(exec, A);
}

template <class Space>
void Multigrid<Space>::check(const amg::Parameters& parameters) {
  Cycle<Space>::check(parameters);
  check_coarsening(parameters);
}

template <class Space>
SolveParameters Multigrid<Space>::without_what_failed() const {
  SolveParameters solve = m_parameters.solve;
  if (m_reduces)
    take_reduction(solve.amg);
  else if (m_failures.size() > 1)
    solve.amg.coarsening = rules::coarsening_of_others;
  return solve;
}

template <class Space>
void Multigrid<Space>::set_up(const Space& exec, const Matrix<Space>& A) {
  const SolveParameters solve = without_what_failed();
  const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(solve.amg));
  const kernels::ColumnPatternScope patterns(solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(solve.tensor_cores);
  m_cycle.reset();
  amg::PhaseTimer<Space> timer(exec, solve.amg.measure_phases);
  timer.start(exec, "analyse");
  const int block_size =
      agreed_block_size(exec, A, asked_block_size(m_parameters.block_size, solve.amg.coarsening));
  check_block_size(solve.amg, block_size);
  auto vectors = m_near_nullspace;
  on_all_processes(*A.processes, [&] {
    if (vectors.extent(1) == 0)
      vectors = amg::unit_vectors<double, Space>(exec, {block_size, A.rows.num_rows / block_size});
  });
  m_symmetric = looks_symmetric(exec, A);
  // Factors within each process would depend on how rows are shared out.
  const bool takes_factors = !A.processes->is_reproducible() && m_failures.empty();
  PickedParameters chosen =
      pick_parameters(exec, A, m_near_nullspace, solve, block_size, m_symmetric,
                      takes_factors ? FactorsOfShares::allowed : FactorsOfShares::left_out);
  const SolveParameters& picked = chosen.solve;
  // Which may take several times the memory.
  m_may_reduce = chosen.may_reduce && solve.max_memory_mb <= 0;
  m_notes = m_failures;
  m_notes.insert(m_notes.end(), chosen.notes.begin(), chosen.notes.end());
  m_levels = std::make_unique<Levels<Space>>(exec, picked.amg, A, vectors, block_size, m_symmetric,
                                             shares_of_levels<Space>(m_parameters), timer);
  timer.start(exec, "storage, smoothers and coarse solver");
  m_coarse_processes = m_levels->coarse_processes();
  const auto& levels = m_levels->levels();
  // Unknowns of a coarse node are its vectors'; of the finest level, where that is gathered, its
  // own.
  m_notes.insert(m_notes.end(), m_levels->notes().begin(), m_levels->notes().end());
  const auto make_cycle = [&](std::vector<Level<Space>> made) {
    auto below = parameters_below(solve, picked, levels.size() - 1, levels.back().block_size);
    below.solve.amg.max_operator_complexity = m_levels->complexity_left();
    m_cycle =
        std::make_unique<Cycle<Space>>(exec, picked.amg, std::move(made), m_levels->vectors(),
                                       m_symmetric, solve.precision == Precision::single, below);
  };
  amg::Parameters without_factors = picked.amg;
  // A reduction relaxes by none.
  m_picked_factors =
      picked.amg.coarsening != amg::CoarseningKind::reduction &&
      amg::exchange_smoothers(solve.amg, without_factors, SmootherType::ilu, SmootherType::jacobi);
  try {
    make_cycle(levels);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input || !m_picked_factors) throw;
    m_picked_factors = false;
    chosen.solve.amg = without_factors;
    std::erase_if(m_notes,
                  [](const std::string& note) { return note.starts_with("smoother ilu"); });
    m_notes.push_back("smoother jacobi: incomplete factors hold no finite numbers");
    auto others = levels;
    for (Level<Space>& level : others)
      level.chosen.reset();  // with the smoothers
    make_cycle(std::move(others));
  }
  if (solve.amg.reuse == amg::Reuse::none) m_levels.reset();
  if (m_levels != nullptr) m_levels->release_relaxation();
  timer.stop(exec);
  m_phases_ms = timer.phases();
}

template <class Space>
void Multigrid<Space>::update(const Space& exec, const Matrix<Space>& A) {
  const amg::Reuse reuse = m_parameters.solve.amg.reuse;
  if (reuse == amg::Reuse::hierarchy && m_cycle != nullptr) return;
  if (reuse == amg::Reuse::none || m_cycle == nullptr) return set_up(exec, A);
  const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(m_parameters.solve.amg));
  const kernels::ColumnPatternScope patterns(m_parameters.solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(m_parameters.solve.tensor_cores);
  // Where it throws there is no preconditioner: half of one would be of no use.
  auto kept = std::exchange(m_cycle, nullptr);
  const bool keeps_interpolation = reuse == amg::Reuse::interpolation;
  amg::PhaseTimer<Space> timer(exec, m_parameters.solve.amg.measure_phases);
  m_levels->update(exec, A, keeps_interpolation, timer);
  timer.start(exec, "storage, smoothers and coarse solver");
  try {
    kept->update(exec, m_levels->levels(), keeps_interpolation);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input || !m_picked_factors) throw;
    return set_up(exec, A);  // by others where these values have no factors
  }
  m_levels->release_relaxation();
  m_cycle = std::move(kept);
  timer.stop(exec);
  m_phases_ms = timer.phases();
}

template <class Space>
void Multigrid<Space>::leave_factors(const Space& exec, const Matrix<Space>& A,
                                     const std::string& why) {
  const bool has_reduced = std::exchange(m_reduces, may_reduce());
  m_failures.push_back((m_reduces     ? "coarsening reduction: "
                        : has_reduced ? "coarsening smoothed_aggregation, smoother jacobi: "
                                      : "smoother jacobi: ") +
                       why);
  try {
    set_up(exec, A);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input || !m_reduces) throw;
    leave_factors(exec, A, error.what());
  }
}

template <class Space>
const Cycle<Space>& Multigrid<Space>::cycle() const {
  if (m_cycle == nullptr)
    throw Error(ErrorKind::precondition,
                "the last update failed, and with it went the levels of before");
  return *m_cycle;
}

template <class Space>
void Multigrid<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  cycle();
  m_cycle->apply(exec, r, z);
}

template <class Space>
void Multigrid<Space>::make_room(const Space& exec, std::size_t k) {
  if (m_cycle != nullptr) m_cycle->make_room(exec, k);
}

template <class Space>
bool Multigrid<Space>::is_symmetric() const {
  return cycle().is_symmetric();
}

template <class Space>
bool Multigrid<Space>::waits_for_host() const {
  return cycle().waits_for_host();
}

template <class Space>
HierarchyInfo Multigrid<Space>::info() const {
  HierarchyInfo info = cycle().info();
  info.notes.insert(info.notes.begin(), m_notes.begin(), m_notes.end());
  info.setup_phases_ms = m_phases_ms;
  return info;
}

template <class Space>
std::vector<std::string> Multigrid<Space>::description() const {
  return cycle().description();
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Multigrid)

}  // namespace tessera::distributed
