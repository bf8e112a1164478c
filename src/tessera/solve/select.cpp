// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/select.hpp"

#include "tessera/solve/detail/select_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tessera {
namespace detail {

/// Rows of zeros are projected out.
bool suits_cg(const MatrixFacts& facts) {
  return facts.symmetric && (facts.positive_diagonal || facts.positive_but_for_zero_rows);
}

void select_nullspace(SolverParameters& p, const MatrixFacts& facts,
                      std::vector<Selection>& selections) {
  p.nullspace = NullspaceKind::none;
  if (facts.given_nullspace > 0) {
    p.nullspace = NullspaceKind::given;
    selections.push_back(
        {"solver.nullspace=given", "nullspace given",
         fmt::format("{} of its vectors {} set by the program", facts.given_nullspace,
                     facts.given_nullspace == 1 ? "was" : "were")});
    return;
  }
  if (!facts.symmetric) return;
  // A matrix of one component, or one whose components nobody has looked at.
  if (facts.zero_row_sums && facts.singular_components <= 1) {
    p.nullspace = NullspaceKind::constant;
    selections.push_back(
        {"solver.nullspace=constant", "nullspace constant", "every row sums to zero"});
  } else if (facts.singular_components > 0) {
    p.nullspace = NullspaceKind::components;
    selections.push_back(
        {"solver.nullspace=components", "nullspace components",
         fmt::format("{} of {} rows are in connected components that are singular, {} "
                     "in number",
                     facts.singular_rows, facts.rows, facts.singular_components)});
  }
}

void select_solver(SolverParameters& p, const MatrixFacts& facts,
                   std::vector<Selection>& selections) {
  if (p.name == SolverName::automatic) {
    if (suits_cg(facts)) {
      p.name = SolverName::cg;
      selections.push_back({"solver.name=cg", "solver cg",
                            facts.positive_diagonal
                                ? "the matrix is symmetric with a positive diagonal"
                                : "the matrix is symmetric with a positive diagonal but in rows of "
                                  "zeros"});
    } else {
      p.name = SolverName::gmres;
      selections.push_back({"solver.name=gmres", "solver gmres",
                            facts.symmetric
                                ? "the matrix is symmetric, but its diagonal is not positive"
                                : "the matrix is not symmetric"});
    }
  }
  if (p.nullspace == NullspaceKind::automatic) select_nullspace(p, facts, selections);
}

/// Says so where the method that was asked for takes a K-cycle for linear.
void warn_of_K_cycle(const MatrixFacts& facts, SolverName asked,
                     std::vector<Selection>& selections) {
  // CG is made flexible, and Richardson takes each correction as it comes.
  const bool tolerates_K_cycle = asked != SolverName::gmres && asked != SolverName::bicgstab;
  if (tolerates_K_cycle) return;
  const std::string name = asked == SolverName::gmres ? "gmres" : "bicgstab";
  selections.push_back({"", "K-cycle under " + name,
                        fmt::format("the K-cycle is not linear, and {} takes it for linear; "
                                    "solver.name={} does not",
                                    name, suits_cg(facts) ? "cg" : "fgmres")});
}

void select_flexible(SolveParameters& p, const MatrixFacts& facts, SolverName asked,
                     std::vector<Selection>& selections) {
  if (p.solver.name == SolverName::cg && needs_flexible_cg(p)) p.solver.cg.flexible = true;
  const bool is_K_cycle = p.amg.cycle == amg::CycleType::k;
  if (p.preconditioner != PreconditionerKind::amg) return;
  if (is_K_cycle) warn_of_K_cycle(facts, asked, selections);
  if (p.solver.name != SolverName::gmres || asked != SolverName::automatic) return;
  const bool forms_x = p.solver.side == PreconditioningSide::right;
  if (is_K_cycle || (forms_x && rounds_vectors(p))) {
    p.solver.name = SolverName::fgmres;
    selections.push_back({"solver.name=fgmres", "solver fgmres",
                          is_K_cycle
                              ? "the K-cycle is not linear"
                              : "a cycle in less than double is linear to its round-off alone"});
  }
}

}  // namespace detail

bool needs_flexible_cg(const SolveParameters& p) {
  // Factors are refined, whatever they are of.
  if (p.preconditioner == PreconditionerKind::direct) return true;
  // A preconditioner in float is symmetric only to float's round-off.
  if (p.precision == Precision::single) return true;
  if (p.preconditioner != PreconditionerKind::amg) return false;
  // Two steps of a Krylov method on each level make another preconditioner of each right-hand side,
  // and an F-cycle's two corrections, B_F and then B_V, leave (I - B_V A) (I - B_F A), the factors
  // of which would change places in the transpose.
  if (p.amg.cycle == amg::CycleType::k || p.amg.cycle == amg::CycleType::f) return true;
  if (amg::chooses_vectors(p.amg.levels)) return true;
  // Rounded to different scalars, R is no longer P's transpose.
  return std::any_of(
      p.amg.levels.begin(), p.amg.levels.end(),
      [](const amg::LevelParameters& level) { return level.P.scalar != level.R.scalar; });
}

std::vector<Selection> select_parameters(SolveParameters& p, const MatrixFacts& facts,
                                         bool matrix_is_double, int block_size, bool lacks_vectors,
                                         const direct::Cost* direct) {
  std::vector<Selection> selections;
  const SolverName asked = p.solver.name;
  detail::select_solver(p.solver, facts, selections);
  detail::select_preconditioner(p, facts, direct, selections);
  const MatrixFacts scaled = detail::select_scaling(p, facts, selections);
  detail::select_precision(p, scaled, matrix_is_double, selections);
  detail::select_equilibration(p, scaled, matrix_is_double, selections);
  detail::select_coarsening(p, scaled, block_size, selections);
  detail::select_for_reduction(p, asked, selections);
  detail::select_flexible(p, facts, asked, selections);
  detail::select_multigrid(p, scaled, block_size, lacks_vectors, selections);
  return selections;
}

}  // namespace tessera
