// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels over several processes.
#pragma once

#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/cycle.hpp"
#include "tessera/distributed/kept_rows.hpp"
#include "tessera/distributed/level_placing.hpp"
#include "tessera/distributed/moved_rows.hpp"
#include "tessera/distributed/ordered_product.hpp"
#include "tessera/distributed/transposition.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::distributed {

/// Milliseconds by setup step, in the order of the algorithm.
using SetupPhases = std::vector<std::pair<std::string, double>>;

/// A coarse level's communicator, which counts what is sent for that level.
using CoarseProcesses = std::shared_ptr<const CountingCommunicator>;

/// Levels from the finest down to one that the first process solves alone, and what makes them
/// again for new values. What is done of each level is `Coarsening`'s.
template <class Space>
class Levels {
 public:
  /// Coarsens until at most `shares.gather_rows` rows are left; levels of fewer rows per process
  /// than `shares.rows_per_process`, or that fewer processes have sooner done, go to fewer.
  /// `near_nullspace`: this process's part, n by m, m the same on all; `block_size`: unknowns per
  /// node on the finest level. `timer` is told of each step, and the last one still runs in the
  /// end. Collective.
  /// @throws Error on all processes where one fails.
  Levels(const Space& exec, const amg::Parameters& parameters, const Matrix<Space>& A,
         const MultiVector<double, Space>& near_nullspace, int block_size, bool symmetric,
         const LevelShares& shares, amg::PhaseTimer<Space>& timer);

  /// Takes new values in the patterns of before: those of `A`, and what follows from them, but for
  /// P and R where `keeps_interpolation`. Collective.
  void update(const Space& exec, const Matrix<Space>& A, bool keeps_interpolation,
              amg::PhaseTimer<Space>& timer);

  /// With what was chosen for each but the coarsest.
  const std::vector<Level<Space>>& levels() const { return m_levels; }
  /// Forgets what relaxes fine points, which new values bring again.
  void release_relaxation() {
    for (Level<Space>& level : m_levels)
      level.relaxation = {};
  }
  /// From the second level on, each over all of A's processes, whoever has rows. The finest level
  /// has A's communicator, which they all send through.
  const std::vector<CoarseProcesses>& coarse_processes() const { return m_coarse_processes; }
  /// Near-nullspace of the coarsest.
  const MultiVector<double, Space>& vectors() const { return m_vectors; }
  /// What these levels leave of `max_operator_complexity` to those below the coarsest, relative to
  /// its entries; all of it, where aggregation, whose levels have few, makes them.
  double complexity_left() const;
  const std::vector<std::string>& notes() const { return m_notes; }

 private:
  /// Between a level and the next one.
  struct Step {
    LevelRows<Space> fine;
    std::unique_ptr<Coarsening<Space>> coarsening;
    OrderedProduct<Space> ordered;  ///< in place of the coarsening's, where bits are to be equal
    Transposition<Space> transpose;  ///< of the fine level, where it is not symmetric
    Transposition<Space> restriction;  ///< R from its transpose
    Matrix<Space> Rt;
    Matrix<Space> coarse;  ///< the next level's matrix, where the product makes it
    std::unique_ptr<MovedRows<Space>> moved;  ///< and where it goes; null: it stays
    KeptRows<Space> kept;  ///< of the product, where small entries are dropped

    const Matrix<Space>& next() const { return moved != nullptr ? moved->matrix() : coarse; }
  };

  bool coarsen(const Space& exec, Level<Space>& fine, amg::PhaseTimer<Space>& timer);
  LevelRows<Space> summed(const Space& exec, const Matrix<Space>& A, const Step& step) const;
  void multiply(const Space& exec, const LevelRows<Space>& rows, const Level<Space>& fine,
                const CoarseProcesses& processes, const std::shared_ptr<const Partition>& coarse,
                Step& step);
  amg::CoarseningLimits limits_below(const Matrix<Space>& A);
  bool takes_entries(const Matrix<Space>& coarse);
  /// The level is the coarsest.
  void forget_coarse(Level<Space>& fine) const;
  void move_coarse(const Space& exec, Level<Space>& fine, Step& step);
  LevelValues<Space> values_of(const Space& exec, Level<Space>& level) const;

  amg::Parameters m_parameters;
  LevelShares m_shares;
  bool m_symmetric;
  std::optional<kernels::Box> m_box;  ///< of the coarsest so far, where its unknowns are one here
  std::vector<Step> m_steps;
  std::vector<Level<Space>> m_levels;
  std::shared_ptr<const Communicator> m_processes;  ///< of the finest level
  std::vector<CoarseProcesses> m_coarse_processes;
  MultiVector<double, Space> m_vectors;
  Functions<Space> m_functions;  ///< on the coarsest
  /// Of the finest level, of the coarsest and of all, where their number is limited.
  double m_finest_entries = 0, m_coarsest_entries = 0, m_entries = 0;
  std::vector<std::string> m_notes;
};

}  // namespace tessera::distributed
