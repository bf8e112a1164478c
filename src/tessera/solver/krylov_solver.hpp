// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Krylov solvers as who uses them sees them.
#pragma once

#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/iteration_runner.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>

namespace tessera {

template <class Scalar, class Space>
class NullspaceProjector;

/// The iteration at which a solve ends that goes on from `before`, null for none: after one that
/// has met the limit, as many more.
int iteration_limit(const SolverParameters& parameters, const SolveResult* before);

/// Solves A X = B for k right-hand sides at once, by the method that `make_solver` was asked for.
/// The columns iterate together, each with its own coefficients, and a column that is done, or that
/// has failed, is left as it is until all are.
///
/// After `prepare`, iterations allocate nothing and wait for the device once, or for what was
/// queued an iteration before (cg, gmres and fgmres, by `SolverParameters::ahead`).
template <class Scalar, class Space>
class KrylovSolver {
 public:
  using Operator = LinearOperator<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;

  virtual ~KrylovSolver() = default;
  KrylovSolver(const KrylovSolver&) = delete;
  KrylovSolver& operator=(const KrylovSolver&) = delete;

  virtual const SolverParameters& parameters() const = 0;
  virtual void set_logger(Logger logger) = 0;

  /// Iterations go through `runner`, which is no other solver's; null for none. Its promise covers
  /// A and M of all solves that follow: call `forget_recordings` where they change.
  virtual void set_runner(std::shared_ptr<IterationRunner<Space>> runner) = 0;
  virtual void forget_recordings() = 0;

  /// Gives a basis (n by q, copied) of the nullspace of a symmetric singular A: residuals are
  /// projected onto its complement on the way, and so is the x returned. A right-hand side that is
  /// not in the range of A ends as `least_squares`. The residuals reported are those of the system
  /// given. The first solve applies A to the vectors, and throws `Error` of kind `configuration`
  /// where that is not zero to round-off; so it does for `NullspaceKind::constant`.
  virtual void set_nullspace(const Space& exec, const ConstVectors& vectors) = 0;
  /// The same of a nullspace that is known to be A's.
  virtual void set_nullspace(const NullspaceProjector<Scalar, Space>& projector) = 0;
  /// Of a nonsymmetric A: x is kept in the complement of what A takes to zero, and residuals, by
  /// `transposed`, in that of what A^T does, which is the range of A; where that is empty,
  /// residuals stay as they are, and a right-hand side has to be in the range.
  virtual void set_nullspaces(const NullspaceProjector<Scalar, Space>& projector,
                              const NullspaceProjector<Scalar, Space>& transposed) = 0;
  /// A of n rows is known to annihilate the nullspace, which is not checked then.
  virtual void trust_nullspace(Ordinal n) = 0;

  /// Makes room for systems of n rows and k right-hand sides; `solve` does it where it was not
  /// done.
  virtual void prepare(const Space& exec, Ordinal n, int k) = 0;

  /// Solves A x = b from the guess x, and leaves the best iterate there: a column that has not
  /// converged has no larger true residual than its guess, or than it had at the end of any cycle.
  /// A: n by n; b and x: n by k; `M` approximates the inverse of A, or is null. b = 0 gives x = 0.
  /// Non-convergence is a status of the result, never an exception, and each column has its own.
  ///
  /// b has any magnitude: a column whose norm is out of 2^±32 is solved for after a power of two
  /// was taken out of it, with memory for another b and x, and iterates in the same bits.
  /// `converged` speaks of the x that is returned: one with entries beyond what Scalar holds is
  /// `not_a_number`, one whose residual has grown with denormal entries is `stagnated`. A guess
  /// whose residual is more than 1/epsilon times as long as b holds nothing of b's digits, and is
  /// taken for 0. `before`: how another solver left x for the same A and b. Then this solve goes on
  /// from there: iterations and time count on, what the limits (but for `iteration_limit`) and the
  /// logger see, and the result is that of both.
  virtual SolveResult solve(const Space& exec, const Operator& A, Preconditioner<Scalar, Space>* M,
                            const ConstVectors& b, const Vectors& x,
                            const SolveResult* before = nullptr) = 0;

 protected:
  KrylovSolver() = default;
};

}  // namespace tessera
