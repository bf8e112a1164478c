// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves what was drawn, and says what is wrong.
#pragma once

#include "fuzz/solves/case.hpp"

#include <string>
#include <vector>

namespace tessera::fuzz {

/// What a run does wrong on purpose, to see that it is noticed.
enum class Spoil { nothing, x, iterations, bits, message, hang, crash };

/// How a run ended.
struct Outcome {
  std::string end;  ///< the status of its first solve, or "refused: KIND"
  std::vector<std::string> faults;
  std::vector<std::string> notes;  ///< of the solver
};

/// Runs it. A setting that is refused, by an error whose message names it, is taken out of the case
/// and the rest is tried again.
Outcome run_case(Case& drawn, Spoil spoil);

}  // namespace tessera::fuzz
