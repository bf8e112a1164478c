// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve in one kernel: whether one is planned for a system, and what it runs on.
#pragma once

#include "tessera/solve/build.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

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
