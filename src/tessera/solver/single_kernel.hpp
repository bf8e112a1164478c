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

/// Up to how many entries `solver.single_kernel=auto` takes one launch for a whole solve: beyond,
/// work outweighs launches (10^6 in Yang et al., Mille-feuille, SC'24, section III.C). On an H200
/// one launch of cg takes 0.6 of the time of graphs at 1.8 million entries, 0.8 and 0.9 at 3.5 and
/// 3.6, as long at 4.7, and 1.2 times as long at 6.9; bicgstab a little less.
inline constexpr std::size_t single_kernel_entries = 3'600'000;

/// The same on tiles (`solver.tiles`): on an H200 cg takes 1.1 times as long as by graphs, with
/// jacobi 0.9, on a matrix of 2.0 million entries, and larger ones were not measured.
inline constexpr std::size_t single_kernel_entries_on_tiles = 1'800'000;

/// The same where the preconditioner is amg. On an H200 a solve of a 7-point stencil takes 0.63,
/// 0.86, 0.86 and 0.92 of the time of one by graphs on 16^3, 24^3, 32^3 and 40^3 points (438,000
/// entries), and 1.15 and 1.7 times as long on 48^3 and 64^3.
inline constexpr std::size_t single_kernel_entries_with_amg = 450'000;

/// The same where the preconditioner is ilu, and up to how many levels of rows that wait for each
/// other L and U may have together: a level takes one kernel longer than launches, and what is not
/// of levels less. On an H200 an iteration is 1.75 (cg, 67 matrices) and 1.94 times (bicgstab, 83)
/// as fast as with cuSPARSE's SpSV so, by graphs alone 1.50 and 1.72, and 1.81 and 2.00 by the
/// faster of the two on each. Of more than 200,000 entries seven were measured.
inline constexpr std::size_t single_kernel_entries_with_ilu = 200'000;
inline constexpr std::int64_t single_kernel_levels_of_ilu = 200;

/// The longest row with which `auto` takes one launch: it is the work of one block. With one of
/// 10,000 entries (bloweybq) an iteration takes 9.2 us on an H200, and 33.7 by graphs. Longer ones
/// were not measured.
inline constexpr std::int64_t single_kernel_longest_row = 100'000;

/// What a call is to do of a solve. One that meets a limit of its part, or a launch's, and none of
/// the parameters' has that limit's status too: `is_unfinished` tells.
struct SolvePart {
  int iterations = std::numeric_limits<int>::max();
  double seconds = 0;  ///< 0: no limit
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
