// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way in: a Krylov solver with a preconditioner, picked from the matrix where the user leaves
/// it open.
#pragma once

#include "tessera/amg/hierarchy_info.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/core/linear_operator.hpp"
#include "tessera/core/solve_result.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>

namespace tessera {

/// What approximates the inverse inside the Krylov method.
enum class PreconditionerKind { automatic, none, jacobi, amg };

inline constexpr EnumName<PreconditionerKind> preconditioner_names[] = {
    {PreconditionerKind::automatic, "auto", "amg; none where the diagonal has many zeros"},
    {PreconditionerKind::none, "none", "the identity"},
    {PreconditionerKind::jacobi, "jacobi", "the inverse of the diagonal"},
    {PreconditionerKind::amg, "amg", "one cycle of smoothed aggregation multigrid"}};

/// In which precision the preconditioner is stored and works. The solver's own vectors and the
/// stopping test keep the matrix's precision.
enum class Precision { automatic, same, single };

inline constexpr EnumName<Precision> precision_names[] = {
    {Precision::automatic, "auto", "float where the values' range allows it"},
    {Precision::same, "same", "as the matrix"},
    {Precision::single, "float", "float under a double solver"}};

/// Everything that `Solver` can be told.
struct SolveParameters {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  Precision precision = Precision::automatic;
  SolverParameters solver;
  amg::Parameters amg;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SolveParameters& p) {
  visit("preconditioner", p.preconditioner, "what approximates the inverse",
        EnumNames<PreconditionerKind>(preconditioner_names));
  visit("precision", p.precision, "precision of the preconditioner",
        EnumNames<Precision>(precision_names));
  visit.section("solver", p.solver, "the Krylov method");
  visit.section("amg", p.amg, "the multigrid preconditioner");
}

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

  explicit Solver(SolveParameters parameters = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Picks what is left open, and builds the preconditioner. `A`'s arrays are shared, not copied.
  /// `candidates`: near-nullspace vectors, n by m (rigid body modes for elasticity), where empty a
  /// unit vector for each unknown of a vertex; `block_size`: unknowns a vertex, found from the
  /// pattern where it is 0, as is in any case whether they are numbered vertex by vertex or unknown
  /// by unknown (see amg::find_nodes). Where values overflow in float, multigrid is made in double,
  /// and where they overflow there, Jacobi takes its place: the notes say so.
  /// @throws Error where A is not square, the arguments' sizes do not fit together, or multigrid
  ///         meets a NaN or an infinity among A's own values.
  void setup(const Space& exec, const Matrix& A, const ConstVectors& candidates = {},
             int block_size = 0);

  /// Solves from the guess in `x`. b and x: n by k. How it ended is in the result; only broken
  /// preconditions throw. Where float was picked for multigrid and the solve fails otherwise than
  /// by a limit, multigrid is made anew in double and the solve goes on from the best iterate; the
  /// result is that of both, the second setup's time included, and later solves stay in double.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);

  /// Called at the start and after every iteration; returning false stops the solve.
  void set_logger(Logger logger);

  /// The parameters with every open choice filled in by `setup`, and as a `solve` changed them.
  const SolveParameters& parameters() const;
  /// The levels, and what was picked and why; no levels where the preconditioner is not multigrid.
  const HierarchyInfo& hierarchy() const;
  double setup_ms() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera
