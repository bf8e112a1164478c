// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/detail/select_steps.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace detail {

/// True where the hierarchy may be one dense level and nothing else.
bool fits_one_dense_level(const amg::Parameters& p, Ordinal rows) {
  const int open = p.coarse_size == 0 ? p.max_dense_size : p.coarse_size;
  return rows <= std::min(open, p.max_dense_size);
}

/// Nothing that smoothers or aggregates are made for: the diagonal has zeros or both signs, or the
/// matrix is neither symmetric nor near an M-matrix.
bool is_strange_to_multigrid(const MatrixFacts& facts) {
  if (facts.coupled_zeros > 0 || facts.coupled_signs_differ) return true;
  return !facts.symmetric && facts.positive_couplings > rules::few_positive_couplings;
}

double estimated_amg_seconds(const MatrixFacts& facts) {
  if (is_strange_to_multigrid(facts)) return rules::amg_seconds_unknown * facts.entries;
  if (facts.positive_couplings > rules::many_positive_couplings)
    return rules::amg_seconds_stiffness * facts.entries;
  return rules::amg_seconds_per_suited_row * facts.rows +
         rules::amg_seconds_per_suited_entry * facts.entries;
}

/// What factors take at the least, before anything is ordered.
direct::Cost min_direct_cost(const MatrixFacts& facts) {
  const double column = rules::min_fill * facts.entries / facts.rows;
  return {facts.rows * column * column, facts.rows * column, true};
}

/// Multigrid or what takes its place where the diagonal has zeros or both signs.
void select_for_strange_diagonal(SolveParameters& p, const MatrixFacts& facts,
                                 std::vector<Selection>& selections) {
  if (fits_one_dense_level(p.amg, facts.rows)) {
    p.amg.coarse_size = std::max(p.amg.coarse_size, facts.rows);
    selections.push_back({fmt::format("amg.coarse_size={}", p.amg.coarse_size), "one dense level",
                          "the diagonal has zeros or both signs, and a dense inverse is small"});
  } else if (facts.coupled_zeros > p.solver.gmres.restart / rules::zeros_per_restart) {
    p.preconditioner = PreconditionerKind::none;
    selections.push_back({"preconditioner=none", "preconditioner none",
                          fmt::format("{} rows of couplings have a zero on the diagonal, which "
                                      "smoothers cannot divide by",
                                      facts.coupled_zeros)});
  }
}

void select_preconditioner(SolveParameters& p, const MatrixFacts& facts, const direct::Cost* direct,
                           std::vector<Selection>& selections) {
  if (diagonal_may_do(p, facts)) {
    p.preconditioner = PreconditionerKind::jacobi;
    selections.push_back({"preconditioner=jacobi", "preconditioner jacobi",
                          fmt::format("the diagonal dominates {:.0f} % of the rows",
                                      100.0 * facts.decided_rows / facts.rows)});
    return;
  }
  if (p.preconditioner != PreconditionerKind::automatic) return;
  if (direct != nullptr && direct->seconds() < estimated_amg_seconds(facts)) {
    p.preconditioner = PreconditionerKind::direct;
    selections.push_back(
        {"preconditioner=direct", "preconditioner direct",
         fmt::format("factors of {:.2g} entries, in {:.2g} operations, are estimated to "
                     "be cheaper than multigrid",
                     direct->entries, direct->flops)});
    return;
  }
  p.preconditioner = PreconditionerKind::amg;
  if (facts.coupled_zeros > 0 || facts.coupled_signs_differ)
    select_for_strange_diagonal(p, facts, selections);
}

}  // namespace detail

bool diagonal_may_do(const SolveParameters& p, const MatrixFacts& facts) {
  if (p.preconditioner != PreconditionerKind::automatic || facts.rows <= rules::few_rows)
    return false;
  if (!facts.positive_diagonal) return false;
  // Without symmetry good rows do not make up for others.
  return facts.symmetric ? 2 * static_cast<double>(facts.decided_rows) >= facts.rows
                         : facts.decided_rows == facts.rows;
}

bool may_pay_directly(const SolveParameters& p, const MatrixFacts& facts, bool has_vectors) {
  if (p.preconditioner != PreconditionerKind::automatic || facts.rows <= rules::few_rows)
    return false;
  if (facts.rows > rules::max_rows_to_order) return false;
  if (detail::is_strange_to_multigrid(facts)) return true;
  // Ordering costs something itself, and rows that are long without fill are not worth it.
  return !has_vectors && facts.positive_couplings > rules::few_positive_couplings &&
         detail::min_direct_cost(facts).seconds() < detail::estimated_amg_seconds(facts);
}

}  // namespace tessera
