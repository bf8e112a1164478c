// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's multigrid for MFEM's matrices: a preconditioner for MFEM's Krylov methods, and a
/// solver by itself.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/hypre/parameters.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/logger.hpp"

#include <mfem.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::mfem {

using Parameters = hypre::Parameters;

/// x = M b with M a multigrid cycle, or with the parameter `apply` as `solve` a solve of A x = b to
/// `solver.tolerance`. A is a `HypreParMatrix` over any number of processes, or a finalised
/// `SparseMatrix`, which one process solves by itself.
///
/// With `iterative_mode`, which MFEM's methods turn off in their preconditioners, a solve begins
/// from x, and an application is x = x + M (b - A x).
///
/// Kokkos is initialised in the first `SetOperator` unless the program has done so, and then
/// finalised at the end of the program. Matrices and vectors are read on the host.
///
/// @code
/// tessera::mfem::Solver M;
/// M.set_rigid_body_modes(fespace);  // elasticity
/// M.SetOperator(A);
/// cg.SetPreconditioner(M);
/// @endcode
class Solver : public ::mfem::Solver {
 public:
  explicit Solver(const Parameters& parameters = {});
  explicit Solver(const ::mfem::Operator& A, const Parameters& parameters = {});
  ~Solver() override;

  /// Sets a parameter by its name, such as "amg.cycle" to "w", or words "name=value" with blanks
  /// between them. The next `SetOperator` begins from the start.
  /// @throws Error for an unknown name, with the nearest one, and for a value that it does not take
  void set_parameter(const std::string& name, const std::string& value);
  void set_parameters(const std::string& words);

  /// Near-nullspace vectors over this process's rows, at most 10; none: the constant of each
  /// unknown of a node. The next `SetOperator` begins from the start.
  void set_near_nullspace(const std::vector<::mfem::Vector>& vectors);
  /// The rigid body modes of displacements in `space`, with its dimension as unknowns per node and
  /// its ordering. Collective for a `ParFiniteElementSpace`. @throws Error as `rigid_body_modes`
  void set_rigid_body_modes(::mfem::FiniteElementSpace& space);

  /// Sets up. With the pattern of before and nothing else changed it takes the new values, and the
  /// parameter `amg.reuse` says what of the levels is kept. A is shared, not copied, as
  /// HYPRE_tessera.h has it: it stays as it is until the next call or the solver's end. Collective.
  /// @throws Error for an operator that is none of these matrices, and as
  ///         `distributed::Solver::setup`; there is nothing to solve with then.
  void SetOperator(const ::mfem::Operator& A) override;

  /// A solve that does not converge leaves its best iterate and a warning of MFEM's; `result` says
  /// how it ended. Collective.
  /// @throws Error before a setup, and for vectors of another length
  void Mult(const ::mfem::Vector& b, ::mfem::Vector& x) const override;
  using ::mfem::Operator::Mult;

  /// Called in each iteration of a solve; false stops it.
  void set_logger(Logger logger);
  const Parameters& parameters() const;
  /// Of the last solve. @throws Error where there was none since the last setup
  const SolveResult& result() const;
  /// As of `distributed::Solver`. @throws Error before a setup
  HierarchyInfo hierarchy() const;
  std::vector<std::string> description() const;
  /// Of all calls of `SetOperator`, how many began from the start and how many took new values.
  int num_setups() const;
  int num_updates() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera::mfem
