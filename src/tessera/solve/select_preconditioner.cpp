// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/detail/select_steps.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>

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

bool is_skew_of_one_sign(const MatrixFacts& facts) {
  return !facts.symmetric && facts.coupled_zeros == 0 && !facts.coupled_signs_differ;
}

double estimated_amg_seconds(const MatrixFacts& facts) {
  if (is_strange_to_multigrid(facts)) return rules::amg_seconds_unknown * facts.entries;
  if (facts.positive_couplings > rules::many_positive_couplings)
    return rules::amg_seconds_stiffness * facts.entries;
  return rules::amg_seconds_per_suited_row * facts.rows +
         rules::amg_seconds_per_suited_entry * facts.entries;
}

/// Rows up to which an ordering costs little beside what is tried otherwise.
Ordinal max_rows_to_order(const MatrixFacts& facts, bool has_vectors, int block_size) {
  const bool is_stiffness = facts.symmetric && !has_vectors && block_size == 1 &&
                            facts.positive_couplings > rules::many_positive_couplings;
  return facts.coupled_zeros > 0 || is_stiffness ? rules::max_rows_to_order_unsuited
                                                 : rules::max_rows_to_order;
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

bool is_uneven_graph(const MatrixFacts& facts) {
  return facts.on_host && facts.symmetric && facts.positive_diagonal &&
         facts.positive_couplings <= rules::few_positive_couplings &&
         facts.long_rows >= rules::share_of_long_rows;
}

std::string why_uneven_graph(const MatrixFacts& facts) {
  return fmt::format(
      "{:.1f} % of the rows have more than {} times as many entries as the mean "
      "row: a graph whose vertices are few edges apart",
      100 * facts.long_rows, rules::length_of_long_rows.value);
}

/// Whether the diagonal dominates rows enough to do by itself. Without symmetry good rows do not
/// make up for others.
bool dominates(const MatrixFacts& facts) {
  return facts.symmetric ? 2 * static_cast<double>(facts.decided_rows) >= facts.rows
                         : facts.decided_rows == facts.rows;
}

void select_preconditioner(SolveParameters& p, const MatrixFacts& facts, const direct::Cost* direct,
                           std::vector<Selection>& selections) {
  if (diagonal_may_do(p, facts)) {
    p.preconditioner = PreconditionerKind::jacobi;
    selections.push_back({"preconditioner=jacobi", "preconditioner jacobi",
                          dominates(facts)
                              ? fmt::format("the diagonal dominates {:.0f} % of the rows",
                                            100.0 * facts.decided_rows / facts.rows)
                              : why_uneven_graph(facts)});
    return;
  }
  if (incomplete_factors_may_do(p, facts)) {
    p.preconditioner = PreconditionerKind::ilu;
    selections.push_back(
        {"preconditioner=ilu", "preconditioner ilu",
         fmt::format("{:.0f} % of the couplings of cells of {} unknowns are of one direction",
                     100 * facts.skew_share, facts.full_blocks)});
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
  if (!facts.positive_diagonal || facts.one_level_failed) return false;
  return detail::dominates(facts) || detail::is_uneven_graph(facts);
}

bool incomplete_factors_may_do(const SolveParameters& p, const MatrixFacts& facts) {
  return p.preconditioner == PreconditionerKind::automatic && facts.rows > rules::few_rows &&
         facts.is_whole && !facts.one_level_failed && facts.given_nullspace == 0 &&
         smooths_by_factors(facts) && has_plain_cells(facts) &&
         facts.skew_share >= rules::skew_share_of_cells_in_one_level;
}

bool one_level_may_do(const SolveParameters& p, const MatrixFacts& facts) {
  return diagonal_may_do(p, facts) || incomplete_factors_may_do(p, facts);
}

bool smooths_by_factors(const MatrixFacts& facts) {
  if (!facts.on_host || !detail::is_skew_of_one_sign(facts)) return false;
  return facts.skew_share >= rules::skew_share_of_convection ||
         facts.positive_couplings > rules::few_positive_couplings;
}

bool has_cells(const MatrixFacts& facts) {
  return facts.full_blocks > 1 && facts.same_unknown_share < rules::same_unknown_share_of_nodes;
}

bool has_plain_cells(const MatrixFacts& facts) {
  return has_cells(facts) && !facts.nodes_are_given &&
         facts.same_unknown_share < rules::same_unknown_share_of_plain_cells;
}

bool smooths_by_blocks(const MatrixFacts& facts) {
  return !facts.on_host && detail::is_skew_of_one_sign(facts) && facts.full_blocks > 1 &&
         facts.positive_couplings > rules::few_positive_couplings;
}

bool may_pay_directly(const SolveParameters& p, const MatrixFacts& facts, bool has_vectors,
                      int block_size) {
  if (p.preconditioner != PreconditionerKind::automatic || facts.rows <= rules::few_rows)
    return false;
  if (facts.rows > detail::max_rows_to_order(facts, has_vectors, block_size) ||
      facts.given_nullspace > 0)
    return false;
  // Cells are smoothed by incomplete factors.
  if (has_plain_cells(facts) && smooths_by_factors(facts)) return false;
  if (detail::is_strange_to_multigrid(facts)) return true;
  // Ordering costs something itself, and rows that are long without fill are not worth it.
  return !has_vectors && facts.positive_couplings > rules::few_positive_couplings &&
         detail::min_direct_cost(facts).seconds() < detail::estimated_amg_seconds(facts);
}

namespace detail {

bool diagonal_of_one_sign(const MatrixFacts& facts) {
  return facts.positive_diagonal || facts.negative_diagonal;
}

MatrixFacts select_scaling(SolveParameters& p, const MatrixFacts& facts,
                           std::vector<Selection>& selections) {
  MatrixFacts scaled = facts;
  if (p.preconditioner != PreconditionerKind::amg) return scaled;
  const ScalingFacts& scaling = facts.scaling;
  if (p.equilibration == Equilibration::automatic && scaling.pays) {
    p.equilibration = Equilibration::unit_diagonal;
    selections.push_back(
        {"equilibration=unit_diagonal",
         "rows and columns scaled to a diagonal of ones inside the preconditioner",
         fmt::format(
             "they sum to {:.1f} % of their magnitudes on average, for {:.1f} % as they are",
             100 * scaling.scaled_remainder, 100 * scaling.remainder)});
  }
  if (p.equilibration == Equilibration::unit_diagonal &&
      scaling.span <= rules::max_span_of_factors_for_float)
    scaled.smallest_diagonal = scaled.largest_diagonal = 1;
  if (p.equilibration == Equilibration::unit_diagonal) scaled.jumping_rows = 0;
  return scaled;
}

bool suits_float_but_for_magnitude(const MatrixFacts& facts) {
  return diagonal_of_one_sign(facts) && facts.smallest_diagonal > 0 &&
         facts.largest_diagonal <= rules::max_span_for_float * facts.smallest_diagonal;
}

/// Singular where float rounds it: what makes it regular is lost in that.
bool is_singular_but_for_little(const MatrixFacts& facts) {
  return !facts.zero_row_sums && facts.largest_row_sum > 0 &&
         facts.largest_row_sum < rules::min_row_sum_for_float;
}

std::string why_double(const MatrixFacts& facts) {
  if (!diagonal_of_one_sign(facts)) return "the diagonal is not of one sign";
  return fmt::format("the diagonal, from {:.0e} to {:.0e}, does not suit float",
                     facts.smallest_diagonal, facts.largest_diagonal);
}

void select_precision(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                      std::vector<Selection>& selections) {
  if (p.precision != Precision::automatic) return;
  p.precision = Precision::same;
  if (!matrix_is_double || p.preconditioner != PreconditionerKind::amg) return;
  if (amg::chooses_vectors(p.amg.levels)) {
    selections.push_back({"precision=same", "preconditioner in double from the finest level on",
                          "amg.levels says where float begins"});
  } else if (facts.rows < rules::min_rows_for_float) {
    selections.push_back(
        {"precision=same", "preconditioner in double",
         fmt::format("the matrix has fewer than {} rows", rules::min_rows_for_float.value)});
  } else if (is_singular_but_for_little(facts)) {
    selections.push_back({"precision=same", "preconditioner in double",
                          fmt::format("no row sums to more than {:.0e} of its diagonal entry",
                                      facts.largest_row_sum)});
  } else if (suits_float(facts)) {
    p.precision = Precision::single;
    selections.push_back(
        {"precision=float", "preconditioner in float", "the diagonal's range allows it"});
  } else if (p.equilibration != Equilibration::none && suits_float_but_for_magnitude(facts)) {
    p.precision = Precision::single;
    selections.push_back(
        {"precision=float", "preconditioner in float", "the diagonal's span allows it"});
  } else {
    selections.push_back({"precision=same", "preconditioner in double", why_double(facts)});
  }
}

bool lies_within(const MatrixFacts& facts, double smallest, double largest) {
  return facts.smallest_diagonal > smallest && facts.largest_diagonal < largest;
}

/// Whether a level's matrix is to be stored in any of these, as far as is known.
bool any_storage(const amg::Parameters& p, std::initializer_list<StorageScalar> scalars) {
  const auto is_one = [&](const StorageParameters& storage) {
    return std::find(scalars.begin(), scalars.end(), storage.scalar) != scalars.end();
  };
  if (p.levels.empty()) return is_one(p.storage);
  return std::any_of(p.levels.begin(), p.levels.end(), [&](const amg::LevelParameters& level) {
    return is_one(level.A) || is_one(level.P) || is_one(level.R);
  });
}

/// Float is asked for anywhere in the preconditioner of a matrix in double, or it is one in float.
bool works_in_float(const SolveParameters& p, bool matrix_is_double) {
  return !matrix_is_double || p.precision == Precision::single ||
         amg::chooses_vectors(p.amg.levels) ||
         any_storage(p.amg, {StorageScalar::float32, StorageScalar::bfloat16});
}

/// Half, or less, is asked for anywhere. What a callback will ask for is not known yet; the powers
/// are exact, and cost little.
bool has_half(const amg::Parameters& p) {
  return p.choose_level != nullptr ||
         any_storage(p, {StorageScalar::half, StorageScalar::fp8, StorageScalar::automatic});
}

void select_equilibration(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                          std::vector<Selection>& selections) {
  if (p.equilibration != Equilibration::automatic) return;
  p.equilibration = Equilibration::none;
  if (p.preconditioner != PreconditionerKind::amg || facts.rows == 0) return;
  const bool leaves_half =
      has_half(p.amg) && !lies_within(facts, rules::half_safe_smallest, rules::half_safe_largest);
  const bool leaves_float =
      works_in_float(p, matrix_is_double) &&
      !lies_within(facts, rules::float_safe_smallest, rules::float_safe_largest);
  if (!leaves_half && !leaves_float) return;
  p.equilibration = Equilibration::powers_of_two;
  selections.push_back(
      {"equilibration=powers_of_two",
       "rows and columns scaled by powers of two inside the preconditioner",
       fmt::format("the diagonal, from {:.0e} to {:.0e}, does not suit {}", facts.smallest_diagonal,
                   facts.largest_diagonal, leaves_float ? "float" : "half")});
}

}  // namespace detail

bool one_power_of_two_does(const SolveParameters& p, const MatrixFacts& facts) {
  const double span =
      detail::has_half(p.amg) ? rules::span_safe_in_half.value : rules::span_safe_in_float.value;
  return facts.smallest_diagonal > 0 &&
         facts.largest_diagonal / facts.smallest_diagonal <= span;  // no product, for its range
}

bool suits_float(const MatrixFacts& facts) {
  return detail::suits_float_but_for_magnitude(facts) &&
         detail::lies_within(facts, rules::float_safe_smallest, rules::float_safe_largest);
}

bool rounds_vectors(const SolveParameters& p) {
  return p.preconditioner == PreconditionerKind::amg &&
         (p.precision == Precision::single || amg::chooses_vectors(p.amg.levels));
}

}  // namespace tessera
