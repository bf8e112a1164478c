// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid over several processes, as a preconditioner.
#pragma once

#include "tessera/distributed/cycle.hpp"
#include "tessera/distributed/gather_rows.hpp"
#include "tessera/distributed/levels.hpp"
#include "tessera/distributed/parameters.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve/parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

struct MultigridParameters {
  SolveParameters solve;  ///< `solve.amg` and what holds for all preconditioners
  int gather_rows =
      default_gather_rows;  ///< levels of at most so many rows go to the first process
  int block_size = 0;  ///< unknowns per node; 0: found from the pattern
  int rows_per_process = 1;  ///< that a process keeps of a coarse level; 0: by `message_costs`
  MessageCosts message_costs = MessageCosts::assumed;
};

/// Rows that a process keeps of a coarse level, at least: those given, else by the device. Of
/// fewer, a message costs more than the rows that it is for.
template <class Space>
int rows_per_process(int given) {
  constexpr int on_host = 1000;
  constexpr int on_device = 200000;
  if (given > 0) return given;
  return kernels::is_host_space<Space> ? on_host : on_device;
}

/// Levels of a matrix and the cycle over them. What is left open in the parameters is picked from
/// the facts of all processes.
template <class Space>
class Multigrid {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// `near_nullspace`: this process's part, n by m, m the same on all; without columns a unit
  /// vector for each unknown of a node. Collective.
  /// @throws Error on all processes where one fails.
  Multigrid(const Space& exec, const MultigridParameters& parameters, const Matrix<Space>& A,
            const MultiVector<double, Space>& near_nullspace);

  /// @throws Error of kind configuration for what levels over several processes do not have.
  static void check(const amg::Parameters& parameters);

  /// Takes new values in the pattern of before, of which "amg.reuse" says what is kept: with `none`
  /// it may be another pattern. Collective. @throws Error on all processes where one fails: an
  /// `apply` throws then, and another `update` may succeed.
  void update(const Space& exec, const Matrix<Space>& A);

  /// Whether incomplete factors smooth that nobody asked for.
  bool has_picked_factors() const { return m_picked_factors; }
  /// Whether a reduction takes their place where they fail, or has.
  bool may_reduce() const { return m_picked_factors && m_may_reduce; }
  bool has_picked_reduction() const { return m_reduces; }
  /// Sets up again without them, from now on: by a reduction where that may be, else with another
  /// smoother, which follows on a reduction, too. `why` is for the notes. Collective.
  void leave_factors(const Space& exec, const Matrix<Space>& A, const std::string& why);

  /// z = M r over this process's rows, n by k. Collective. Queued on `exec`.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z);
  /// Room for that (`Cycle::make_room`).
  void make_room(const Space& exec, std::size_t k);

  /// Whether M is known to be its own transpose; the same on all processes.
  bool is_symmetric() const;
  /// Whether A is: what `looks_symmetric` has found.
  bool matrix_is_symmetric() const { return m_symmetric; }
  /// Whether `apply` waits for the device on this process, or works on the host.
  bool waits_for_host() const;
  /// As `Cycle::info`, with notes on what was picked, and this process's times by setup step.
  HierarchyInfo info() const;
  std::vector<std::string> description() const;
  /// As `Levels::coarse_processes`.
  const std::vector<CoarseProcesses>& coarse_processes() const { return m_coarse_processes; }

 private:
  void set_up(const Space& exec, const Matrix<Space>& A);
  SolveParameters without_what_failed() const;
  const Cycle<Space>& cycle() const;

  MultigridParameters m_parameters;
  MultiVector<double, Space> m_near_nullspace;
  bool m_symmetric = false;
  bool m_picked_factors = false;  ///< incomplete ones smooth, and were not asked for
  bool m_may_reduce = false;  ///< where they fail
  bool m_reduces = false;  ///< since they have failed
  /// Notes on what has failed; factors are picked where there are none.
  std::vector<std::string> m_failures;
  std::vector<std::string> m_notes;  ///< on what was picked
  SetupPhases m_phases_ms;  ///< of the last setup or update, where they are measured
  std::unique_ptr<Levels<Space>> m_levels;  ///< where something is reused
  std::vector<CoarseProcesses> m_coarse_processes;
  std::unique_ptr<Cycle<Space>> m_cycle;  ///< null after an update that failed
};

}  // namespace tessera::distributed
