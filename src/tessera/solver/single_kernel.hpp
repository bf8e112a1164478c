// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB that go from the first residual to the last within one launch.
#pragma once

#include "tessera/kernels/persistent/solve.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <limits>
#include <optional>
#include <string>

namespace tessera {

/// What a call is to do of a solve. One that meets a limit of its part, or a launch's, and none of
/// the parameters' has that limit's status too: `is_unfinished` tells.
struct SolvePart {
  int iterations = std::numeric_limits<int>::max();
  double seconds = 0;  ///< 0: no limit
  kernels::SlowRate slow_rate = {};  ///< at which it ends as at the limit of its iterations
  /// Of the parts before, which left the x that this one goes on from: iterations, history, time
  /// and what residuals are relative to are continued. Null for the first one.
  const SolveResult* before = nullptr;
};

/// Whether a solve of one right-hand side has met none of the parameters' limits, and ended all the
/// same as if it had met one.
bool is_unfinished(const SolveResult& result, const SolverParameters& parameters);

/// Solves A x = b for one right-hand side by `kernels::persistent_cg` or
/// `kernels::persistent_bicgstab`. Results are those of a `KrylovSolver` but for rounding, with one
/// difference: within a cycle no best iterate is kept, only the one at its start and end. A launch
/// ends after a minute (`kernels::persistent_watchdog_s`), so that none holds a device for good:
/// the solve has the status `time_limit` then, and is unfinished.
///
/// A solve on tiles (`solver.tiles`) that diverges, breaks down, stagnates or meets a NaN goes on
/// with the matrix itself from the best x of its cycles.
template <class Scalar, class Space>
class SingleKernelSolver {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// Why a solve with these parameters cannot be one launch; empty where it can.
  static std::string obstacle(const SolverParameters& parameters);

  /// @throws Error of kind `configuration` where there is an obstacle.
  explicit SingleKernelSolver(const SolverParameters& parameters);

  /// Solves from the guess in x, all of it or a part. b and x: n by 1, not overlapping.
  /// @throws Error where sizes do not fit; of kind `device` where the launch was lost.
  template <class Offset>
  SolveResult solve(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const NonDeduced<kernels::PersistentPreconditioner<Scalar, Space>>& M,
                    const ConstVectors& b, const Vectors& x, const SolvePart& part = {});

  /// How tiles ended in the last solve, where it went on without them.
  std::optional<SolveStatus> end_of_tiles() const { return m_end_of_tiles; }

  /// Makes the tiles of A, with `solver.tiles`; else the first solve does.
  /// @throws OffsetOverflow where offsets of this type do not count them.
  template <class Offset>
  void make_tiles(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);
  /// After the matrix has changed: tiles of it are made again.
  void forget_matrix();

  /// After how many seconds a launch ends; a minute at the most.
  void set_launch_limit(double seconds) { m_launch_limit_s = seconds; }

 private:
  /// A matrix in tiles, and the largest row sum of magnitudes.
  template <class Offset>
  struct Tiles {
    kernels::MixedTiles<Scalar, Space, Offset> matrix;
    double norm = 0;
  };
  template <class Offset>
  std::optional<Tiles<Offset>>& tiles() {
    if constexpr (sizeof(Offset) == 4) {
      return m_tiles;
    } else {
      return m_wide_tiles;
    }
  }
  /// One launch, or several of as many iterations as a launch can record.
  template <class Offset>
  SolveResult launch(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                     const kernels::PersistentPreconditioner<Scalar, Space>& M,
                     const ConstVectors& b, const Vectors& x,
                     const kernels::PersistentLimits& limits, double limit_s);
  /// `done`: the solve's iterations before.
  template <class Offset>
  SolveResult launch_on_tiles(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                              const ArrayView<const Scalar, Space>& inverse_diagonal,
                              const ConstVectors& b, const Vectors& x,
                              const kernels::PersistentLimits& limits, double limit_s, int done);
  /// Whether b and the guess that the last launch began with are finite, and the guess is not 0:
  /// then a residual that is not finite is too long a guess's.
  bool guess_is_too_long(const Space& exec, const ConstVectors& b) const;
  /// Seconds that are left of the solve and of the part, infinite where neither has a limit.
  double seconds_left(const SolveResult& result, const SolvePart& part) const;

  SolverParameters m_parameters;
  double m_launch_limit_s = kernels::persistent_watchdog_s;
  std::optional<SolveStatus> m_end_of_tiles;
  bool m_tiles_stay = false;  ///< as they were made, for the rest of this solve
  Array<Scalar, Space> m_guess;  ///< what a launch began with
  kernels::PersistentWorkspace<Scalar, Space> m_workspace;
  kernels::TiledWorkspace<Scalar, Space> m_tiled_workspace;
  std::optional<Tiles<std::int32_t>> m_tiles;
  std::optional<Tiles<std::int64_t>> m_wide_tiles;
};

}  // namespace tessera
