// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve in one kernel: whether one is planned for a system, and what it runs on.
#pragma once

#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/smoother/ilu_smoother.hpp"
#include "tessera/solve/build.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solver/selection_rules.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

/// What the choice goes by.
struct SingleKernelCase {
  bool on_host = false;
  PreconditionerKind preconditioner = PreconditionerKind::none;
  bool on_tiles = false;
  std::size_t entries = 0;
  std::int64_t levels = 0;  ///< of L and of U, where the preconditioner is ilu; 0: not known
  bool has_hubs = false;  ///< products share some rows out by entries
  std::int64_t longest_row = 0;  ///< where it has hubs
};

/// Whether one kernel takes less time than launches.
inline bool single_kernel_pays(const SingleKernelCase& given) {
  if (given.on_host) return false;
  std::size_t most =
      given.on_tiles ? rules::single_kernel_entries_on_tiles : rules::single_kernel_entries;
  // Only products with A itself share the work of a long row. In the steps of a cycle, on tiles and
  // in factors it is a warp's at most, and all others wait for it.
  bool shares_rows = !given.on_tiles;
  if (given.preconditioner == PreconditionerKind::amg) {
    most = rules::single_kernel_entries_with_amg;
    shares_rows = false;
  } else if (given.preconditioner == PreconditionerKind::ilu) {
    if (given.levels < 1 || given.levels > rules::single_kernel_levels_of_ilu) return false;
    most = rules::single_kernel_entries_with_ilu;
    shares_rows = false;
  }
  if (given.has_hubs && !(shares_rows && given.longest_row <= rules::single_kernel_longest_row))
    return false;
  return given.entries <= most;
}

/// Whether a solve in one kernel is to be on tiles.
inline bool takes_tiles(const SolveParameters& effective) {
  return effective.solver.tiles != TilePrecision::off &&
         (effective.preconditioner == PreconditionerKind::none ||
          effective.preconditioner == PreconditionerKind::jacobi);
}

/// Whether one kernel is asked for, or by itself what pays. `incomplete`: the factors where they
/// are made, else null.
template <class Scalar, class Space, class Offset>
bool wants_single_kernel(const Space& exec, const SolveParameters& effective,
                         const CrsMatrix<Scalar, Space, Offset>& A,
                         const NonDeduced<IluPreconditioner<Scalar, Space, Offset>>* incomplete);

/// The solver in one launch, with the preconditioner in the form that it takes.
template <class Scalar, class Space, class Offset>
class SingleKernelPlan {
 public:
  using Matrix = CrsMatrix<Scalar, Space, Offset>;
  using Built = PreconditionerBuilder<Scalar, Space, Offset>;
  using Incomplete = IluPreconditioner<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// Makes the solver where one kernel can be had and pays, and `notes` of it.
  void make(const Space& exec, const SolveParameters& effective, const Matrix& A,
            const Built& built);
  /// Gives all up, the notes included.
  void release() { *this = {}; }
  /// Gives the solver up; the notes stay.
  void release_solver() { m_solver.reset(); }

  /// Null where solves are not one kernel.
  SingleKernelSolver<Scalar, Space>* solver() const { return m_solver.get(); }
  /// Says of the last `make` what came of it.
  const std::vector<std::string>& notes() const { return m_notes; }

  /// Solves for one right-hand side by `solver`, which is there, or does a part of that.
  SolveResult solve(const Space& exec, const Matrix& A, const Built& built, const ConstVectors& b,
                    const Vectors& x, const SolvePart& part);

  /// Takes A's new values. False where their tiles exceed the range of the offsets.
  [[nodiscard]] bool update(const Space& exec, const Matrix& A);
  /// Takes the new values of incomplete factors.
  void update_factors(const Space& exec, const Incomplete& incomplete);

 private:
  /// Why the preconditioner has no form for one kernel; empty where it has, and that is ready.
  std::string prepare(const Space& exec, const SolveParameters& effective, const Built& built);
  /// Makes the solver, with tiles where it takes and can have them. Returns why it has none though
  /// they are asked for, or nothing.
  std::string make_solver(const Space& exec, const SolveParameters& effective, const Matrix& A);

  std::unique_ptr<SingleKernelSolver<Scalar, Space>> m_solver;
  std::vector<std::string> m_notes;
  CycleProgram<Scalar, Space> m_cycle;  ///< where the preconditioner is multigrid
  kernels::FactorsInside<Scalar, Space> m_factors;  ///< where it is incomplete factors
};

}  // namespace tessera::detail
