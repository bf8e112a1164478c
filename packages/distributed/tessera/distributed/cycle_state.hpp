// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `Cycle` holds, and how it is set up, level by level.
#pragma once

#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/setup/level_formats.hpp"
#include "tessera/amg/setup/level_relaxation.hpp"
#include "tessera/distributed/column_powers.hpp"
#include "tessera/distributed/cycle.hpp"
#include "tessera/distributed/distributed_operator.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/level_choice.hpp"
#include "tessera/distributed/moved_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_storage.hpp"
#include "tessera/distributed/points_smoother.hpp"
#include "tessera/distributed/products_of_level.hpp"
#include "tessera/distributed/rebalanced_transfer.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/distributed/storage_of_others.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/smoother/point_sets.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera::distributed {

template <class Space>
struct Cycle<Space>::State {
  amg::Parameters parameters;
  std::vector<Level<Space>> levels;
  bool symmetric;
  bool single_precision;
  std::vector<amg::LevelParameters> chosen;
  std::vector<Array<double, Space>> inverse_diagonals;
  /// Of levels whose points are relaxed apart.
  std::vector<Array<const Ordinal, Space>> coarse_numbers;
  std::vector<std::vector<SetHalo<Space>>> set_halos;
  std::shared_ptr<GatheredSolver<Space>> gathered;
  std::vector<std::string> description;
  std::vector<LevelInfo> info;
  amg::Hierarchy<double, Space> hierarchy;
  std::shared_ptr<Preconditioner<double, Space>> cycle;
  std::size_t prepared_columns = 0;  ///< that there is room for on all processes
  kernels::Report<double, Space> magnitudes;
  std::size_t scaled_columns = 0;
  MultiVector<double, Space> scaled;  ///< where columns are far from 1 and have to be about that
  int exponent = 0;  ///< levels are of 2^-exponent A

  /// Whether vectors are in float somewhere; the same on all processes.
  bool rounds_vectors() const {
    return single_precision || amg::chooses_vectors(parameters.levels) ||
           parameters.choose_level != nullptr;
  }
  /// Whether the cycle has to have vectors of about the size of 1: it rounds them, or takes inner
  /// products of them.
  bool wants_usual_magnitudes() const {
    return rounds_vectors() || parameters.cycle == amg::CycleType::k;
  }
  bool rounds_matrices() const;
  /// Takes the levels, times a power of two where they are rounded to scalars that do not hold
  /// them. Collective.
  void take_levels(const Space& exec, std::vector<Level<Space>> given);
  /// With `coarsest`, what is done on the coarsest level.
  template <class Coarsest>
  void set_up(const Space& exec, const Coarsest& coarsest, bool again, bool keeps_transfers);
  /// For k columns on this process; sends nothing.
  void make_room(const Space& exec, std::size_t k);
  /// For n rows and k columns that are scaled. Collective.
  void make_room_to_scale(const Space& exec, std::size_t n, std::size_t k);
  /// `again`: what was chosen by level stays.
  void prepare(const Space& exec, bool again);
  void prepare_level(const Space& exec, std::size_t number, bool again);
  /// `kept`: a hierarchy of the same levels whose transfers stay, or null.
  template <class Scalar>
  void make_levels(const Space& exec, std::size_t first, amg::Hierarchy<Scalar, Space>& made,
                   const amg::Hierarchy<Scalar, Space>* kept);
  template <class Scalar>
  std::shared_ptr<const SparseOperator<Scalar, Space>> stored(
      const Space& exec, std::size_t number, const std::string& name, const Matrix<Space>& matrix,
      const StorageParameters& storage) const;
  template <class Scalar>
  void connect(const Space& exec, std::size_t number, amg::Level<Scalar, Space>& level,
               const amg::Level<Scalar, Space>* kept);
  /// Whether the level is relaxed by what its coarsening has made for it.
  bool has_own_relaxation(std::size_t number) const {
    return levels[number].relaxation.has_share() && !relaxes_points(number);
  }
  /// Whether fine and coarse points are relaxed apart.
  bool relaxes_points(std::size_t number) const {
    return chosen[number].smoother.points != RelaxationPoints::all;
  }
  /// Whether each process relaxes its own block by itself.
  bool is_hybrid(const SmootherParameters& p) const {
    return smoother_needs(p).square_matrix && levels.front().A.processes->size() > 1;
  }
  std::string smoother_of_level(std::size_t number) const {
    const SmootherParameters& p = chosen[number].smoother;
    if (has_own_relaxation(number)) return "polynomial on fine points";
    return (is_hybrid(p) ? "hybrid " : "") + std::string(smoother_name(p.type)) +
           (relaxes_points(number) ? " on " + std::string(relaxation_points_name(p.points)) : "");
  }
  template <class Scalar>
  std::unique_ptr<Smoother<Scalar, Space>> smoother_of(
      const Space& exec, std::size_t number,
      const std::shared_ptr<const SparseOperator<Scalar, Space>>& A);
};

template <class Space>
bool Cycle<Space>::State::rounds_matrices() const {
  const auto is_rounded = [](const StorageParameters& storage) {
    return storage.scalar != StorageScalar::same && storage.scalar != StorageScalar::float64;
  };
  return rounds_vectors() || is_rounded(parameters.storage) ||
         std::ranges::any_of(parameters.levels, [&](const amg::LevelParameters& level) {
           return is_rounded(level.A);
         });
}

template <class Space>
void Cycle<Space>::State::take_levels(const Space& exec, std::vector<Level<Space>> given) {
  levels = std::move(given);
  exponent = rounds_matrices() ? exponent_for_float(exec, levels.front().A) : 0;
  if (exponent == 0) return;
  on_all_processes(*levels.front().A.processes, [&] {
    for (Level<Space>& level : levels) {
      level.inverse_diagonal = {};
      if (level.A.has_share()) level.A = times_power_of_two(exec, level.A, -exponent);
      auto& relaxation = level.relaxation;
      if (relaxation.has_share()) relaxation = scaled_relaxation(exec, relaxation, exponent);
    }
  });
}

/// Of the operators of a hierarchy and of those below in float.
template <class Scalar, class Space>
void reserve_messages_of_levels(const Space& exec, const amg::Hierarchy<Scalar, Space>& hierarchy,
                                std::size_t k) {
  for (const auto& level : hierarchy.levels) {
    reserve_messages<Scalar, Space>(exec, level.A.get(), k);
    reserve_messages<Scalar, Space>(exec, level.P.get(), k);
    reserve_messages<Scalar, Space>(exec, level.R.get(), k);
  }
  if constexpr (std::is_same_v<Scalar, double>)
    if (hierarchy.tail != nullptr) reserve_messages_of_levels(exec, *hierarchy.tail, k);
}

template <class Space>
void Cycle<Space>::State::make_room(const Space& exec, std::size_t k) {
  cycle->prepare(exec, static_cast<int>(k));
  reserve_messages_of_levels(exec, hierarchy, k);
  if (wants_usual_magnitudes() && magnitudes.extent(0) < k)
    magnitudes = room_for_magnitudes(exec, k);
}

template <class Space>
void Cycle<Space>::State::make_room_to_scale(const Space& exec, std::size_t n, std::size_t k) {
  if (scaled_columns == k) return;
  scaled_columns = 0;
  on_all_processes(*levels.front().A.processes, [&] {
    scaled = allocate_multivector<double>(exec, "tessera::distributed::scaled", n, k);
  });
  scaled_columns = k;
}

template <class Space>
template <class Coarsest>
void Cycle<Space>::State::set_up(const Space& exec, const Coarsest& coarsest, bool again,
                                 bool keeps_transfers) {
  // A level may be a part of the processes' alone: what goes wrong there waits until all of them
  // hear of it.
  const auto all = levels.front().A.processes;
  std::exception_ptr thrown;
  try {
    prepare(exec, again);
    if (levels.back().A.has_share()) coarsest(levels.back().A);
  } catch (...) {
    thrown = std::current_exception();
  }
  on_all_processes(*all, [&] {
    if (thrown) std::rethrow_exception(thrown);
    cycle.reset();
    prepared_columns = 0;
    const amg::Hierarchy<double, Space> before = std::exchange(hierarchy, {});
    make_levels(exec, 0, hierarchy, keeps_transfers ? &before : nullptr);
    cycle = amg::make_cycle(parameters.cycle, hierarchy, symmetric);
    exec.fence("tessera::distributed::Cycle");
  });
  take_storage_of_others(*all, info);
  // What it needs of the levels it has by now.
  for (Level<Space>& level : levels)
    for (Matrix<Space>* matrix : {&level.A, &level.P, &level.R, &level.relaxation.M}) {
      matrix->rows = {};
      matrix->owner = {};
      matrix->parts = {};
    }
}

/// What processes do together: all but the last level's is between those of that level alone.
template <class Space>
void Cycle<Space>::State::prepare(const Space& exec, bool again) {
  description.clear();
  info.clear();
  const int all = levels.front().A.processes->size();
  bool is_moved = false;  // onto fewer processes, whereupon the others have no rows
  chosen.resize(levels.size());
  inverse_diagonals.resize(levels.size());
  on_all_processes(*levels.front().A.processes, [&] {
    for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
      if (!levels[l].A.has_share()) continue;
      const auto& known = levels[l].inverse_diagonal;
      inverse_diagonals[l] = known.extent(0) > 0 ? known : inverse_diagonal(exec, levels[l].A);
    }
  });
  coarse_numbers.resize(levels.size());
  set_halos.resize(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Matrix<Space>& A = levels[l].A;
    if (!A.has_share()) continue;
    is_moved = is_moved || (l > 0 && levels[l - 1].rebalance != nullptr);
    const int size = is_moved ? processes_with_rows(*A.row_shares) : A.processes->size();
    const std::string who = size == all ? " of all processes: "
                            : size == 1 ? " of 1 process: "
                                        : " of " + std::to_string(size) + " processes: ";
    description.push_back("level " + std::to_string(l) + who +
                          std::to_string(A.row_shares->size()) + " unknowns");
    if (l + 1 < levels.size()) prepare_level(exec, l, again);
    LevelInfo& known = info.emplace_back();
    known.rows = A.row_shares->size();
    known.entries = A.processes->sum_of(static_cast<std::int64_t>(A.rows.num_entries()));
    known.entries_per_row = static_cast<double>(known.entries) /
                            static_cast<double>(std::max<std::int64_t>(1, known.rows));
    known.unknowns_per_node = levels[l].block_size;
    known.aggregation = size == 1 ? "on 1 process" : "on " + std::to_string(size) + " processes";
    known.spectral_radius = levels[l].spectral_radius;
    known.processes = size;
    if (levels[l].coarsening != amg::CoarseningKind::same)
      known.coarsening = amg::coarsening_name(levels[l].coarsening);
  }
}

/// What is chosen for the level, what its smoother needs, and R.
template <class Space>
void Cycle<Space>::State::prepare_level(const Space& exec, std::size_t number, bool again) {
  Level<Space>& level = levels[number];
  amg::LevelParameters& p = chosen[number];
  const auto radius = [&] {
    if (level.spectral_radius == 0)
      level.spectral_radius = spectral_radius(exec, level.A, inverse_diagonals[number], symmetric,
                                              parameters.spectral_radius_steps);
    if (!std::isfinite(level.spectral_radius))
      throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
    if (!(level.spectral_radius > 0)) level.spectral_radius = 1;
    return level.spectral_radius;
  };
  if (!again)
    p = level.chosen ? *level.chosen
                     : choice_of_level(parameters, level, static_cast<int>(number), symmetric,
                                       parameters.choose_level ? radius() : 0);
  if (!has_own_relaxation(number) && smoother_needs(p.smoother).spectral_radius) radius();
  if (!again && relaxes_points(number)) {
    if (!level.coarse_points)
      amg::refuse_points(p.smoother.points, static_cast<int>(number),
                         level.coarsening == amg::CoarseningKind::same
                             ? "another library's"
                             : amg::coarsening_name(level.coarsening));
    coarse_numbers[number] = coarse_numbers_here(exec, level.A, *level.coarse_points);
    set_halos[number] =
        halos_of_sets<Space>(exec, level.A, coarse_numbers[number], p.smoother.points);
  }
  if (!level.R.has_share()) level.R = Transposition<Space>().make(exec, level.P);
}

/// Levels from `first` on, those in float in a hierarchy of their own below.
template <class Space>
template <class Scalar>
void Cycle<Space>::State::make_levels(const Space& exec, std::size_t first,
                                      amg::Hierarchy<Scalar, Space>& made,
                                      const amg::Hierarchy<Scalar, Space>* kept) {
  made.first_level = static_cast<int>(first);
  made.levels.reserve(levels.size());
  for (std::size_t l = first; l < levels.size(); ++l) {
    const bool is_last = l + 1 == levels.size();
    if constexpr (std::is_same_v<Scalar, double>) {
      const bool is_float =
          single_precision || (!is_last && chosen[l].vectors == amg::VectorScalar::float32);
      if (is_float) {
        made.tail = std::make_shared<amg::Hierarchy<float, Space>>();
        return make_levels(exec, l, *made.tail, kept != nullptr ? kept->tail.get() : nullptr);
      }
    }
    amg::Level<Scalar, Space>& level = made.levels.emplace_back();
    const Level<Space>& given = levels[l];
    level.block_size = given.block_size;
    level.spectral_radius = given.spectral_radius;
    level.A = stored<Scalar>(exec, l, "A", given.A, is_last ? StorageParameters{} : chosen[l].A);
    if (parameters.cycle == amg::CycleType::k && given.A.has_share())
      level.products = std::make_shared<ProductsOfLevel<Scalar, Space>>(
          given.A.processes, static_cast<std::size_t>(given.A.rows.num_rows));
    made.info.levels.emplace_back().rows = level.A->num_rows();
    if (l < info.size()) {
      info[l].precision = std::is_same_v<Scalar, double> ? "double" : "float";
      info[l].A = level.A->info();
    }
    if (is_last) {
      level.smoother = std::make_unique<GatheredCorrection<Scalar, Space>>(gathered);
      made.coarsest_is_relaxed = true;
      made.coarsest_has_levels = gathered != nullptr && gathered->has_levels();
      return;
    }
    connect(exec, l, level, kept != nullptr ? &kept->levels[l - first] : nullptr);
    info[l].P = level.P->info();
    info[l].R = level.R->info();
    info[l].smoother = smoother_of_level(l);
  }
}

/// The level's matrix of that name.
template <class Space>
template <class Scalar>
std::shared_ptr<const SparseOperator<Scalar, Space>> Cycle<Space>::State::stored(
    const Space& exec, std::size_t number, const std::string& name, const Matrix<Space>& matrix,
    const StorageParameters& storage) const {
  const int level = static_cast<int>(number);
  if (levels.front().A.processes->is_reproducible())
    check_ordered_storage<Scalar>(parameters, level, name, storage);
  return amg::stored_as_set(parameters, level, name,
                            [&] { return make_operator<Scalar>(exec, matrix, storage); });
}

/// The level's smoother, P and R.
template <class Space>
template <class Scalar>
void Cycle<Space>::State::connect(const Space& exec, std::size_t number,
                                  amg::Level<Scalar, Space>& level,
                                  const amg::Level<Scalar, Space>* kept) {
  const Level<Space>& given = levels[number];
  const amg::LevelParameters& p = chosen[number];
  level.points = p.smoother.points;
  level.relaxes_before = !given.relaxation.has_share();
  if (!has_own_relaxation(number) && levels.front().A.processes->is_reproducible())
    check_reproducible(p.smoother);
  level.smoother = smoother_of(exec, number, level.A);
  if (kept != nullptr) {
    level.P = kept->P;
    level.R = kept->R;
    return;
  }
  level.P = stored<Scalar>(exec, number, "P", given.P, p.P);
  level.R = stored<Scalar>(exec, number, "R", given.R, p.R);
  if (given.rebalance == nullptr) return;
  using Moved = RebalancedTransfer<Scalar, Space>;
  level.P = std::make_shared<Moved>(exec, level.P, given.rebalance, false);
  level.R = std::make_shared<Moved>(exec, level.R, given.rebalance, true);
}

}  // namespace tessera::distributed
