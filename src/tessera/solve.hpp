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
#include "tessera/direct/parameters.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/smoother/ilu_parameters.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>

namespace tessera {

/// What approximates the inverse inside the Krylov method.
enum class PreconditionerKind { automatic, none, jacobi, block_jacobi, ilu, amg, direct };

inline constexpr EnumName<PreconditionerKind> preconditioner_names[] = {
    {PreconditionerKind::automatic, "auto",
     "amg; jacobi where the diagonal decides most rows; direct on a host where that is foreseen to "
     "be "
     "cheaper, or where iterations fail; none where the diagonal has many zeros"},
    {PreconditionerKind::none, "none", "the identity"},
    {PreconditionerKind::jacobi, "jacobi", "the inverse of the diagonal"},
    {PreconditionerKind::block_jacobi, "block_jacobi", "the inverses of blocks on the diagonal"},
    {PreconditionerKind::ilu, "ilu", "incomplete factors on the matrix's own pattern, ILU(0)"},
    {PreconditionerKind::amg, "amg", "one cycle of smoothed aggregation multigrid"},
    {PreconditionerKind::direct, "direct",
     "sparse factors, made and applied by one thread of the host, for a device as well"}};

/// In which precision the preconditioner is stored and works. The solver's own vectors and the
/// stopping test keep the matrix's precision.
enum class Precision { automatic, same, single };

inline constexpr EnumName<Precision> precision_names[] = {
    {Precision::automatic, "auto", "float where the values' range allows it"},
    {Precision::same, "same", "as the matrix"},
    {Precision::single, "float", "float under a double solver"}};

/// Whether the preconditioner is made of D A E, diagonal D and E of powers of two that bring the
/// largest entry of each row and column to about 1; D = E for a symmetric A.
enum class Equilibration { automatic, none, powers_of_two };

inline constexpr EnumName<Equilibration> equilibration_names[] = {
    {Equilibration::automatic, "auto",
     "where the range of the scalars that the preconditioner works or is stored in asks for it"},
    {Equilibration::none, "none", "the matrix as it is"},
    {Equilibration::powers_of_two, "powers_of_two",
     "rows and columns scaled until their largest entries are about 1"}};

inline constexpr EnumName<kernels::TensorCoreUse> tensor_core_names[] = {
    {kernels::TensorCoreUse::automatic, "auto",
     "those with five vectors and more whose sums are in float, where rows of tiles are long"},
    {kernels::TensorCoreUse::on, "on", "all of them; an error where the device has none"},
    {kernels::TensorCoreUse::off, "off", "none"}};

/// Everything that `Solver` can be told.
struct SolveParameters {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  Precision precision = Precision::automatic;
  Equilibration equilibration = Equilibration::automatic;
  bool graph = true;
  bool column_patterns = true;
  kernels::TensorCoreUse tensor_cores = kernels::TensorCoreUse::automatic;
  int block_rows = 0;
  SolverParameters solver;
  amg::Parameters amg;
  direct::Parameters direct;
  IluParameters ilu;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SolveParameters& p) {
  visit("preconditioner", p.preconditioner, "what approximates the inverse",
        EnumNames<PreconditionerKind>(preconditioner_names));
  visit("precision", p.precision, "precision of the preconditioner",
        EnumNames<Precision>(precision_names));
  visit("equilibration", p.equilibration,
        "powers of two that scale rows and columns of the matrix inside the preconditioner",
        EnumNames<Equilibration>(equilibration_names));
  visit("graph", p.graph,
        "replay an iteration, or a multigrid cycle, as one graph where the device has graphs");
  visit("column_patterns", p.column_patterns,
        "on a GPU, products with a matrix in compressed rows whose rows repeat, as on grids, read "
        "patterns in place of columns");
  visit("tensor_cores", p.tensor_cores,
        "on a GPU, whether products with a matrix of tiles go to tensor cores",
        EnumNames<kernels::TensorCoreUse>(tensor_core_names));
  visit("block_rows", p.block_rows,
        "consecutive rows of a block (block_jacobi); 0: a vertex's unknowns where they are several "
        "and numbered vertex by vertex, else 8",
        Range{0, 16});
  visit.section("solver", p.solver, "the Krylov method");
  visit.section("amg", p.amg, "the multigrid preconditioner");
  visit.section("direct", p.direct, "the sparse direct solver");
  visit.section("ilu", p.ilu, "the incomplete factors");
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

  /// @throws Error of kind `configuration` where a parameter is out of its range.
  explicit Solver(SolveParameters parameters = {});
  ~Solver();
  /// A Solver that was moved from can be assigned to and destroyed; all else throws.
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Picks what is left open, and builds the preconditioner. `A`'s arrays are shared, not copied.
  /// `candidates`: near-nullspace vectors, n by m (rigid body modes for elasticity), m <= 10, where
  /// empty a unit vector for each unknown of a vertex; `block_size`: unknowns per vertex, found
  /// from the pattern where it is 0, as is in any case whether they are numbered vertex by vertex
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
  ///         than 10 candidates, or one is all zeros; where the candidates, or A's own values with
  ///         multigrid, hold a NaN or an infinity.
  void setup(const Space& exec, const Matrix& A, const ConstVectors& candidates = {},
             int block_size = 0);

  /// Solves from the guess in `x`. b and x: n by k, and they do not overlap. How it ended is in the
  /// result; only broken preconditions throw. Where the solve goes badly with what was picked,
  /// another choice is made and the solve goes on from the best iterate (tessera/ladder.hpp has
  /// them in order): the nullspace of a symmetric matrix where one is found, multigrid where
  /// dividing by the diagonal does too little, multigrid in double after a failure in float, GMRES
  /// after a breakdown of CG, a stronger smoother where iterations reduce the residual too little,
  /// and on a host a sparse direct solver. The notes say so, the result is that of all parts, with
  /// further setups' times, and later solves stay with the last choice.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);

  /// Takes new values in the pattern that `setup` was given: those that its arrays hold by now, or
  /// those of `A`, whose arrays are shared from then on. What was picked stays, and
  /// `parameters().amg.reuse` says what of the hierarchy does; `none` sets all up anew, whatever
  /// the preconditioner, with a copy of the candidates, and picks anew. So does any kind where
  /// `jacobi` or `none` was not asked for by name, but picked or taken in another one's place.
  /// Where the new numbers cannot be had in that way (they overflow, say), all is set up anew as
  /// well, and a note says why. So it is after values that were an error.
  /// @throws Error of kind `precondition` before a setup, and where A's pattern is another one: it
  ///         says from which row on, or in which rows. Of kind `bad_input` as `setup`.
  void update_values(const Space& exec);
  void update_values(const Space& exec, const Matrix& A);

  /// What was picked to approximate the inverse, for use inside another method: z = M r. Null where
  /// that is the identity. It belongs to this Solver, and `setup`, `update_values` and a `solve`
  /// that goes badly may replace it.
  /// @throws Error of kind `precondition` before a setup.
  Preconditioner<Scalar, Space>* preconditioner() const;

  /// Called at the start and after every iteration; returning false stops the solve. Where it
  /// `may_be_late`, a solve of one kernel is taken as without a logger: it then hears of all
  /// iterations when they are over, the time shared out among them, and false leaves a solve that
  /// has converged as it is and makes any other one `interrupted`. A kernel that is not done after
  /// a second is followed by iterations that the logger hears of live.
  void set_logger(Logger logger, LogTiming timing = LogTiming::live);

  /// The parameters with every open choice filled in by `setup`, and as a `solve` changed them.
  const SolveParameters& parameters() const;
  /// The levels, and what was picked and why; no levels where the preconditioner is not multigrid.
  const HierarchyInfo& hierarchy() const;
  /// Of the last `setup` or `update_values`, with an attempt that all was set up anew after.
  double setup_ms() const;

 private:
  struct State;
  /// The state, which a Solver that was moved from has no more.
  State& state() const;

  std::unique_ptr<State> m_state;
};

}  // namespace tessera
