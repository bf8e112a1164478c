// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `DistributedCycle` holds, and how it is set up, level by level.
#pragma once

#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/smoother/make_smoother.hpp"
#include "tessera/smoother/smoother_needs.hpp"
#include "tessera/tpetra/distributed_cycle.hpp"
#include "tessera/tpetra/distributed_level_checks.hpp"
#include "tessera/tpetra/distributed_spectrum_impl.hpp"
#include "tessera/tpetra/gathered_solver_impl.hpp"
#include "tessera/tpetra/level_rows_impl.hpp"
#include "tessera/tpetra/on_all_processes.hpp"
#include "tessera/tpetra/rebalanced_transfer.hpp"

#include <Tpetra_RowMatrixTransposer.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
struct DistributedCycle<GlobalOrdinal, Node>::State {
  amg::Parameters parameters;
  std::vector<Level> levels;
  bool symmetric;
  bool single_precision;
  std::vector<amg::LevelParameters> chosen;
  std::vector<Teuchos::RCP<Vectors>> inverse_diagonals;
  std::shared_ptr<GatheredSolver<GlobalOrdinal, Node>> gathered;
  std::vector<std::string> description;
  std::vector<LevelInfo> info;
  amg::Hierarchy<double, Space> hierarchy;
  std::shared_ptr<Preconditioner<double, Space>> cycle;
  std::size_t prepared_columns = 0;
  int exponent = 0;  ///< levels are of 2^-exponent A

  /// Whether vectors are in float somewhere; the same on all processes.
  bool rounds_vectors() const {
    return single_precision || amg::chooses_vectors(parameters.levels) ||
           parameters.choose_level != nullptr;
  }
  bool rounds_matrices() const;
  /// Takes the levels, times a power of two where they are rounded to scalars that do not hold
  /// them. Collective.
  void take_levels(std::vector<Level> given);
  /// With `coarsest`, what is done on the coarsest level.
  template <class Coarsest>
  void set_up(const Coarsest& coarsest, bool again, bool keeps_transfers);
  /// `again`: what was chosen by level stays.
  void prepare(bool again);
  void prepare_level(std::size_t number, bool again);
  /// `kept`: a hierarchy of the same levels whose transfers stay, or null.
  template <class Scalar>
  void make_levels(const Space& exec, std::size_t first, amg::Hierarchy<Scalar, Space>& made,
                   const amg::Hierarchy<Scalar, Space>* kept);
  template <class Scalar>
  void connect(const Space& exec, std::size_t number, amg::Level<Scalar, Space>& level,
               const amg::Level<Scalar, Space>* kept);
};

template <class GlobalOrdinal, class Node>
bool DistributedCycle<GlobalOrdinal, Node>::State::rounds_matrices() const {
  const auto is_rounded = [](const StorageParameters& storage) {
    return storage.scalar != StorageScalar::same && storage.scalar != StorageScalar::float64;
  };
  return rounds_vectors() || is_rounded(parameters.storage) ||
         std::ranges::any_of(parameters.levels, [&](const amg::LevelParameters& level) {
           return is_rounded(level.A);
         });
}

template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::State::take_levels(std::vector<Level> given) {
  levels = std::move(given);
  exponent = rounds_matrices() ? distributed_detail::exponent_for_float(*levels.front().A) : 0;
  if (exponent == 0) return;
  for (Level& level : levels) {
    if (!level.A.is_null()) level.A = distributed_detail::times_power_of_two(*level.A, -exponent);
  }
}

template <class GlobalOrdinal, class Node>
template <class Coarsest>
void DistributedCycle<GlobalOrdinal, Node>::State::set_up(const Coarsest& coarsest, bool again,
                                                          bool keeps_transfers) {
  // A level may be a part of the processes' alone: what goes wrong there waits until all of them
  // hear of it.
  const auto all = levels.front().A->getRowMap()->getComm();
  std::exception_ptr thrown;
  try {
    prepare(again);
    if (!levels.back().A.is_null()) coarsest(levels.back().A);
  } catch (...) {
    thrown = std::current_exception();
  }
  on_all_processes(*all, [&] {
    if (thrown) std::rethrow_exception(thrown);
    const Space exec;
    cycle.reset();
    prepared_columns = 0;
    const amg::Hierarchy<double, Space> before = std::exchange(hierarchy, {});
    make_levels(exec, 0, hierarchy, keeps_transfers ? &before : nullptr);
    cycle = amg::make_cycle(parameters.cycle, hierarchy, symmetric);
    exec.fence("tessera::tpetra::DistributedCycle");
  });
}

/// What processes do together: all but the last level's is between those of that level alone.
template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::State::prepare(bool again) {
  description.clear();
  info.clear();
  const int all = levels.front().A->getRowMap()->getComm()->getSize();
  chosen.resize(levels.size());
  inverse_diagonals.resize(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (levels[l].A.is_null()) continue;
    const auto rows = levels[l].A->getRowMap();
    const int size = rows->getComm()->getSize();
    description.push_back(
        "level " + std::to_string(l) +
        (size == all ? " of all processes: " : " of " + std::to_string(size) + " processes: ") +
        std::to_string(rows->getGlobalNumElements()) + " unknowns");
    if (l + 1 < levels.size()) prepare_level(l, again);
    LevelInfo& known = info.emplace_back();
    known.rows = static_cast<std::int64_t>(rows->getGlobalNumElements());
    known.entries = static_cast<std::int64_t>(levels[l].A->getGlobalNumEntries());
    known.entries_per_row = static_cast<double>(known.entries) /
                            static_cast<double>(std::max<std::int64_t>(1, known.rows));
    known.unknowns_per_node = levels[l].block_size;
    known.aggregation = size == 1 ? "on 1 process" : "on " + std::to_string(size) + " processes";
    known.spectral_radius = levels[l].spectral_radius;
  }
}

/// What is chosen for the level, what its smoother needs, and R.
template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::State::prepare_level(std::size_t number, bool again) {
  Level& level = levels[number];
  amg::LevelParameters& p = chosen[number];
  inverse_diagonals[number] = distributed_detail::inverse_diagonal<Vectors>(*level.A);
  const auto radius = [&] {
    if (level.spectral_radius == 0)
      level.spectral_radius = distributed_detail::spectral_radius(
          *level.A, *inverse_diagonals[number], symmetric, parameters.spectral_radius_steps);
    if (!std::isfinite(level.spectral_radius))
      throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
    if (!(level.spectral_radius > 0)) level.spectral_radius = 1;
    return level.spectral_radius;
  };
  if (!again) p = amg::listed_choice(parameters, static_cast<int>(number));
  if (!again && parameters.choose_level) {
    const amg::LevelFacts facts{static_cast<int>(number),
                                static_cast<std::int64_t>(level.A->getGlobalNumRows()),
                                static_cast<std::int64_t>(level.A->getGlobalNumEntries()),
                                level.block_size,
                                radius(),
                                symmetric};
    p = parameters.choose_level(facts, p);
    distributed_levels_detail::check_level(p);
  }
  if (!again) p.smoother = amg::smoother_for(p.smoother, level.block_size, symmetric);
  if (smoother_needs(p.smoother).spectral_radius) radius();
  if (level.R.is_null()) {
    Tpetra::RowMatrixTransposer<double, int, GlobalOrdinal, Node> transposer(level.P);
    level.R = transposer.createTranspose();
  }
}

/// Levels from `first` on, those in float in a hierarchy of their own below.
template <class GlobalOrdinal, class Node>
template <class Scalar>
void DistributedCycle<GlobalOrdinal, Node>::State::make_levels(
    const Space& exec, std::size_t first, amg::Hierarchy<Scalar, Space>& made,
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
    const Level& given = levels[l];
    level.block_size = given.block_size;
    level.spectral_radius = given.spectral_radius;
    const StorageParameters storage = is_last ? StorageParameters{} : chosen[l].A;
    if (given.A.is_null()) {
      using Nothing = DistributedOperator<Scalar, Space>;
      level.A =
          std::make_shared<Nothing>(exec, typename Nothing::Given{}, typename Nothing::Given{},
                                    Exchange<Scalar, Space>(), storage);
    } else {
      level.A = distributed_levels_detail::distributed<Scalar>(exec, given.A, storage);
    }
    made.info.levels.emplace_back().rows = level.A->num_rows();
    if (l < info.size()) {
      info[l].precision = std::is_same_v<Scalar, double> ? "double" : "float";
      info[l].A = level.A->info();
    }
    if (is_last) {
      level.smoother = std::make_unique<GatheredCorrection<Scalar, GlobalOrdinal, Node>>(gathered);
      made.coarsest_is_relaxed = true;
      return;
    }
    connect(exec, l, level, kept != nullptr ? &kept->levels[l - first] : nullptr);
    info[l].P = level.P->info();
    info[l].R = level.R->info();
    info[l].smoother = smoother_name(chosen[l].smoother.type);
  }
}

/// The level's smoother, P and R.
template <class GlobalOrdinal, class Node>
template <class Scalar>
void DistributedCycle<GlobalOrdinal, Node>::State::connect(const Space& exec, std::size_t number,
                                                           amg::Level<Scalar, Space>& level,
                                                           const amg::Level<Scalar, Space>* kept) {
  const Level& given = levels[number];
  const amg::LevelParameters& p = chosen[number];
  distributed_levels_detail::check_smoother(p.smoother);
  kernels::Csr<Scalar, Space, std::int64_t> entries;
  if (smoother_needs(p.smoother).entries)
    entries = distributed_levels_detail::whole_rows<Scalar>(exec, *given.A);
  level.smoother = make_smoother<Scalar, Space, std::int64_t>(
      exec, p.smoother, level.A, entries.view(),
      distributed_levels_detail::local_copy<Scalar>(exec, *inverse_diagonals[number]),
      given.spectral_radius);
  if (kept != nullptr) {
    level.P = kept->P;
    level.R = kept->R;
    return;
  }
  level.P = distributed_levels_detail::distributed<Scalar>(exec, given.P, p.P);
  level.R = distributed_levels_detail::distributed<Scalar>(exec, given.R, p.R);
  if (given.rebalance.is_null()) return;
  using Moved = RebalancedTransfer<Scalar, Space>;
  const Exchange<Scalar, Space> exchange(given.rebalance);
  level.P = std::make_shared<Moved>(level.P, exchange, false);
  level.R = std::make_shared<Moved>(level.R, exchange, true);
}

}  // namespace tessera::tpetra
