// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What to do about a solve that has not reached its tolerance.
#pragma once

#include "tessera/operator/solve_result.hpp"

#include <string>

namespace tessera::hypre {

/// How the solve ended, after how many iterations and at which residual, and what to try.
std::string advice(const SolveResult& result);

}  // namespace tessera::hypre
