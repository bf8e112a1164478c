// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/levels.hpp"

#include "tessera/amg/coarsening/make_coarsening.hpp"
#include "tessera/distributed/functions.hpp"
#include "tessera/distributed/level_choice.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace tessera::distributed {
namespace {

/// Where all levels are of larger aggregates than pairs they have few entries, and are not counted
/// here.
bool limits_entries(const amg::Parameters& p) {
  return p.choose_level != nullptr || names_coarsening(p, amg::CoarseningKind::pairwise) ||
         names_coarsening(p, amg::CoarseningKind::classical) ||
         names_coarsening(p, amg::CoarseningKind::reduction);
}

/// How the level of that number is coarsened, by what was chosen for it.
amg::LevelCoarsening coarsening_of(const amg::Parameters& p, const amg::LevelParameters& chosen,
                                   int number, int block_size) {
  const bool is_own = chosen.coarsening.type != amg::CoarseningKind::same;
  auto made = amg::coarsening_of_level(amg::uniform_coarsening(p), chosen.coarsening, number);
  check_unknowns(
      made.type, block_size,
      is_own ? "amg.levels." + std::to_string(number) + ".coarsening.type" : "amg.coarsening");
  return made;
}

/// Collective.
template <class Space>
double entries_of_all(const Matrix<Space>& A) {
  return static_cast<double>(A.processes->sum_of(static_cast<std::int64_t>(A.rows.num_entries())));
}

}  // namespace

template <class Space>
Levels<Space>::Levels(const Space& exec, const amg::Parameters& parameters, const Matrix<Space>& A,
                      const MultiVector<double, Space>& near_nullspace, int block_size,
                      bool symmetric, const LevelShares& shares, amg::PhaseTimer<Space>& timer)
    : m_parameters(parameters),
      m_shares(shares),
      m_symmetric(symmetric),
      m_processes(A.processes),
      m_vectors(near_nullspace) {
  if (limits_entries(m_parameters))
    m_finest_entries = m_coarsest_entries = m_entries = entries_of_all(A);
  Level<Space> here;
  here.A = A;
  here.block_size = block_size;
  while (static_cast<int>(m_levels.size()) + 1 < m_parameters.max_levels &&
         here.A.row_shares->size() > m_shares.gather_rows) {
    timer.enter_level(static_cast<int>(m_levels.size()));
    if (!coarsen(exec, here, timer)) break;
    m_levels.push_back(std::exchange(here, {}));
    here.A = m_steps.back().next();
    here.block_size = static_cast<int>(m_vectors.extent(1));
    here.functions = m_functions;
  }
  here.spectral_radius = 0;
  here.coarsening = amg::CoarseningKind::same;
  here.chosen.reset();
  m_levels.push_back(here);
}

/// The level's spectral radius, which it keeps as it does its inverse diagonal, which is there.
template <class Space>
LevelValues<Space> Levels<Space>::values_of(const Space& exec, Level<Space>& level) const {
  const auto inverse = level.inverse_diagonal;
  level.spectral_radius =
      spectral_radius(exec, level.A, inverse, m_symmetric, m_parameters.spectral_radius_steps);
  if (!std::isfinite(level.spectral_radius))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
  if (!(level.spectral_radius > 0)) level.spectral_radius = 1;
  return {inverse, level.spectral_radius};
}

/// The fine rows as P and the product sum them: in the order of all columns where bits are to be
/// equal for any shares.
template <class Space>
LevelRows<Space> Levels<Space>::summed(const Space& exec, const Matrix<Space>& A,
                                       const Step& step) const {
  LevelRows<Space> rows = step.fine;
  if (!A.processes->is_reproducible()) return rows;
  on_all_processes(*A.processes, [&] {
    rows.A = in_order_of_all(exec, A);
    if (rows.transposed == nullptr) return;
    rows.transposed = std::make_shared<LevelTranspose<Space>>(*rows.transposed);
    rows.transposed->rows.A = in_order_of_all(exec, step.transpose.matrix());
  });
  return rows;
}

/// P and R of `fine` and the next level's matrix; false where coarsening has stalled.
template <class Space>
bool Levels<Space>::coarsen(const Space& exec, Level<Space>& fine, amg::PhaseTimer<Space>& timer) {
  const Matrix<Space>& A = fine.A;
  const Communicator& processes = *A.processes;
  timer.start(exec, "spectral radius");
  Step step;
  on_all_processes(processes, [&] {
    fine.inverse_diagonal = inverse_diagonal(exec, A);
    step.fine = level_rows(A, fine.block_size);
  });
  const auto values = values_of(exec, fine);
  const int number = static_cast<int>(m_levels.size());
  fine.chosen = choice_of_level(m_parameters, fine, number, m_symmetric, fine.spectral_radius);
  const auto how = coarsening_of(m_parameters, *fine.chosen, number, fine.block_size);
  fine.coarsening = how.type;
  timer.start(exec, "transpose");
  step.coarsening = make_coarsening<Space>(how, m_symmetric, number);
  if (step.coarsening->reads_transpose()) {
    const Matrix<Space>& At = step.transpose.make(exec, A);
    on_all_processes(processes, [&] {
      step.fine.transposed =
          std::make_shared<LevelTranspose<Space>>(level_transpose(exec, A, At, fine.block_size));
    });
  }
  step.fine.functions = fine.functions;
  auto vectors = m_vectors;
  timer.start(exec, "coarsening");
  const Ordinal own = step.coarsening->choose(exec, processes, step.fine, vectors, m_box);
  if (!step.coarsening->reads_transpose()) {  // any more
    step.transpose = {};
    step.fine.transposed = nullptr;
  }
  const auto coarse = std::make_shared<const Partition>(processes, own);
  if (coarse->size() == 0 ||
      static_cast<double>(coarse->size()) >
          m_parameters.max_coarsening_ratio * static_cast<double>(A.row_shares->size()))
    return false;
  auto& coarsening = *step.coarsening;
  const amg::CoarseningLimits limits = limits_below(A);
  if (!coarsening.allows_restriction(exec, step.fine, limits)) return false;
  if (fine.chosen->smoother.points != RelaxationPoints::all)
    on_all_processes(processes, [&] { fine.coarse_points = coarsening.coarse_points(exec); });
  const LevelRows<Space> rows = summed(exec, A, step);
  timer.start(exec, "interpolation");
  fine.relaxation = coarsening.make_relaxation(exec, rows, values);
  coarsening.make_prolongator(exec, processes, rows, values);
  fine.P = matrix_of(exec, A.processes, coarsening.prolongator(), A.row_shares, coarse,
                     coarsening.columns());
  step.Rt = fine.P;
  timer.start(exec, "restriction");
  if (coarsening.has_restriction()) {
    coarsening.make_restriction(exec, processes, rows, values);
    step.Rt = matrix_of(exec, A.processes, coarsening.restriction(), A.row_shares, coarse,
                        coarsening.columns_of_restriction());
  }
  fine.R = step.restriction.make(exec, step.Rt);
  timer.start(exec, "Galerkin product");
  if (!coarsening.allows_product(exec, step.fine, limits)) {
    forget_coarse(fine);
    return false;
  }
  const auto coarse_processes =
      std::make_shared<const CountingCommunicator>(m_processes, processes.is_reproducible());
  multiply(exec, rows, fine, coarse_processes, coarse, step);
  coarsening.release();
  if (limits_entries(m_parameters) && !takes_entries(step.coarse)) {
    forget_coarse(fine);
    return false;
  }
  m_vectors = vectors;
  m_functions = coarsening.functions();
  // Nobody makes anything of it again.
  if (m_parameters.reuse == amg::Reuse::none) {
    step.coarsening = nullptr;
    step.restriction = {};
  }
  timer.start(exec, "rows moved");
  move_coarse(exec, fine, step);
  m_steps.push_back(std::move(step));
  m_coarse_processes.push_back(coarse_processes);
  return true;
}

template <class Space>
void Levels<Space>::forget_coarse(Level<Space>& fine) const {
  fine.P = fine.R = {};
  fine.relaxation = {};
  fine.coarse_points = {};
}

/// What the next level may have, as on one process.
template <class Space>
amg::CoarseningLimits Levels<Space>::limits_below(const Matrix<Space>& A) {
  const Partition::Global rows = A.row_shares->size();
  const Partition::Global most = std::numeric_limits<Ordinal>::max();
  return {static_cast<Ordinal>(std::min(rows, most)),
          m_coarsest_entries,
          m_parameters.max_coarsening_ratio * static_cast<double>(rows),
          m_parameters.max_operator_complexity * m_finest_entries - m_entries,
          m_finest_entries,
          m_notes};
}

/// R A P, as `step.coarse`.
template <class Space>
void Levels<Space>::multiply(const Space& exec, const LevelRows<Space>& rows,
                             const Level<Space>& fine, const CoarseProcesses& processes,
                             const std::shared_ptr<const Partition>& coarse, Step& step) {
  auto& coarsening = *step.coarsening;
  const bool in_order = processes->is_reproducible();
  RowExchange<Space> back;
  if (!in_order)
    on_all_processes(*processes, [&] {
      back = RowExchange<Space>(step.Rt.halo, RowExchange<Space>::Direction::backward);
    });
  LocalRows<Space> product = in_order ? step.ordered.make(exec, rows.A, coarsening.prolongator(),
                                                          coarsening.columns(), fine.R, rows.rows)
                                      : coarsening.make_product(exec, *fine.A.processes, rows,
                                                                step.restriction.part(), back);
  ColumnNumbers<Space> columns = in_order ? step.ordered.columns() : coarsening.product().columns();
  if (const auto drops = coarsening.drops(); drops.below > 0)
    on_all_processes(*processes, [&] { product = step.kept.make(exec, product, drops, columns); });
  step.coarse = matrix_of(exec, processes, product, coarse, coarse, columns);
}

/// Whether the next level's entries are within `max_operator_complexity`, as on one process.
template <class Space>
bool Levels<Space>::takes_entries(const Matrix<Space>& coarse) {
  const double entries = entries_of_all(coarse);
  if (m_entries + entries > m_parameters.max_operator_complexity * m_finest_entries) {
    m_notes.emplace_back(
        "stopped coarsening: the next level would raise the operator complexity above "
        "max_operator_complexity");
    return false;
  }
  m_coarsest_entries = entries;
  m_entries += entries;
  return true;
}

template <class Space>
double Levels<Space>::complexity_left() const {
  const double all = m_parameters.max_operator_complexity;
  if (!(m_coarsest_entries > 0)) return all;
  // Those of the coarsest level are among all, and are once more its own.
  return std::clamp(1 + (all * m_finest_entries - m_entries) / m_coarsest_entries, 1.0, 1000.0);
}

/// Moves the next level onto fewer processes where it has few rows for each, and is not gathered.
template <class Space>
void Levels<Space>::move_coarse(const Space& exec, Level<Space>& fine, Step& step) {
  const Partition& rows = *step.coarse.row_shares;
  if (rows.size() <= m_shares.gather_rows) return;
  const LevelPlacing placing = placing_of(exec, step.coarse, m_shares);
  if (!placing.note.empty())
    m_notes.push_back("level " + std::to_string(m_levels.size() + 1) + ' ' + placing.note);
  const std::vector<int>& keepers = placing.keepers;
  const auto here = [&](int p) { return keepers[static_cast<std::size_t>(p)] == p; };
  bool stays = true;
  for (int p = 0; p < rows.processes(); ++p)
    stays = stays && here(p);
  if (stays) return;
  step.moved = std::make_unique<MovedRows<Space>>(exec, step.coarse, keepers);
  fine.rebalance = step.moved->plan();
  const auto given = m_vectors;
  const Communicator& processes = *step.coarse.processes;
  const Ordinal num_rows = step.next().rows.num_rows;
  Exchange<double, Space> exchange;
  on_all_processes(processes, [&] {
    m_vectors = allocate_multivector<double>(exec, "tessera::distributed::vectors",
                                             static_cast<std::size_t>(num_rows), given.extent(1));
    exchange = Exchange<double, Space>(fine.rebalance);
    exchange.reserve(given.extent(1));
  });
  exchange.forward(exec, given, m_vectors);
  m_functions = sent_functions(exec, processes, exchange, m_functions, num_rows);
  exec.fence("tessera::distributed::Levels");
}

template <class Space>
void Levels<Space>::update(const Space& exec, const Matrix<Space>& A, bool keeps_interpolation,
                           amg::PhaseTimer<Space>& timer) {
  m_levels.front().A = A;
  for (std::size_t l = 0; l < m_steps.size(); ++l) {
    Level<Space>& level = m_levels[l];
    Step& step = m_steps[l];
    const Communicator& processes = *level.A.processes;
    timer.enter_level(static_cast<int>(l));
    timer.start(exec, "spectral radius");
    on_all_processes(processes, [&] { level.inverse_diagonal = inverse_diagonal(exec, level.A); });
    const auto values = values_of(exec, level);
    step.fine.A = level.A.rows;
    timer.start(exec, "interpolation");
    level.relaxation = step.coarsening->remake_relaxation(exec, step.fine, values);
    if (!keeps_interpolation) {
      if (step.coarsening->reads_transpose()) {
        step.transpose.remake(exec, level.A);
        step.fine.transposed->rows.A = step.transpose.matrix().rows;
      }
      step.coarsening->remake_transfers(exec, processes, summed(exec, level.A, step), values);
      level.P.rows = step.coarsening->prolongator();
      step.Rt.rows = step.coarsening->restriction();
      level.R = step.restriction.remake(exec, step.Rt);
    }
    timer.start(exec, "Galerkin product");
    if (processes.is_reproducible()) {
      LocalRows<Space> in_order;
      on_all_processes(processes, [&] { in_order = in_order_of_all(exec, level.A); });
      step.coarse.rows =
          step.ordered.remake(exec, in_order, step.coarsening->prolongator(), level.R);
    } else {
      step.coarse.rows = step.coarsening->remake_product(exec, step.fine, step.restriction.part(),
                                                         !keeps_interpolation);
    }
    if (step.coarsening->drops().below > 0)
      on_all_processes(processes,
                       [&] { step.coarse.rows = step.kept.remake(exec, step.coarse.rows); });
    step.coarsening->release();
    timer.start(exec, "rows moved");
    if (step.moved != nullptr) step.moved->update(exec, step.coarse);
    m_levels[l + 1].A = step.next();
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Levels)

}  // namespace tessera::distributed
