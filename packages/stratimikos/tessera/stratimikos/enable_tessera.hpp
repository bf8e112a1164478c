// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera by name in Stratimikos.
#pragma once

#include <Stratimikos_DefaultLinearSolverBuilder.hpp>

#include <string>

namespace tessera::stratimikos {

/// Makes "Preconditioner Type" = `name` known to the builder, with a sublist of that name in
/// "Preconditioner Types". Once for each builder, before it gets its parameters.
/// @throws Error of kind precondition where the builder knows that name already.
void enableTessera(Stratimikos::DefaultLinearSolverBuilder& builder,
                   const std::string& name = "Tessera");

}  // namespace tessera::stratimikos
