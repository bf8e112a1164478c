// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's multigrid cycle over levels that are distributed over processes.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/distributed/fine_relaxation.hpp"
#include "tessera/distributed/gathered_solver.hpp"
#include "tessera/distributed/matrix.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::distributed {

/// One level as a setup of any kind has made it.
template <class Space>
struct Level {
  Matrix<Space> A;
  Matrix<Space> P;  ///< from the next level; none on the coarsest
  Matrix<Space> R;  ///< to the next level; where it has no share in it, P's transpose
  /// From R's rows to those of the next level's operator, where these lie elsewhere; null where
  /// they are the same.
  Plan<Space> rebalance;
  int block_size = 1;  ///< unknowns per node
  Functions<Space> functions = {};
  double spectral_radius = 0;  ///< of D^-1 A; 0 where it is to be found
  Array<double, Space> inverse_diagonal;  ///< of A; empty where it is to be found
  FineRelaxation<Space> relaxation = {};  ///< in place of a smoother, where it has a share
  CoarsePoints<Space> coarse_points = {};  ///< where smoothers are to relax points apart
  /// How the next level was made; `same` where that is not known, and on the coarsest.
  amg::CoarseningKind coarsening = amg::CoarseningKind::same;
  std::optional<amg::LevelParameters> chosen = {};  ///< none: yet to be chosen
};

/// One cycle over distributed levels from the guess zero: an approximate inverse of the finest
/// operator.
///
/// Levels are `tessera::amg`'s, with `DistributedOperator` for their matrices: smoothers, formats,
/// precision by level and the shape of the cycle are Tessera's own. The coarsest operator is
/// gathered on the first of its processes. Where levels are fewer on one process than on others, it
/// takes no part in the next one: it has neither rows nor a share in its communicator.
template <class Space>
class Cycle {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// `levels`: at least one, from the finest on; of the last one this process may have no share.
  /// `coarsest_vectors`: near-nullspace on the coarsest level, rows by m, m the same on all its
  /// processes, or none. `single_precision`: the whole cycle works in float. Collective.
  /// @throws Error for what levels over processes do not have (`check`) and as setup does.
  Cycle(const Space& exec, const amg::Parameters& parameters, std::vector<Level<Space>> levels,
        const MultiVector<double, Space>& coarsest_vectors, bool symmetric, bool single_precision,
        const GatheredParameters& gathered);
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;
  ~Cycle();

  /// @throws Error of kind configuration where `parameters` ask for levels that there are not.
  static void check(const amg::Parameters& parameters);

  /// Takes new values in the same patterns: `levels` are those of setup, with other matrices or new
  /// values in the same ones. Smoothers, and stored operators, are made again; `keeps_transfers`:
  /// but for P and R. Collective. @throws Error on all processes where one fails, and is of no use
  /// then.
  void update(const Space& exec, std::vector<Level<Space>> levels, bool keeps_transfers);

  /// Makes room for k columns on this process, so that `apply` need not; 0: what there is may not
  /// be there on all. Sends nothing: a step of all processes.
  void make_room(const Space& exec, std::size_t k);

  /// z = one cycle for A z = r, each over this process's rows, n by k. Where there was no room for
  /// k columns, it is made in a step of all processes. Collective. Queued on `exec`.
  /// @throws Error on all processes where one has no room.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z);

  /// Whether the cycle is its own transpose; the same on all processes of the coarsest level.
  bool is_symmetric() const;
  /// Whether an application waits for the device on this process, or works on the host.
  bool waits_for_host() const;
  /// One line for each level that this process has a share in: how many processes have one, and
  /// the rows of all of them; and on the process that has the coarsest one, what it makes of it.
  std::vector<std::string> description() const;
  /// The same levels with rows and entries of all processes; formats, scalars and bytes are this
  /// process's. Behind them, on its process, those that it makes of the coarsest one.
  HierarchyInfo info() const;
  /// This process's part of the levels.
  const amg::Hierarchy<double, Space>& hierarchy() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera::distributed
