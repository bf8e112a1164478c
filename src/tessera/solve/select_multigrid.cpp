// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/solve/detail/select_steps.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tessera::detail {

/// A smoother that may be open, and the levels that it is for. The one for all is in use where
/// `levels` is empty; it is filled in all the same.
struct PlacedSmoother {
  SmootherParameters& smoother;
  std::string key;  ///< "amg.smoother", "amg.levels.1.smoother"
  std::string where;  ///< "", " on level 1", " from level 1 on"
  bool in_use;
};

std::vector<PlacedSmoother> smoothers_of(amg::Parameters& p) {
  std::vector<PlacedSmoother> all{{p.smoother, "amg.smoother", "", p.levels.empty()}};
  for (std::size_t i = 0; i < p.levels.size(); ++i) {
    const bool last = i + 1 == p.levels.size();
    const std::string where =
        last ? fmt::format(" from level {} on", i) : fmt::format(" on level {}", i);
    all.push_back({p.levels[i].smoother, fmt::format("amg.levels.{}.smoother", i), where, true});
  }
  return all;
}

/// Aggregation alone goes by what counts as strong, and smooths by the matrix's transpose; other
/// coarsenings have parameters of their own.
bool ignores_strength(const amg::Parameters& p) {
  using Kind = amg::CoarseningKind;
  const auto ignores = [](Kind kind) {
    return kind != Kind::smoothed_aggregation && kind != Kind::plain_aggregation;
  };
  const bool usually = ignores(p.coarsening);
  if (p.levels.empty()) return usually;
  return std::all_of(p.levels.begin(), p.levels.end(), [&](const amg::LevelParameters& level) {
    const Kind kind = level.coarsening.type;
    return kind == Kind::same ? usually : ignores(kind);
  });
}

void select_strength_scaling(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                             std::vector<Selection>& selections) {
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_scaling >= 0) return;
  const bool jumps = facts.largest_diagonal > rules::span_of_jumps * facts.smallest_diagonal;
  const bool positive = facts.positive_couplings > rules::few_positive_couplings;
  if (ignores_strength(p) || block_size > 1 || !facts.symmetric || !(jumps || positive)) {
    smoothed.strength_scaling = rules::default_strength_scaling;
    return;
  }
  smoothed.strength_scaling = rules::scaling_beside_jumps;
  selections.push_back(
      {fmt::format("amg.smoothed_aggregation.strength_scaling={}", smoothed.strength_scaling),
       fmt::format("strength scaling {}", smoothed.strength_scaling),
       jumps ? "the diagonal spans more than a factor of 10"
             : "couplings differ in sign and size"});
}

bool has_jumping_rows(const MatrixFacts& facts) {
  return facts.jumping_rows >= rules::share_of_jumping_rows;
}

/// Where elements are stretched a coupling has to be half of the largest to be strong; less where
/// they are stretched across their axes, and where coefficients jump beside or inside them.
double threshold_of_elements(const MatrixFacts& facts) {
  if (has_jumping_rows(facts)) return rules::threshold_beside_jumping_rows;
  const bool some = facts.positive_couplings <= rules::some_positive_couplings &&
                    facts.entries <= rules::max_entries_in_the_plane * facts.rows;
  return some ? rules::threshold_beside_some_positive_couplings
              : rules::threshold_beside_positive_couplings;
}

void select_strength_threshold(amg::Parameters& p, const MatrixFacts& facts, const std::string& why,
                               std::vector<Selection>& selections) {
  const bool low_order = facts.entries <= rules::max_entries_of_low_order * facts.rows;
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_threshold < 0 && smoothed.strength_measure == StrengthMeasure::largest &&
      low_order && !ignores_strength(p)) {
    smoothed.strength_threshold = threshold_of_elements(facts);
    const char* const jumps =
        has_jumping_rows(facts) ? ", and diagonal entries jump from row to row" : "";
    selections.push_back(
        {fmt::format("amg.smoothed_aggregation.strength_threshold={}", smoothed.strength_threshold),
         fmt::format("strength threshold {}", smoothed.strength_threshold), why + jumps});
  }
}

/// A polynomial for each smoother whose type is open. Classical coarsening leaves less to it.
void select_polynomials(amg::Parameters& p, const std::string& why,
                        std::vector<Selection>& selections) {
  const bool is_long = !p.levels.empty() || p.coarsening != amg::CoarseningKind::classical;
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    // A polynomial relaxes all points.
    if (smoother.type != SmootherType::automatic || smoother.points != RelaxationPoints::all)
      continue;
    smoother.type = SmootherType::chebyshev;
    ChebyshevParameters& polynomial = smoother.chebyshev;
    const ChebyshevParameters open;
    if (is_long && polynomial.degree == open.degree)
      polynomial.degree = rules::degree_beside_positive_couplings;
    if (is_long && polynomial.eigenvalue_ratio == open.eigenvalue_ratio)
      polynomial.eigenvalue_ratio = rules::eigenvalue_ratio_beside_positive_couplings;
    if (!in_use) continue;
    selections.push_back(
        {key + ".type=chebyshev",
         fmt::format("smoother chebyshev of degree {}{}", polynomial.degree, where), why});
  }
}

/// Positive couplings come with elements that are stretched, in whatever direction, or of high
/// order. Errors are smooth then along the strongest couplings alone, and one Jacobi sweep leaves
/// much of what lies across them.
void select_for_positive_couplings(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                                   std::vector<Selection>& selections) {
  if (block_size > 1 || !facts.symmetric ||
      facts.positive_couplings <= rules::few_positive_couplings)
    return;
  const std::string why =
      fmt::format("{:.0f} % of the couplings are positive", 100 * facts.positive_couplings);
  select_strength_threshold(p, facts, why, selections);
  select_polynomials(p, why, selections);
}

/// A longer polynomial for each smoother that is wholly open, see amg::smoother_without_vectors.
void select_for_missing_vectors(amg::Parameters& p, PreconditionerKind preconditioner,
                                std::vector<Selection>& selections) {
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    if (!amg::is_left_open(smoother)) continue;
    smoother = amg::smoother_without_vectors(smoother);
    if (!in_use || preconditioner != PreconditionerKind::amg) continue;
    const ChebyshevParameters& polynomial = smoother.chebyshev;
    selections.push_back({fmt::format("{}.chebyshev.degree={}", key, polynomial.degree),
                          fmt::format("chebyshev of degree {}{}", polynomial.degree, where),
                          "coupled unknowns of a node, without near-nullspace vectors"});
    selections.push_back(
        {fmt::format("{}.chebyshev.eigenvalue_ratio={:g}", key, polynomial.eigenvalue_ratio),
         fmt::format("chebyshev over a ratio of {:g}{}", polynomial.eigenvalue_ratio, where),
         "as far down the spectrum as that degree damps"});
  }
}

/// With rigid body modes prolongators take more smoothing, and polynomials reach further down the
/// spectrum.
void select_for_modes(amg::Parameters& p, const MatrixFacts& facts, int block_size) {
  if (!facts.has_vectors || !facts.symmetric || ignores_strength(p) ||
      block_size < rules::min_block_of_that_threshold)
    return;
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.prolongator_omega == amg::SmoothedAggregationParameters().prolongator_omega)
    smoothed.prolongator_omega = rules::omega_of_modes;
  for (const PlacedSmoother& placed : smoothers_of(p))
    if (amg::is_left_open(placed.smoother))
      placed.smoother.chebyshev.eigenvalue_ratio = rules::eigenvalue_ratio_of_modes;
}

/// More sweeps for each smoother that is wholly open: on a device, Jacobi, which follows no flow.
void select_sweeps_of_flow(amg::Parameters& p, const MatrixFacts& facts,
                           std::vector<Selection>& selections) {
  if (facts.on_host || facts.symmetric || facts.skew_share < rules::skew_share_of_second_sweep ||
      !diagonal_of_one_sign(facts))
    return;
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    if (!amg::is_wholly_open(smoother)) continue;
    smoother.sweeps = rules::sweeps_of_flows_on_devices;
    if (in_use)
      selections.push_back(
          {fmt::format("{}.sweeps={}", key, smoother.sweeps),
           fmt::format("{} sweeps{}", smoother.sweeps, where),
           fmt::format("{:.2g} % of the couplings are of one direction", 100 * facts.skew_share)});
  }
}

/// The smoother of each that is wholly open, where A is not symmetric.
void select_for_skew(amg::Parameters& p, const MatrixFacts& facts,
                     std::vector<Selection>& selections) {
  const bool by_factors = smooths_by_factors(facts);
  if (!by_factors && !smooths_by_blocks(facts)) return select_sweeps_of_flow(p, facts, selections);
  const bool flows = facts.skew_share >= rules::skew_share_of_convection;
  const std::string why =
      fmt::format("the matrix is not symmetric, and {:.0f} % of the couplings are {}",
                  100 * (flows ? facts.skew_share : facts.positive_couplings),
                  flows ? "of one direction" : "positive");
  const std::string name = by_factors ? "ilu" : "block_jacobi";
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    if (!amg::is_wholly_open(smoother)) continue;
    smoother.type = by_factors ? SmootherType::ilu : SmootherType::block_jacobi;
    if (in_use)
      selections.push_back(
          {fmt::format("{}.type={}", key, name), fmt::format("smoother {}{}", name, where), why});
    if (by_factors || smoother.sweeps >= rules::sweeps_of_blocks) continue;
    smoother.sweeps = rules::sweeps_of_blocks;
    if (in_use)
      selections.push_back({fmt::format("{}.sweeps={}", key, smoother.sweeps),
                            fmt::format("{} sweeps{}", smoother.sweeps, where),
                            "the second costs less than an iteration"});
  }
}

/// False for one dense level, which has no use for what belongs to smoothing and coarsening.
bool has_coarse_levels(const amg::Parameters& p, const MatrixFacts& facts,
                       PreconditionerKind preconditioner) {
  return preconditioner == PreconditionerKind::amg &&
         facts.rows > std::min(p.coarse_size, p.max_dense_size);
}

/// Aggregates of discontinuous elements are to join what lies at one place in neighbouring cells,
/// which a penalty couples most.
void select_strength_between_cells(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                                   PreconditionerKind preconditioner,
                                   std::vector<Selection>& selections) {
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  const bool is_open = smoothed.strength_threshold < 0 &&
                       smoothed.strength_measure == StrengthMeasure::largest &&
                       !ignores_strength(p);
  if (!is_open || block_size > 1 || !has_cells(facts) ||
      facts.positive_couplings <= rules::few_positive_couplings ||
      !has_coarse_levels(p, facts, preconditioner))
    return;
  smoothed.strength_threshold = rules::threshold_between_cells;
  selections.push_back(
      {fmt::format("amg.smoothed_aggregation.strength_threshold={}", smoothed.strength_threshold),
       fmt::format("strength threshold {}", smoothed.strength_threshold),
       fmt::format("rows come in full blocks of {}, as cells of discontinuous elements do",
                   facts.full_blocks)});
}

void select_symmetry(amg::Parameters& p, const MatrixFacts& facts,
                     PreconditionerKind preconditioner, std::vector<Selection>& selections) {
  if (p.symmetry != amg::AssumedSymmetry::automatic) return;
  p.symmetry = facts.symmetric ? amg::AssumedSymmetry::symmetric : amg::AssumedSymmetry::general;
  if (!facts.symmetric && !ignores_strength(p) && has_coarse_levels(p, facts, preconditioner)) {
    selections.push_back({"amg.symmetry=general", "restriction smoothed by the matrix's transpose",
                          "the matrix is not symmetric"});
  }
}

/// What nothing above has filled in of the strength of couplings.
void select_remaining_strength(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                               PreconditionerKind preconditioner,
                               std::vector<Selection>& selections) {
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_threshold < 0 && block_size >= rules::min_block_of_that_threshold &&
      smoothed.strength_measure == StrengthMeasure::largest)
    smoothed.strength_threshold = rules::threshold_between_blocks;
  if (smoothed.strength_threshold < 0)
    smoothed.strength_threshold = amg::default_strength_threshold(smoothed.strength_measure);
  if (preconditioner == PreconditionerKind::amg) {
    select_strength_scaling(p, facts, block_size, selections);
  } else if (smoothed.strength_scaling < 0) {
    smoothed.strength_scaling = rules::default_strength_scaling;
  }
}

void select_spectral_radius(amg::Parameters& p, const MatrixFacts& facts,
                            PreconditionerKind preconditioner, std::vector<Selection>& selections) {
  if (p.spectral_radius != amg::SpectralRadiusMethod::automatic) return;
  if (facts.symmetric && diagonal_of_one_sign(facts)) {
    p.spectral_radius = amg::SpectralRadiusMethod::lanczos;
    return;
  }
  p.spectral_radius = amg::SpectralRadiusMethod::arnoldi;
  if (has_coarse_levels(p, facts, preconditioner)) {
    selections.push_back(
        {"amg.spectral_radius=arnoldi", "spectral radius by arnoldi",
         facts.symmetric ? "the diagonal is not of one sign" : "the matrix is not symmetric"});
  }
}

void select_multigrid(SolveParameters& parameters, const MatrixFacts& facts, int block_size,
                      bool lacks_vectors, std::vector<Selection>& selections) {
  amg::Parameters& p = parameters.amg;
  const PreconditionerKind preconditioner = parameters.preconditioner;
  if (preconditioner == PreconditionerKind::amg)
    select_for_positive_couplings(p, facts, block_size, selections);
  // A solve in one kernel has neither triangular solves nor blocks within its cycle.
  const bool is_one_kernel = parameters.solver.single_kernel == SingleKernel::on;
  if (!is_one_kernel && has_coarse_levels(p, facts, preconditioner))
    select_for_skew(p, facts, selections);
  select_strength_between_cells(p, facts, block_size, preconditioner, selections);
  select_remaining_strength(p, facts, block_size, preconditioner, selections);
  if (lacks_vectors && facts.symmetric)
    select_for_missing_vectors(p, preconditioner, selections);
  else
    select_for_modes(p, facts, block_size);
  for (const PlacedSmoother& placed : smoothers_of(p))
    placed.smoother = amg::smoother_for(placed.smoother, block_size, facts.symmetric);
  select_symmetry(p, facts, preconditioner, selections);
  select_spectral_radius(p, facts, preconditioner, selections);
}

}  // namespace tessera::detail
