// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One run of one of Belos's methods, and how it left off.
#pragma once

#include "tessera/belos/instrumented.hpp"
#include "tessera/belos/krylov.hpp"

#include <vector>

namespace tessera::belos {

/// How Belos left off, as far as it and its exceptions tell.
enum class Ending { believes_done, iteration_limit, time_limit, breakdown, not_a_number };

struct Run {
  SolverName method;
  double tolerance;  ///< relative to the right-hand side where `by_rhs`, else to the first residual
  bool by_rhs;
  int limit;  ///< of iterations
  int restart;
  KrylovOutput output;
};

struct RunOutcome {
  Ending ending = Ending::breakdown;
  std::vector<int> iterations;  ///< in which each column took part
};

/// From the guess that the problem holds, which need not be set (`setProblem`). `monitor` is asked
/// what its products were. Collective.
RunOutcome run_belos(const Run& run, const Teuchos::RCP<LinearProblem>& problem,
                     const Monitor& monitor);

}  // namespace tessera::belos
