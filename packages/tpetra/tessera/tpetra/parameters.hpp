// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `tessera::tpetra::Operator` can be told: Tessera's own parameters and a few of the
/// adapter's.
#pragma once

#include "tessera/distributed/gather_rows.hpp"
#include "tessera/solve.hpp"

namespace tessera::tpetra {

/// What an application of the operator is.
enum class Application { preconditioner, solve };

inline constexpr EnumName<Application> application_names[] = {
    {Application::preconditioner, "preconditioner",
     "once the preconditioner, such as one multigrid cycle, for use under a Krylov method"},
    {Application::solve, "solve",
     "a whole solve to solver.tolerance from the guess zero, on one process"}};

/// What is done where the matrix is distributed over several processes.
enum class Distribution { multigrid, block_jacobi, refuse };

inline constexpr EnumName<Distribution> distribution_names[] = {
    {Distribution::multigrid, "multigrid",
     "levels over all processes until process 0 goes on with a small one; block_jacobi for "
     "other preconditioners"},
    {Distribution::block_jacobi, "block_jacobi",
     "each process preconditions its own diagonal block by itself (additive Schwarz without "
     "overlap); iterations grow with the number of processes"},
    {Distribution::refuse, "refuse", "an error where there are several processes"}};

inline SolveParameters in_double() {
  SolveParameters p;
  p.precision = Precision::same;
  return p;
}

/// Everything that the adapter can be told but for vectors. A preconditioner works in double unless
/// it is told otherwise: in float it is linear to float's digits alone, which CG and flexible
/// methods tolerate, but not GMRES from the right, whose x is M of a sum.
struct Parameters {
  Application apply = Application::preconditioner;
  Distribution distributed = Distribution::multigrid;
  int gather_rows = distributed::default_gather_rows;
  int block_size = 0;
  bool rigid_body_modes = false;
  SolveParameters solve = in_double();
};

/// Those of `SolveParameters` keep their names: "solver.tolerance", "amg.cycle".
template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("apply", p.apply, "what an application of the operator is",
        EnumNames<Application>(application_names));
  visit("distributed", p.distributed, "how the preconditioner works on several processes",
        EnumNames<Distribution>(distribution_names));
  visit("gather_rows", p.gather_rows,
        "levels of at most this many rows are gathered on process 0 (distributed multigrid)",
        Range{1, 100000000});
  visit("block_size", p.block_size,
        "unknowns per node, numbered node by node; 0: found from the pattern", Range{0, 64});
  visit("rigid_body_modes", p.rigid_body_modes,
        "near-nullspace of elasticity from the \"Coordinates\" of \"user data\"");
  describe_parameters(visit, p.solve);
}

}  // namespace tessera::tpetra
