// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/advice.hpp"

#include <array>
#include <cstdio>
#include <string_view>

namespace tessera::hypre {
namespace {

std::string_view what_to_try(SolveStatus status) {
  switch (status) {
    case SolveStatus::max_iterations:
      return "raise solver.max_iterations, or look whether block_size and near-nullspace vectors "
             "are those of the problem";
    case SolveStatus::time_limit:
      return "raise solver.time_limit_s";
    case SolveStatus::stagnated:
      return "raise solver.tolerance, or look whether the matrix is singular";
    case SolveStatus::not_a_number:
      return "look for a NaN or an infinity in b and in the guess";
    case SolveStatus::diverged:
    case SolveStatus::breakdown:
      return "take solver.name=fgmres, or another amg.smoother.type";
    default:
      return "it was asked to stop";
  }
}

}  // namespace

std::string advice(const SolveResult& result) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), " after %d iterations at a relative residual of %.2e; ",
                result.iterations, result.true_relative_residual);
  return std::string(to_string(result.status)) + text.data() +
         std::string(what_to_try(result.status));
}

}  // namespace tessera::hypre
