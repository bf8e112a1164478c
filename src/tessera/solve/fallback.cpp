// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/fallback.hpp"

#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solver/convergence_monitor.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

template <class Predicate>
bool any_column(const SolveResult& result, Predicate predicate) {
  return std::any_of(result.columns.begin(), result.columns.end(), predicate);
}

/// The user's limits are not to be stretched by trying something else.
bool met_a_limit(const SolveResult& result) {
  return any_column(result, [](const ColumnResult& column) {
    return column.status == SolveStatus::max_iterations ||
           column.status == SolveStatus::time_limit || column.status == SolveStatus::interrupted;
  });
}

/// Not where A or each right-hand side holds a number that is not finite: no choice changes that.
bool began(const SolveResult& result) {
  return any_column(result, [](const ColumnResult& column) {
    return column.status != SolveStatus::not_a_number || column.iterations > 0;
  });
}

/// Not a right-hand side that is itself not finite.
bool may_be_floats_fault(const ColumnResult& column) {
  const bool failed =
      column.status == SolveStatus::breakdown || column.status == SolveStatus::not_a_number ||
      column.status == SolveStatus::diverged || column.status == SolveStatus::stagnated;
  return failed && column.iterations > 0;
}

bool float_failed(const BadSolve& bad, const SolveParameters& p) {
  return p.preconditioner == PreconditionerKind::amg && p.precision == Precision::single &&
         bad.asked.precision == Precision::automatic && !met_a_limit(bad.result) &&
         any_column(bad.result, may_be_floats_fault);
}

void leave_float(const BadSolve& bad, SolveParameters& p) {
  p.precision = Precision::same;
  p.solver.cg.flexible = bad.asked.solver.cg.flexible || needs_flexible_cg(p);
}

/// The matrix or the preconditioner is not definite, then.
bool cg_broke_down(const BadSolve& bad, const SolveParameters& p) {
  return p.solver.name == SolverName::cg && any_column(bad.result, [](const ColumnResult& column) {
           return column.status == SolveStatus::breakdown;
         });
}

bool gmres_is_left(const BadSolve& bad, const SolveParameters& p) {
  // GMRES has no true residual at hand in each iteration.
  return cg_broke_down(bad, p) && bad.asked.solver.name == SolverName::automatic &&
         bad.asked.solver.residual == ResidualKind::recurrence && !met_a_limit(bad.result);
}

void take_gmres(const BadSolve& bad, SolveParameters& p) {
  // A K-cycle is another preconditioner for each vector, and one that rounds vectors nearly so:
  // what is made of it has to be kept, too.
  const bool is_K_cycle =
      p.preconditioner == PreconditionerKind::amg && p.amg.cycle == amg::CycleType::k;
  const bool varies = is_K_cycle || rounds_vectors(p);
  const double vector_bytes = (varies ? 2.0 : 1.0) * static_cast<double>(sizeof(double)) *
                              std::max(1.0, static_cast<double>(bad.facts.rows)) *
                              static_cast<double>(bad.result.columns.size());
  const double affordable =
      std::min<double>(rules::long_restart, rules::max_basis_bytes / vector_bytes);
  p.solver.name = varies ? SolverName::fgmres : SolverName::gmres;
  p.solver.gmres.restart = std::max(p.solver.gmres.restart, static_cast<int>(affordable));
  p.solver.cg.flexible = bad.asked.solver.cg.flexible;
}

bool was_slow(const BadSolve& bad, const SolveParameters& p) {
  return bad.slow && may_strengthen(bad.asked, p, bad.facts);
}

void strengthen(const BadSolve& bad, SolveParameters& p) {
  amg::for_each_smoother(p.amg, [](SmootherParameters& smoother) {
    smoother.type = SmootherType::chebyshev;
    smoother.chebyshev.degree = rules::strong_degree;
    smoother.chebyshev.eigenvalue_ratio = rules::strong_ratio;
  });
  if (bad.asked.precision == Precision::automatic) leave_float(bad, p);
}

/// Slow, or at an end that more iterations would not change.
bool came_to_nothing(const BadSolve& bad) {
  const bool broke = any_column(bad.result, [](const ColumnResult& column) {
    return column.status == SolveStatus::breakdown || column.status == SolveStatus::diverged ||
           column.status == SolveStatus::not_a_number;
  });
  return bad.slow || (broke && !met_a_limit(bad.result));
}

bool factors_did_not_smooth(const BadSolve& bad, const SolveParameters& p) {
  return has_picked_ilu(bad.asked, p) && came_to_nothing(bad);
}

void leave_ilu(const BadSolve& bad, SolveParameters& p) {
  amg::exchange_smoothers(bad.asked.amg, p.amg, SmootherType::ilu, SmootherType::jacobi);
  if (may_reduce(bad.asked.amg, bad.facts, bad.block_size)) take_reduction(p.amg);
}

bool reduction_did_not_do(const BadSolve& bad, const SolveParameters& p) {
  return p.amg.coarsening == rules::coarsening_after_factors && coarsening_is_open(bad.asked.amg) &&
         came_to_nothing(bad);
}

void leave_reduction(const BadSolve& bad, SolveParameters& p) {
  p.amg.coarsening = rules::coarsening_of_others;
  p.amg.max_operator_complexity = bad.asked.amg.max_operator_complexity;
}

bool one_level_did_not_do(const BadSolve& bad, const SolveParameters& p) {
  const bool is_one_level =
      p.preconditioner == PreconditionerKind::jacobi || p.preconditioner == PreconditionerKind::ilu;
  return is_one_level && one_level_may_do(bad.asked, bad.facts) &&
         (bad.slow || !met_a_limit(bad.result));
}

/// What takes its place is picked by Solver.
void leave_one_level(const BadSolve& bad, SolveParameters& p) { p = bad.asked; }

bool may_factor(const BadSolve& bad, const SolveParameters& p) {
  return bad.direct != nullptr && p.preconditioner != PreconditionerKind::direct;
}

/// Not the user's own, which factors that begin a fresh one would stretch.
bool limit_is_open(const BadSolve& bad) {
  return bad.asked.solver.max_iterations == SolverParameters().max_iterations;
}

/// What met the iteration limit would never have ended.
bool factors_are_sooner(const BadSolve& bad, const SolveParameters& p) {
  if (!may_factor(bad, p)) return false;
  return (bad.slow && bad.direct->seconds() < bad.seconds_left) ||
         (bad.hopeless && limit_is_open(bad));
}

bool factors_are_left(const BadSolve& bad, const SolveParameters& p) {
  // CG that was asked for and broke down says what it has to say.
  return may_factor(bad, p) && !met_a_limit(bad.result) && !cg_broke_down(bad, p);
}

void factor(const BadSolve& bad, SolveParameters& p) {
  p.preconditioner = PreconditionerKind::direct;
  if (bad.asked.precision == Precision::automatic) p.precision = Precision::same;
  p.solver.cg.flexible = bad.asked.solver.cg.flexible || p.solver.name == SolverName::cg;
}

bool one_dense_level_is_left(const BadSolve& bad, const SolveParameters& p) {
  if (!may_be_one_dense_level(bad.asked, p, bad.facts) || cg_broke_down(bad, p)) return false;
  return bad.slow || (bad.hopeless && limit_is_open(bad)) || !met_a_limit(bad.result);
}

void take_one_dense_level(const BadSolve& bad, SolveParameters& p) {
  p.amg.coarse_size = bad.facts.rows;
  if (bad.asked.precision == Precision::automatic) p.precision = Precision::same;
  p.solver.cg.flexible = bad.asked.solver.cg.flexible || p.solver.name == SolverName::cg;
}

/// "cg ended as breakdown after 7 iterations", of the worst column.
std::string how_it_ended(const BadSolve& bad, const char* who) {
  return fmt::format("{} ended as {} after {} iterations", who, to_string(bad.result.status),
                     bad.result.iterations);
}

std::string how_it_went(const BadSolve& bad) {
  if (!bad.slow && !bad.hopeless) return how_it_ended(bad, "the solve");
  return fmt::format("after {} iterations more than {} further ones were estimated",
                     bad.result.iterations, bad.further);
}

/// One row of the table: when, what, and why.
struct FallbackRule {
  bool (*applies)(const BadSolve&, const SolveParameters&);
  void (*change)(const BadSolve&, SolveParameters&);
  bool rebuilds;
  std::string (*note)(const BadSolve&, const SolveParameters&);
  bool selects_again = false;
};

/// In the order in which they are tried.
constexpr FallbackRule fallback_rules[] = {
    {one_level_did_not_do, leave_one_level, true,
     [](const BadSolve& bad, const SolveParameters&) {
       const bool by_diagonal = diagonal_may_do(bad.asked, bad.facts);
       return fmt::format("another preconditioner than {}: {}", by_diagonal ? "jacobi" : "ilu",
                          how_it_went(bad));
     },
     true},
    {factors_are_sooner, factor, true,
     [](const BadSolve& bad, const SolveParameters&) {
       return "preconditioner direct: " + how_it_went(bad);
     }},
    {factors_did_not_smooth, leave_ilu, true,
     [](const BadSolve& bad, const SolveParameters& p) {
       const bool reduces = p.amg.coarsening == rules::coarsening_after_factors;
       return (reduces ? "coarsening reduction: " : "smoother jacobi: ") + how_it_went(bad);
     }},
    {reduction_did_not_do, leave_reduction, true,
     [](const BadSolve& bad, const SolveParameters& p) {
       return "coarsening " + amg::coarsening_name(p.amg.coarsening) +
              ", smoother jacobi: " + how_it_went(bad);
     }},
    {was_slow, strengthen, true,
     [](const BadSolve& bad, const SolveParameters&) {
       return fmt::format("smoother chebyshev of degree {}: {}", rules::strong_degree.value,
                          how_it_went(bad));
     }},
    {float_failed, leave_float, true,
     [](const BadSolve& bad, const SolveParameters&) {
       return "preconditioner in double: " + how_it_ended(bad, "in float the solve");
     }},
    {gmres_is_left, take_gmres, false,
     [](const BadSolve& bad, const SolveParameters& p) {
       return fmt::format(
           "solver {}, restart {}: {}, as the matrix or the preconditioner is not positive "
           "definite",
           p.solver.name == SolverName::fgmres ? "fgmres" : "gmres", p.solver.gmres.restart,
           how_it_ended(bad, "cg"));
     }},
    {factors_are_left, factor, true,
     [](const BadSolve& bad, const SolveParameters&) {
       return "preconditioner direct: " + how_it_ended(bad, "the solve");
     }},
    {one_dense_level_is_left, take_one_dense_level, true,
     [](const BadSolve& bad, const SolveParameters&) {
       return "one dense level: " + how_it_went(bad);
     }}};

}  // namespace

bool may_reduce(const amg::Parameters& asked, const MatrixFacts& facts, int block_size) {
  return coarsening_is_open(asked) && block_size == 1 && !facts.has_vectors &&
         facts.skew_share >= rules::skew_share_of_convection;
}

void take_reduction(amg::Parameters& p) {
  p.coarsening = rules::coarsening_after_factors;
  if (p.max_operator_complexity == amg::Parameters{}.max_operator_complexity)
    p.max_operator_complexity = rules::complexity_of_reduction;
}

bool may_be_one_dense_level(const SolveParameters& asked, const SolveParameters& effective,
                            const MatrixFacts& facts) {
  const bool may_have_factors =
      facts.on_host && direct::available() && asked.direct.max_bytes() > 0;
  return !may_have_factors && asked.preconditioner == PreconditionerKind::automatic &&
         effective.preconditioner == PreconditionerKind::amg && asked.amg.coarse_size == 0 &&
         !asked.amg.choose_level && asked.amg.levels.empty() &&
         facts.rows > effective.amg.coarse_size && facts.rows <= effective.amg.max_dense_size;
}

bool may_strengthen(const SolveParameters& asked, const SolveParameters& effective,
                    const MatrixFacts& facts) {
  // What a callback answers is the user's own, and not known before it is asked.
  bool left_open = !asked.amg.choose_level;
  amg::for_each_smoother(asked.amg, [&](const SmootherParameters& smoother) {
    left_open = left_open && amg::is_left_open(smoother);
  });
  bool is_strong = true;
  amg::for_each_smoother(effective.amg, [&](const SmootherParameters& smoother) {
    is_strong = is_strong && smoother.chebyshev.degree == rules::strong_degree;
  });
  return left_open && !is_strong && facts.symmetric &&
         effective.preconditioner == PreconditionerKind::amg &&
         effective.solver.name == SolverName::cg;
}

bool has_picked_ilu(const SolveParameters& asked, SolveParameters effective) {
  return effective.preconditioner == PreconditionerKind::amg &&
         amg::exchange_smoothers(asked.amg, effective.amg, SmootherType::ilu, SmootherType::jacobi);
}

bool may_be_singular(const BadSolve& bad, const SolveParameters& effective) {
  return bad.asked.solver.nullspace == NullspaceKind::automatic &&
         effective.solver.nullspace == NullspaceKind::none && bad.facts.symmetric &&
         !bad.result.solved() && began(bad.result) && (bad.slow || !met_a_limit(bad.result));
}

bool may_have_scaled_constants(const BadSolve& bad, const SolveParameters& effective) {
  return may_be_singular(bad, effective) && !float_failed(bad, effective) &&
         bad.facts.positive_diagonal &&
         bad.facts.positive_couplings <= rules::few_positive_couplings;
}

std::string nullspace_note(const BadSolve& bad, const std::string& found) {
  return "nullspace components: " + how_it_went(bad) + ", and " + found;
}

std::optional<Fallback> next_fallback(const BadSolve& bad, SolveParameters& effective) {
  if (bad.result.solved() || !began(bad.result)) return std::nullopt;
  for (const FallbackRule& rule : fallback_rules) {
    if (!rule.applies(bad, effective)) continue;
    rule.change(bad, effective);
    return Fallback{rule.rebuilds, rule.note(bad, effective), rule.selects_again};
  }
  return std::nullopt;
}

}  // namespace tessera
