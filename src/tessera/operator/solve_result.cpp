// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/solve_result.hpp"

namespace tessera {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::least_squares:
      return "least_squares";
    case SolveStatus::max_iterations:
      return "max_iterations";
    case SolveStatus::time_limit:
      return "time_limit";
    case SolveStatus::stagnated:
      return "stagnated";
    case SolveStatus::diverged:
      return "diverged";
    case SolveStatus::not_a_number:
      return "not_a_number";
    case SolveStatus::breakdown:
      return "breakdown";
    case SolveStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace tessera
