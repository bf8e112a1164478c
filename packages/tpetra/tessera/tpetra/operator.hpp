// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's preconditioner, or a whole solve, as a `Tpetra::Operator`.
#pragma once

#include "tessera/tpetra/parameters.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include <iosfwd>
#include <memory>
#include <string>

namespace tessera::tpetra {

/// y = alpha M x + beta y with M an approximation of the inverse of a `Tpetra::CrsMatrix` of
/// doubles: Tessera's preconditioner for it, or a solve with it (parameter "apply").
///
/// On one process M is that of the whole matrix, whose arrays are shared, not copied, and kept
/// alive. On several, parameter "distributed" says what it is:
/// - multigrid: a V-, W- or F-cycle over levels that are distributed over the processes
///   (distributed::Multigrid), whose coarsest one the first process preconditions by itself;
/// - block_jacobi, and where "preconditioner" is none, jacobi, block_jacobi, ilu or direct:
///   additive Schwarz without overlap. Each process preconditions its diagonal block (a copy) by
///   itself, and no vector is communicated. It is linear and, where the blocks' preconditioners
///   are, symmetric; iterations grow with the number of processes.
///
/// Constructor and `update` are collective over the matrix's communicator: where one process fails,
/// all throw.
template <class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type,
          class Node = Tpetra::Map<>::node_type>
class Operator : public Tpetra::Operator<double, int, GlobalOrdinal, Node> {
 public:
  using Base = Tpetra::Operator<double, int, GlobalOrdinal, Node>;
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;
  using LocalMatrix = kernels::Csr<double, Space, std::int64_t>;
  using LocalSolver = Solver<double, Space, std::int64_t>;

  /// Sets up for `A`, a filled CrsMatrix whose row, range and domain map are the same.
  ///
  /// `list`: Tessera's parameters by their own names (set_from_parameter_list), those of
  /// `tpetra::Parameters`, and in a sublist "user data", as `RCP<Tpetra::MultiVector<double, ...>>`
  /// (of const or not) over A's row map and over nodes:
  /// - "Nullspace": near-nullspace vectors, n by m, m <= 10;
  /// - "Coordinates": nodes by dimension, from which "rigid_body_modes" makes them; of no use
  ///   otherwise.
  ///
  /// A preconditioner whose "precision" is left open works in double, so that it is linear under
  /// any Krylov method; "float" suits CG and flexible methods.
  /// @throws Error for what is wrong of the matrix, its maps, the list or the vectors.
  explicit Operator(const Teuchos::RCP<const Base>& A, const Teuchos::ParameterList& list = {});
  /// The same with parameters that were set already; `user_data` is such a sublist.
  Operator(const Teuchos::RCP<const Base>& A, const Parameters& parameters,
           const Teuchos::ParameterList& user_data = {});
  ~Operator() override;

  /// Takes new values in the same pattern and over the same maps: those of `A`, which may be the
  /// matrix of before. Parameter "amg.reuse" says what stays, of levels over several processes as
  /// of one's. @throws Error where a map is another one, or the pattern that something is kept of.
  void update(const Teuchos::RCP<const Base>& A);

  Teuchos::RCP<const Map> getDomainMap() const override;
  Teuchos::RCP<const Map> getRangeMap() const override;

  /// `beta == 0` overwrites Y, NaN included; `alpha == 0` does not read X. X and Y may be the same
  /// vectors, columns of others, and any number of columns. With "apply" = "solve" a solve that
  /// does not converge leaves its best iterate; `last_result` says how it ended.
  /// @throws Error for a transpose where `hasTransposeApply` is false, and for vectors over other
  ///         maps.
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             double alpha = 1, double beta = 0) const override;

  /// Solves A x = b on one process from the guess in `x`, whatever "apply" says, by Tessera's
  /// method. b and x may have any stride. How it ended is in the result.
  /// @throws Error on several processes, and for vectors over other maps.
  SolveResult solve(const Vectors& b, Vectors& x);
  /// Called in each iteration of a solve; returning false stops it.
  void set_logger(Logger logger);

  /// True where M is known to be its own transpose: none and jacobi; multigrid by V- or W-cycles,
  /// factors, and solves of a matrix that is symmetric (parameter "amg.symmetry" as it was picked).
  bool hasTransposeApply() const override;

  std::string description() const override;
  /// With VERB_LOW and above what was picked, and why, process by process.
  void describe(
      Teuchos::FancyOStream& out,
      Teuchos::EVerbosityLevel verbosity = Teuchos::Describable::verbLevel_default) const override;

  /// The levels, and what was picked: this process's own, or under distributed multigrid those of
  /// all processes down to the one that the first process goes on with, there with what it makes of
  /// that one.
  HierarchyInfo hierarchy() const;
  /// The parameters with every open choice filled in on this process.
  Parameters parameters() const;
  /// This process's solver: its levels, notes and times. It has no setup where this process has no
  /// rows, and under distributed multigrid.
  const LocalSolver& local_solver() const;
  /// What this process's solver is set up with: A's own arrays on one process, where its columns
  /// are numbered as its rows are; else a copy of the diagonal block. Of no use under distributed
  /// multigrid.
  const LocalMatrix& local_matrix() const;
  /// Of the last `solve`, or `apply` with "apply" = "solve".
  const SolveResult& last_result() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

extern template class Operator<>;

}  // namespace tessera::tpetra
