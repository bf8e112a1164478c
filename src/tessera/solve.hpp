// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way in: a Krylov solver with a preconditioner, picked from the matrix where the user leaves
/// it open.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/operator/vector_checks.hpp"
#include "tessera/solve/level_matrices.hpp"
#include "tessera/solve/memory_forecast.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solver/logger.hpp"

#include <memory>
#include <type_traits>

namespace tessera {

/// Solves A x = b for one A and any number of right-hand sides.
///
/// @code
/// tessera::Solver<double, Space> solver;
/// solver.setup(exec, A);
/// const tessera::SolveResult result = solver.solve(exec, b, x);
/// @endcode
template <class Scalar, class Space, class Offset = std::int32_t>
class Solver {
 public:
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// @throws Error of kind `configuration` where a parameter is out of its range.
  explicit Solver(SolveParameters parameters = {});
  ~Solver();
  /// A Solver that was moved from can be assigned to and destroyed; all else throws.
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Picks what is left open, and builds the preconditioner. `A`'s arrays are shared, not copied.
  /// `near_nullspace`: near-nullspace vectors, n by m (rigid body modes for elasticity), m <= 10,
  /// where empty a unit vector for each unknown of a node; `block_size`: unknowns per node, found
  /// from the pattern where it is 0, as is in any case whether they are numbered node by node
  /// or unknown by unknown (see amg::find_nodes). Where values overflow in float, multigrid is made
  /// in double, and where they overflow there, Jacobi takes its place; where an `Offset` does not
  /// count the entries of its matrices, it is made with 64-bit ones: the notes say so.
  ///
  /// The values in `A`'s View may change afterwards, its pattern may not. The Krylov method works
  /// with them as they are at each solve; the preconditioner, in any precision, is made of those
  /// that setup found and has a copy of what it needs. While the new matrix is near the old one,
  /// solves converge to its solution, in a few more iterations; set up again when they become too
  /// many, or when what was picked, such as the method or the nullspace, no longer applies.
  /// @throws Error of kind `configuration` where A does not annihilate the nullspace that the
  ///         parameters name, where a direct solver is asked for and the library was
  ///         built without one (SuiteSparse), or factors would take more than it may.
  /// @throws Error of kind `bad_input` where incomplete factors meet a zero pivot and `ilu.shift`
  /// is
  ///         0.
  /// @throws Error where A is not square, the arguments' sizes do not fit together, there are more
  ///         than 10 near-nullspace vectors, or one is all zeros; where the near-nullspace vectors,
  ///         or A's own values with multigrid, hold a NaN or an infinity.
  /// @throws Error of kind `out_of_memory`, whose message begins with the step: where memory ran
  /// out, and
  ///         where `max_memory_mb` of the parameters is less than the forecast, or the running
  ///         total, of all that may be picked (docs/guide/memory.md has what is given up in which
  ///         order).
  /// After any of them the solver is as before its first setup, with all that was built freed.
  void setup(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace = {},
             int block_size = 0);
  /// Of types that do not suit: they do not compile, and the compiler says why.
  template <class OtherScalar, class OtherSpace, class OtherOffset>
    requires(!std::is_same_v<kernels::Csr<OtherScalar, OtherSpace, OtherOffset>, Matrix>)
  void setup(const Space&, const kernels::Csr<OtherScalar, OtherSpace, OtherOffset>&,
             const ConstVectors& = {}, int = 0) {
    static_assert(std::is_same_v<OtherScalar, Scalar>,
                  "Tessera: the matrix has the value type of the Solver: tessera::Solver<float, "
                  "Space> for float; for const values see tessera::csr_in_place");
    static_assert(std::is_same_v<OtherOffset, Offset>,
                  "Tessera: the matrix has the offsets of the Solver: tessera::Solver<double, "
                  "Space, std::int64_t> for 64 bits");
    static_assert(std::is_same_v<OtherSpace, Space>,
                  "Tessera: the matrix has the execution space of the Solver");
  }
  template <class Near>
    requires(detail::are_no_vectors<Near, Scalar, Space, false>())
  void setup(const Space&, const Matrix&, const Near&, int = 0) {
    detail::refuse_no_vectors<Near, Scalar, Space, false>();
  }

  /// What `setup` with these arguments, and solves after it, are expected to take; what was set up
  /// before stays as it is. Costs a setup of a piece of A, or of A where it has no more than
  /// 400,000 entries.
  /// @throws Error as `setup`.
  MemoryForecast forecast_memory(const Space& exec, const Matrix& A,
                                 const ConstVectors& near_nullspace = {}, int block_size = 0) const;

  /// Solves from the guess in `x`. b and x: n by k, and they do not overlap. How it ended is in the
  /// result; only broken preconditions throw, and memory that runs out (kind `out_of_memory`): x
  /// holds a part of an iteration then, and the solve can be repeated. Where the solve goes badly
  /// with what was picked, another choice is made and the solve goes on from the best iterate
  /// (tessera/solve/fallback.cpp has them in order): the nullspace of a symmetric matrix where one
  /// is found, multigrid where dividing by the diagonal does too little, multigrid in double after
  /// a failure in float, GMRES after a breakdown of CG, a stronger smoother where iterations reduce
  /// the residual too little, and on a host a sparse direct solver. The notes say so, the result is
  /// that of all parts, with further setups' times, and later solves stay with the last choice.
  /// Where memory runs out in a change of choice, the next call is `update_values` or `setup`.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);
  /// Of types that do not suit: they do not compile, and the compiler says why.
  template <class B, class X>
    requires(detail::are_no_vectors<B, Scalar, Space, false>() ||
             detail::are_no_vectors<X, Scalar, Space, true>())
  SolveResult solve(const Space&, const B&, const X&) {
    detail::refuse_no_vectors<B, Scalar, Space, false>();
    detail::refuse_no_vectors<X, Scalar, Space, true>();
    return {};
  }

  /// Takes new values in the pattern that `setup` was given: those that its arrays hold by now, or
  /// those of `A`, whose arrays are shared from then on. What was picked stays, and
  /// `parameters().amg.reuse` says what of the hierarchy does; `none` sets all up again, whatever
  /// the preconditioner, with a copy of the near-nullspace vectors, and picks again. So does any
  /// kind where `jacobi` or `none` was not asked for by name, but picked or taken in another one's
  /// place. Where the new numbers cannot be had in that way (they overflow, say, or the nullspace
  /// that was projected out is none any more), all is set up again as well, and a note says why. So
  /// it is after values that were an error, and after memory ran out.
  /// @throws Error of kind `precondition` before a setup, and where A's pattern is another one: it
  ///         says from which row on, or in which rows. Of kinds `bad_input`, `configuration` and
  ///         `out_of_memory` as `setup`.
  void update_values(const Space& exec);
  void update_values(const Space& exec, const Matrix& A);

  /// What was picked to approximate the inverse, for use inside another method: z = M r. Null where
  /// that is the identity. It belongs to this Solver, and `setup`, `update_values` and a `solve`
  /// that goes badly may replace it.
  /// @throws Error of kind `precondition` before a setup.
  Preconditioner<Scalar, Space>* preconditioner() const;

  /// The nullspace of the matrices of later setups, n by m: every vector that they take to zero, in
  /// any basis, of which a copy is kept. Solves go on in its complement: x has no part in it.
  /// Vectors that depend on those before them drop out; a View without columns forgets the
  /// nullspace. Multigrid is made of the near-nullspace vectors of `setup`, which may be the same
  /// ones. Factors are not picked.
  ///
  /// A x = b has a solution where b is orthogonal to all that A^T takes to zero. Of a symmetric A
  /// that is the same basis. Of a nonsymmetric one it is the `left` nullspace, another basis: with
  /// it what no x reduces is taken out of the residual, and where b has such a part a solve ends as
  /// `least_squares`; without it b has to be in the range of A, and a solve for another one
  /// stagnates.
  ///
  /// A setup throws an Error of kind `configuration` where its matrix, or its transpose, does not
  /// annihilate one of the vectors, or where `solver.nullspace` is neither `auto` nor `given`, and
  /// of kind `precondition` where it has another number of rows.
  /// @throws Error of kind `bad_input` where a vector is all zeros or holds a NaN or an infinity.
  void set_nullspace(const Space& exec, const ConstVectors& basis, const ConstVectors& left = {});

  /// Of a system whose rows are not numbered node by node, which function each row of later setups'
  /// matrices is of: 0 for the first unknown of all nodes, and so on. Classical coarsening by
  /// unknowns stays within functions, and nothing else reads them. The View is shared, not copied,
  /// and one without entries forgets them. A setup throws an Error of kind `precondition` where
  /// they are not one for each row, or its `block_size` is not 1. Forecasts of memory go without
  /// them.
  void set_functions(const Array<const Ordinal, Space>& functions);

  /// Called at the start and after every iteration; returning false stops the solve. Where it
  /// `may_be_late`, a solve of one kernel is taken as without a logger: it then gets all
  /// iterations when they are over, the time shared out among them, and false leaves a solve that
  /// has converged as it is and makes any other one `interrupted`. A kernel that is not done after
  /// a second is followed by iterations that the logger gets live.
  void set_logger(Logger logger, LogTiming timing = LogTiming::live);

  /// The parameters with every open choice filled in by `setup`, and as a `solve` changed them.
  const SolveParameters& parameters() const;
  /// The levels, and what was picked and why; no levels where the preconditioner is not multigrid.
  const HierarchyInfo& hierarchy() const;
  /// Copies of the matrices of one of these levels, the finest being 0, to look at: they take no
  /// part in later solves, and later ones change nothing of them. They are multigrid's own: of A in
  /// the preconditioner's precision, and scaled or with its unknowns renumbered where notes say so.
  /// Made on the host, in time and memory for a matrix of the level's size; of a registered storage
  /// format by a product for each column, and without explicit zeros.
  /// @throws Error of kind `precondition` before a setup, and where there is no such level; of kind
  ///         `configuration` for a registered storage format of more than 20,000 columns;
  ///         OffsetOverflow where an `Offset` does not count a matrix's entries.
  LevelMatrices<Scalar, Space, Offset> level_matrices(const Space& exec, int level) const;
  /// Of the last `setup` or `update_values`, with an attempt that all was set up again after.
  double setup_ms() const;

 private:
  struct State;
  /// The state, which a Solver that was moved from has no more.
  State& state() const;

  std::unique_ptr<State> m_state;
};

}  // namespace tessera
