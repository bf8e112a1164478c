// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup gives up to stay below `max_memory_mb`.
#pragma once

#include "tessera/solve/forecast.hpp"
#include "tessera/solve/parameters.hpp"

#include <string>
#include <vector>

namespace tessera::detail {

/// Parameters by which a setup takes less, and what they give up for that.
struct FrugalChoice {
  SolveParameters parameters;
  std::string gives_up;  ///< for a note; empty for what was asked
};

/// The limit in bytes; that of a type where there is none.
double max_bytes(const SolveParameters& parameters);

/// What was asked, then what may be given up of it, one thing after another, each beside those
/// before it: tiles beside compressed rows, a large dense coarsest level, double inside multigrid,
/// factors, multigrid itself. Nothing that the user set is among it. `picked`: what was asked comes
/// to; `matrix_is_double`: its scalar.
std::vector<FrugalChoice> frugal_choices(const SolveParameters& asked, const PickedFor& picked,
                                         bool matrix_is_double);

/// "4.25 MiB"
std::string mebibytes(double bytes);

/// What a forecast says, for notes and errors.
std::string to_string(const MemoryForecast& forecast);

/// What to do about a limit that nothing fits.
std::string advice_for_limit(const SolveParameters& asked, const SolveParameters& effective);

}  // namespace tessera::detail
