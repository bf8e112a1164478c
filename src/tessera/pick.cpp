// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/pick.hpp"

#include "tessera/amg/smoother_for.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

/// Magnitudes between these leave room in a float for what a cycle makes of them.
constexpr double float_safe_smallest = 1e-12;
constexpr double float_safe_largest = 1e12;

void pick_solver(SolverParameters& p, const MatrixFacts& facts, std::vector<Pick>& picks) {
  if (p.name == SolverName::automatic) {
    if (facts.symmetric && facts.positive_diagonal) {
      p.name = SolverName::cg;
      picks.push_back(
          {"solver.name=cg", "solver cg", "the matrix is symmetric with a positive diagonal"});
    } else {
      p.name = SolverName::gmres;
      picks.push_back({"solver.name=gmres", "solver gmres",
                       facts.symmetric ? "the matrix is symmetric, but its diagonal is not positive"
                                       : "the matrix is not symmetric"});
    }
  }
  if (p.nullspace == NullspaceKind::automatic) {
    const bool constant = facts.symmetric && facts.zero_row_sums;
    p.nullspace = constant ? NullspaceKind::constant : NullspaceKind::none;
    if (constant) {
      picks.push_back(
          {"solver.nullspace=constant", "nullspace constant", "every row sums to zero"});
    }
  }
}

bool diagonal_of_one_sign(const MatrixFacts& facts) {
  return facts.positive_diagonal || facts.negative_diagonal;
}

std::string why_double(const MatrixFacts& facts) {
  if (!diagonal_of_one_sign(facts)) return "the diagonal is not of one sign";
  return fmt::format("the diagonal, from {:.0e} to {:.0e}, does not suit float",
                     facts.smallest_diagonal, facts.largest_diagonal);
}

void pick_precision(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                    std::vector<Pick>& picks) {
  if (p.precision == Precision::automatic) {
    p.precision = Precision::same;
    if (matrix_is_double && p.preconditioner == PreconditionerKind::amg) {
      if (suits_float(facts)) {
        p.precision = Precision::single;
        picks.push_back(
            {"precision=float", "preconditioner in float", "the diagonal's range allows it"});
      } else {
        picks.push_back({"precision=same", "preconditioner in double", why_double(facts)});
      }
    }
  }
  // A preconditioner in float is symmetric only to float's round-off.
  if (p.precision == Precision::single && p.solver.name == SolverName::cg) p.solver.flexible = true;
}

void pick_multigrid(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                    PreconditionerKind preconditioner, std::vector<Pick>& picks) {
  p.smoother = amg::smoother_for(p.smoother, block_size, facts.symmetric);
  if (p.spectral_radius != amg::SpectralRadiusMethod::automatic) return;
  if (facts.symmetric && diagonal_of_one_sign(facts)) {
    p.spectral_radius = amg::SpectralRadiusMethod::lanczos;
    return;
  }
  p.spectral_radius = amg::SpectralRadiusMethod::arnoldi;
  if (preconditioner == PreconditionerKind::amg) {
    picks.push_back(
        {"amg.spectral_radius=arnoldi", "spectral radius by arnoldi",
         facts.symmetric ? "the diagonal is not of one sign" : "the matrix is not symmetric"});
  }
}

}  // namespace

bool suits_float(const MatrixFacts& facts) {
  return diagonal_of_one_sign(facts) && facts.largest_diagonal < float_safe_largest &&
         facts.smallest_diagonal > float_safe_smallest &&
         facts.largest_diagonal <= widest_span_for_float * facts.smallest_diagonal;
}

std::vector<Pick> pick(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                       int block_size) {
  std::vector<Pick> picks;
  pick_solver(p.solver, facts, picks);
  pick_precision(p, facts, matrix_is_double, picks);
  pick_multigrid(p.amg, facts, block_size, p.preconditioner, picks);
  return picks;
}

}  // namespace tessera
