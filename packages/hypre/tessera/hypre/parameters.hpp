// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the solvers for hypre's and MFEM's matrices can be told.
#pragma once

#include "tessera/distributed/parameters.hpp"

namespace tessera::hypre {

/// What one call of the solver is.
enum class Application { preconditioner, solve };

inline constexpr EnumName<Application> application_names[] = {
    {Application::preconditioner, "preconditioner",
     "once the preconditioner from the guess zero, for use inside a Krylov method"},
    {Application::solve, "solve", "a whole solve to solver.tolerance by Tessera's own method"}};

/// How the unknowns of nodes are numbered, where `block_size` is above 1.
enum class Numbering { by_node, by_unknown };

inline constexpr EnumName<Numbering> numbering_names[] = {
    {Numbering::by_node, "by_node", "all unknowns of a node, then those of the next one"},
    {Numbering::by_unknown, "by_unknown",
     "on each process the first unknowns of all nodes, then the second ones; needs block_size"}};

/// Those of `distributed::Parameters` keep their names and meanings.
struct Parameters {
  Application apply = Application::preconditioner;
  Numbering numbering = Numbering::by_node;
  distributed::Parameters system;
};

template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("apply", p.apply, "what one call of the solver is",
        EnumNames<Application>(application_names));
  visit("numbering", p.numbering, "how the unknowns of nodes are numbered",
        EnumNames<Numbering>(numbering_names));
  describe_parameters(visit, p.system);
}

}  // namespace tessera::hypre
