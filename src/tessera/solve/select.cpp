// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/select.hpp"

#include "tessera/amg/smoother_for.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace tessera {
namespace {

/// Magnitudes between these leave room in a float for what a cycle makes of them.
constexpr double float_safe_smallest = 1e-12;
constexpr double float_safe_largest = 1e12;
/// Diagonals between these leave room in half, from 6e-5 to 65504, for the other entries of a row
/// and for coarse levels.
constexpr double half_safe_smallest = 0.01;
constexpr double half_safe_largest = 1e4;
/// The span of diagonals that one power of two brings between these.
constexpr double span_safe_in_float = 1e16;
constexpr double span_safe_in_half = 1e3;

/// Rows of zeros are projected out.
bool suits_cg(const MatrixFacts& facts) {
  return facts.symmetric && (facts.positive_diagonal || facts.positive_but_for_zero_rows);
}

void pick_nullspace(SolverParameters& p, const MatrixFacts& facts, std::vector<Selection>& picks) {
  p.nullspace = NullspaceKind::none;
  if (!facts.symmetric) return;
  // A matrix of one component, or one whose components nobody has looked at.
  if (facts.zero_row_sums && facts.singular_components <= 1) {
    p.nullspace = NullspaceKind::constant;
    picks.push_back({"solver.nullspace=constant", "nullspace constant", "every row sums to zero"});
  } else if (facts.singular_components > 0) {
    p.nullspace = NullspaceKind::components;
    picks.push_back({"solver.nullspace=components", "nullspace components",
                     fmt::format("{} of {} rows are in connected components that are singular, {} "
                                 "in number",
                                 facts.singular_rows, facts.rows, facts.singular_components)});
  }
}

void pick_solver(SolverParameters& p, const MatrixFacts& facts, std::vector<Selection>& picks) {
  if (p.name == SolverName::automatic) {
    if (suits_cg(facts)) {
      p.name = SolverName::cg;
      picks.push_back({"solver.name=cg", "solver cg",
                       facts.positive_diagonal
                           ? "the matrix is symmetric with a positive diagonal"
                           : "the matrix is symmetric with a positive diagonal but in rows of "
                             "zeros"});
    } else {
      p.name = SolverName::gmres;
      picks.push_back({"solver.name=gmres", "solver gmres",
                       facts.symmetric ? "the matrix is symmetric, but its diagonal is not positive"
                                       : "the matrix is not symmetric"});
    }
  }
  if (p.nullspace == NullspaceKind::automatic) pick_nullspace(p, facts, picks);
}

/// The most coupled rows with a zero on the diagonal at which multigrid is picked. Smoothers leave
/// them out: each is a direction or two more for GMRES, which has as many as a restart holds.
int most_zeros_for_multigrid(const SolverParameters& p) { return p.restart / 2; }

/// True where the hierarchy may be one dense level and nothing else.
bool fits_one_dense_level(const amg::Parameters& p, Ordinal rows) {
  const int open = p.coarse_size == 0 ? p.max_dense_size : p.coarse_size;
  return rows <= std::min(open, p.max_dense_size);
}

/// Up to here multigrid is one dense level by itself, and anything is quick.
constexpr Ordinal few_rows = 200;

/// The share of positive couplings above which A is stiffness rather than stretched or high
/// elements of one unknown.
constexpr double many_positive_couplings = 0.28;

/// The most rows whose factors' cost is foreseen before anything was tried. Ordering takes a tenth
/// to a third of what multigrid would.
constexpr Ordinal most_rows_to_order = 20000;

/// What multigrid takes for setup and solve, in seconds, on one thread of the host that
/// `direct::Cost::seconds` was measured on (docs/performance/real_matrices.md): per row and per
/// entry of the matrix where it suits; per entry where couplings are those of stiffness without its
/// rigid body modes, and where it is not known to converge at all.
constexpr double amg_seconds_per_suited_row = 3e-6;
constexpr double amg_seconds_per_suited_entry = 0.03e-6;
constexpr double amg_seconds_stiffness = 1.5e-6;
constexpr double amg_seconds_unknown = 10e-6;

bool diagonal_of_one_sign(const MatrixFacts& facts) {
  return facts.positive_diagonal || facts.negative_diagonal;
}

/// Nothing that smoothers or aggregates are made for: the diagonal has zeros or both signs, or the
/// matrix is neither symmetric nor near an M-matrix.
bool is_strange_to_multigrid(const MatrixFacts& facts) {
  if (facts.coupled_zeros > 0 || facts.coupled_signs_differ) return true;
  return !facts.symmetric && facts.positive_couplings > few_positive_couplings;
}

double foreseen_amg_seconds(const MatrixFacts& facts) {
  if (is_strange_to_multigrid(facts)) return amg_seconds_unknown * facts.entries;
  if (facts.positive_couplings > many_positive_couplings)
    return amg_seconds_stiffness * facts.entries;
  return amg_seconds_per_suited_row * facts.rows + amg_seconds_per_suited_entry * facts.entries;
}

/// What factors take at the least, before anything is ordered. Without fill a column of L has half
/// as many entries as a row of A; with it three times as many or more: of the definite matrices of
/// docs/performance/real_matrices.md none has less than 4.5 times as many.
direct::Cost least_direct_cost(const MatrixFacts& facts) {
  const double column = 1.5 * facts.entries / facts.rows;
  return {facts.rows * column * column, facts.rows * column, true};
}

void pick_preconditioner(SolveParameters& p, const MatrixFacts& facts, const direct::Cost* direct,
                         std::vector<Selection>& picks) {
  if (diagonal_may_do(p, facts)) {
    p.preconditioner = PreconditionerKind::jacobi;
    picks.push_back({"preconditioner=jacobi", "preconditioner jacobi",
                     fmt::format("the diagonal decides {:.0f} % of the rows",
                                 100.0 * facts.decided_rows / facts.rows)});
    return;
  }
  if (p.preconditioner != PreconditionerKind::automatic) return;
  if (direct != nullptr && direct->seconds() < foreseen_amg_seconds(facts)) {
    p.preconditioner = PreconditionerKind::direct;
    picks.push_back({"preconditioner=direct", "preconditioner direct",
                     fmt::format("factors of {:.2g} entries, in {:.2g} operations, are foreseen to "
                                 "be cheaper than multigrid",
                                 direct->entries, direct->flops)});
    return;
  }
  p.preconditioner = PreconditionerKind::amg;
  if (facts.coupled_zeros == 0 && !facts.coupled_signs_differ) return;
  if (fits_one_dense_level(p.amg, facts.rows)) {
    p.amg.coarse_size = std::max(p.amg.coarse_size, facts.rows);
    picks.push_back({fmt::format("amg.coarse_size={}", p.amg.coarse_size), "one dense level",
                     "the diagonal has zeros or both signs, and a dense inverse is small"});
  } else if (facts.coupled_zeros > most_zeros_for_multigrid(p.solver)) {
    p.preconditioner = PreconditionerKind::none;
    picks.push_back({"preconditioner=none", "preconditioner none",
                     fmt::format("{} rows of couplings have a zero on the diagonal, which "
                                 "smoothers cannot divide by",
                                 facts.coupled_zeros)});
  }
}

bool suits_float_but_for_magnitude(const MatrixFacts& facts) {
  return diagonal_of_one_sign(facts) && facts.smallest_diagonal > 0 &&
         facts.largest_diagonal <= widest_span_for_float * facts.smallest_diagonal;
}

std::string why_double(const MatrixFacts& facts) {
  if (!diagonal_of_one_sign(facts)) return "the diagonal is not of one sign";
  return fmt::format("the diagonal, from {:.0e} to {:.0e}, does not suit float",
                     facts.smallest_diagonal, facts.largest_diagonal);
}

void pick_precision(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                    std::vector<Selection>& picks) {
  if (p.precision != Precision::automatic) return;
  p.precision = Precision::same;
  if (!matrix_is_double || p.preconditioner != PreconditionerKind::amg) return;
  if (amg::chooses_vectors(p.amg.levels)) {
    picks.push_back({"precision=same", "preconditioner in double from the finest level on",
                     "amg.levels says where float begins"});
  } else if (facts.rows < least_rows_for_float) {
    picks.push_back({"precision=same", "preconditioner in double",
                     fmt::format("the matrix has fewer than {} rows", least_rows_for_float)});
  } else if (suits_float(facts)) {
    p.precision = Precision::single;
    picks.push_back(
        {"precision=float", "preconditioner in float", "the diagonal's range allows it"});
  } else if (p.equilibration != Equilibration::none && suits_float_but_for_magnitude(facts)) {
    p.precision = Precision::single;
    picks.push_back(
        {"precision=float", "preconditioner in float", "the diagonal's span allows it"});
  } else {
    picks.push_back({"precision=same", "preconditioner in double", why_double(facts)});
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

void pick_equilibration(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                        std::vector<Selection>& picks) {
  if (p.equilibration != Equilibration::automatic) return;
  p.equilibration = Equilibration::none;
  if (p.preconditioner != PreconditionerKind::amg || facts.rows == 0) return;
  const bool leaves_half =
      has_half(p.amg) && !lies_within(facts, half_safe_smallest, half_safe_largest);
  const bool leaves_float = works_in_float(p, matrix_is_double) &&
                            !lies_within(facts, float_safe_smallest, float_safe_largest);
  if (!leaves_half && !leaves_float) return;
  p.equilibration = Equilibration::powers_of_two;
  picks.push_back(
      {"equilibration=powers_of_two",
       "rows and columns scaled by powers of two inside the preconditioner",
       fmt::format("the diagonal, from {:.0e} to {:.0e}, does not suit {}", facts.smallest_diagonal,
                   facts.largest_diagonal, leaves_float ? "float" : "half")});
}

void pick_flexible(SolveParameters& p, const MatrixFacts& facts, SolverName asked,
                   std::vector<Selection>& picks) {
  if (p.solver.name == SolverName::cg && needs_flexible_cg(p)) p.solver.flexible = true;
  const bool is_K_cycle = p.amg.cycle == amg::CycleType::k;
  if (p.preconditioner != PreconditionerKind::amg) return;
  // CG is made flexible, and Richardson takes each correction as it comes.
  const bool bears_K_cycle = asked != SolverName::gmres && asked != SolverName::bicgstab;
  if (is_K_cycle && !bears_K_cycle) {
    const std::string name = asked == SolverName::gmres ? "gmres" : "bicgstab";
    picks.push_back({"", "K-cycle under " + name,
                     fmt::format("the K-cycle is not linear, and {} takes it for linear; "
                                 "solver.name={} does not",
                                 name, suits_cg(facts) ? "cg" : "fgmres")});
  }
  if (p.solver.name != SolverName::gmres || asked != SolverName::automatic) return;
  const bool forms_x = p.solver.side == PreconditioningSide::right;
  if (is_K_cycle || (forms_x && rounds_vectors(p))) {
    p.solver.name = SolverName::fgmres;
    picks.push_back({"solver.name=fgmres", "solver fgmres",
                     is_K_cycle ? "the K-cycle is not linear"
                                : "a cycle in less than double is linear to its round-off alone"});
  }
}

/// Beside positive couplings a coupling has to be half of the largest to be strong, ...
constexpr double threshold_beside_positive_couplings = 0.5;
/// ... in rows of no more entries than those of a trilinear hexahedron's vertex. In longer ones
/// they are of the elements' order, stretched or not: with a threshold of 0.5 the beam of order 3
/// and 924,000 unknowns has an operator complexity of 1.33, with 0.25 of 1.11, and as many
/// iterations.
constexpr double most_entries_of_low_order = 30;
/// Beside no more of them than that, in rows as short as in the plane, elements are stretched
/// across their axes, and their axes' couplings are to count: bilinear elements at 45 degrees, 9 %,
/// whose axes have 0.4 of the diagonal's, take 15 iterations for 17 with an operator complexity of
/// 1.17 for 1.58. On tetrahedra at 0 degrees, 13 %, it would be 13 and 1.70 for 12 and 1.66.
constexpr double some_positive_couplings = 0.16;
constexpr double most_entries_in_the_plane = 12;
constexpr double threshold_beside_some_positive_couplings = 0.35;
/// ... and the polynomial of this degree, on this part of the spectrum, pays for itself.
constexpr int degree_beside_positive_couplings = 3;
constexpr double eigenvalue_ratio_beside_positive_couplings = 12;

/// Between vertices of three unknowns and more, whose couplings are of all directions, less is
/// strong enough: elasticity on tetrahedra (824,000 unknowns) has an operator complexity of 2.43
/// for 3.20 and takes two thirds of the time, with 12 iterations for 11; on bricks both are as with
/// 0.25.
constexpr double threshold_between_blocks = 0.08;
constexpr int least_block_of_that_threshold = 3;

/// A span of the diagonal, largest over smallest, that no grid of one coefficient has.
constexpr double span_of_jumps = 10;
/// There weak couplings stay weak on coarse levels, too.
constexpr double scaling_beside_jumps = 0.8;

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

/// Pairs are made of the heaviest couplings, whatever counts as strong, and by P as it is.
bool makes_pairs(const amg::Parameters& p) {
  using Kind = amg::CoarseningKind;
  const bool usually = p.coarsening == amg::CoarseningKind::pairwise;
  if (p.levels.empty()) return usually;
  return std::all_of(p.levels.begin(), p.levels.end(), [&](const amg::LevelParameters& level) {
    const Kind kind = level.coarsening.type;
    return kind == Kind::pairwise || (kind == Kind::same && usually);
  });
}

void pick_strength_scaling(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                           std::vector<Selection>& picks) {
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_scaling >= 0) return;
  const bool jumps = facts.largest_diagonal > span_of_jumps * facts.smallest_diagonal;
  const bool positive = facts.positive_couplings > few_positive_couplings;
  if (makes_pairs(p) || block_size > 1 || !facts.symmetric || !(jumps || positive)) {
    smoothed.strength_scaling = amg::usual_strength_scaling;
    return;
  }
  smoothed.strength_scaling = scaling_beside_jumps;
  picks.push_back(
      {fmt::format("amg.smoothed_aggregation.strength_scaling={}", smoothed.strength_scaling),
       fmt::format("strength scaling {}", smoothed.strength_scaling),
       jumps ? "the diagonal spans more than a factor of 10"
             : "couplings differ in sign and size"});
}

/// Positive couplings come with elements that are stretched, in whatever direction, or of high
/// order. Errors are smooth then along the strongest couplings alone, and one Jacobi sweep leaves
/// much of what lies across them.
void pick_for_positive_couplings(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                                 std::vector<Selection>& picks) {
  if (block_size > 1 || !facts.symmetric || facts.positive_couplings <= few_positive_couplings)
    return;
  const std::string why =
      fmt::format("{:.0f} % of the couplings are positive", 100 * facts.positive_couplings);
  const bool low_order = facts.entries <= most_entries_of_low_order * facts.rows;
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_threshold < 0 &&
      smoothed.strength_measure == kernels::StrengthMeasure::largest && low_order &&
      !makes_pairs(p)) {
    const bool some = facts.positive_couplings <= some_positive_couplings &&
                      facts.entries <= most_entries_in_the_plane * facts.rows;
    smoothed.strength_threshold =
        some ? threshold_beside_some_positive_couplings : threshold_beside_positive_couplings;
    picks.push_back(
        {fmt::format("amg.smoothed_aggregation.strength_threshold={}", smoothed.strength_threshold),
         fmt::format("strength threshold {}", smoothed.strength_threshold), why});
  }
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    if (smoother.type != SmootherType::automatic) continue;
    smoother.type = SmootherType::chebyshev;
    const SmootherParameters open;
    if (smoother.degree == open.degree) smoother.degree = degree_beside_positive_couplings;
    if (smoother.eigenvalue_ratio == open.eigenvalue_ratio)
      smoother.eigenvalue_ratio = eigenvalue_ratio_beside_positive_couplings;
    if (!in_use) continue;
    picks.push_back({key + ".type=chebyshev",
                     fmt::format("smoother chebyshev of degree {}{}", smoother.degree, where),
                     why});
  }
}

/// A longer polynomial for each smoother that is wholly open, see amg::smoother_without_vectors.
void pick_for_missing_vectors(amg::Parameters& p, PreconditionerKind preconditioner,
                              std::vector<Selection>& picks) {
  for (const auto& [smoother, key, where, in_use] : smoothers_of(p)) {
    if (!amg::is_left_open(smoother)) continue;
    smoother = amg::smoother_without_vectors(smoother);
    if (!in_use || preconditioner != PreconditionerKind::amg) continue;
    picks.push_back({fmt::format("{}.degree={}", key, smoother.degree),
                     fmt::format("chebyshev of degree {}{}", smoother.degree, where),
                     "coupled unknowns of a node, without near-nullspace vectors"});
    picks.push_back(
        {fmt::format("{}.eigenvalue_ratio={:g}", key, smoother.eigenvalue_ratio),
         fmt::format("chebyshev over a ratio of {:g}{}", smoother.eigenvalue_ratio, where),
         "as far down the spectrum as that degree damps"});
  }
}

/// False for one dense level, which has no use for what belongs to smoothing and coarsening.
bool has_coarse_levels(const amg::Parameters& p, const MatrixFacts& facts,
                       PreconditionerKind preconditioner) {
  return preconditioner == PreconditionerKind::amg &&
         facts.rows > std::min(p.coarse_size, p.max_dense_size);
}

void pick_symmetry(amg::Parameters& p, const MatrixFacts& facts, PreconditionerKind preconditioner,
                   std::vector<Selection>& picks) {
  if (p.symmetry != amg::AssumedSymmetry::automatic) return;
  p.symmetry = facts.symmetric ? amg::AssumedSymmetry::symmetric : amg::AssumedSymmetry::general;
  if (!facts.symmetric && !makes_pairs(p) && has_coarse_levels(p, facts, preconditioner)) {
    picks.push_back({"amg.symmetry=general", "restriction smoothed by the matrix's transpose",
                     "the matrix is not symmetric"});
  }
}

void pick_multigrid(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                    bool lacks_vectors, PreconditionerKind preconditioner,
                    std::vector<Selection>& picks) {
  if (preconditioner == PreconditionerKind::amg)
    pick_for_positive_couplings(p, facts, block_size, picks);
  amg::SmoothedAggregationParameters& smoothed = p.smoothed_aggregation;
  if (smoothed.strength_threshold < 0 && block_size >= least_block_of_that_threshold &&
      smoothed.strength_measure == kernels::StrengthMeasure::largest)
    smoothed.strength_threshold = threshold_between_blocks;
  if (smoothed.strength_threshold < 0)
    smoothed.strength_threshold = amg::usual_strength_threshold(smoothed.strength_measure);
  if (preconditioner == PreconditionerKind::amg) {
    pick_strength_scaling(p, facts, block_size, picks);
  } else if (smoothed.strength_scaling < 0) {
    smoothed.strength_scaling = amg::usual_strength_scaling;
  }
  if (lacks_vectors && facts.symmetric) pick_for_missing_vectors(p, preconditioner, picks);
  for (const PlacedSmoother& placed : smoothers_of(p))
    placed.smoother = amg::smoother_for(placed.smoother, block_size, facts.symmetric);
  pick_symmetry(p, facts, preconditioner, picks);
  if (p.spectral_radius != amg::SpectralRadiusMethod::automatic) return;
  if (facts.symmetric && diagonal_of_one_sign(facts)) {
    p.spectral_radius = amg::SpectralRadiusMethod::lanczos;
    return;
  }
  p.spectral_radius = amg::SpectralRadiusMethod::arnoldi;
  if (has_coarse_levels(p, facts, preconditioner)) {
    picks.push_back(
        {"amg.spectral_radius=arnoldi", "spectral radius by arnoldi",
         facts.symmetric ? "the diagonal is not of one sign" : "the matrix is not symmetric"});
  }
}

}  // namespace

bool one_power_of_two_does(const SolveParameters& p, const MatrixFacts& facts) {
  const double span = has_half(p.amg) ? span_safe_in_half : span_safe_in_float;
  return facts.smallest_diagonal > 0 &&
         facts.largest_diagonal / facts.smallest_diagonal <= span;  // no product, for its range
}

bool suits_float(const MatrixFacts& facts) {
  return suits_float_but_for_magnitude(facts) &&
         lies_within(facts, float_safe_smallest, float_safe_largest);
}

bool diagonal_may_do(const SolveParameters& p, const MatrixFacts& facts) {
  if (p.preconditioner != PreconditionerKind::automatic || facts.rows <= few_rows) return false;
  if (!facts.positive_diagonal) return false;
  // Without symmetry good rows do not make up for others.
  return facts.symmetric ? 2 * static_cast<double>(facts.decided_rows) >= facts.rows
                         : facts.decided_rows == facts.rows;
}

bool may_pay_directly(const SolveParameters& p, const MatrixFacts& facts, bool has_vectors) {
  if (p.preconditioner != PreconditionerKind::automatic || facts.rows <= few_rows) return false;
  if (facts.rows > most_rows_to_order) return false;
  if (is_strange_to_multigrid(facts)) return true;
  // Ordering costs something itself, and rows that are long without fill are not worth it.
  return !has_vectors && facts.positive_couplings > few_positive_couplings &&
         least_direct_cost(facts).seconds() < foreseen_amg_seconds(facts);
}

bool rounds_vectors(const SolveParameters& p) {
  return p.preconditioner == PreconditionerKind::amg &&
         (p.precision == Precision::single || amg::chooses_vectors(p.amg.levels));
}

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
  std::vector<Selection> picks;
  const SolverName asked = p.solver.name;
  pick_solver(p.solver, facts, picks);
  pick_preconditioner(p, facts, direct, picks);
  pick_precision(p, facts, matrix_is_double, picks);
  pick_equilibration(p, facts, matrix_is_double, picks);
  pick_flexible(p, facts, asked, picks);
  pick_multigrid(p.amg, facts, block_size, lacks_vectors, p.preconditioner, picks);
  return picks;
}

}  // namespace tessera
