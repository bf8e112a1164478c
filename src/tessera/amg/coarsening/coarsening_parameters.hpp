// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels are made coarse, as users choose it.
#pragma once

#include "tessera/amg/coarsening/reduction_parameters.hpp"
#include "tessera/amg/coarsening/registered_parameters.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/graph/strength_measure.hpp"
#include "tessera/operator/parameter_description.hpp"

#include <string>

namespace tessera::amg {

/// How the next level is made from a level. Programs add values of their own by name:
/// amg/coarsening/register_coarsening.hpp.
enum class CoarseningKind : int {
  same,  ///< on one level: what `Parameters::coarsening` says for every level
  automatic,  ///< by what `Solver` finds of the matrix; in `Multigrid` alone smoothed_aggregation
  smoothed_aggregation,  ///< Bell, Dalton & Olson (2012)
  plain_aggregation,  ///< the same aggregates, prolongators unsmoothed
  pairwise,  ///< pairs along the strongest couplings, prolongators unsmoothed (PGM)
  classical,  ///< coarse and fine points, after Ruge and Stueben
  reduction  ///< AIRG: coarse and fine points, an approximate ideal restriction
};

/// The library's own, for every level or for one.
inline constexpr EnumName<CoarseningKind> own_coarsening_names[] = {
    {CoarseningKind::automatic, "auto",
     "smoothed_aggregation; classical on a host, off grids, for stretched elements in the plane "
     "and for matrices without symmetry"},
    {CoarseningKind::smoothed_aggregation, "smoothed_aggregation",
     "aggregates of strong neighbours, prolongators smoothed by the matrix"},
    {CoarseningKind::pairwise, "pairwise",
     "pairs along the strongest couplings (PGM), prolongators unsmoothed; use with cycle=k or w"},
    {CoarseningKind::classical, "classical",
     "coarse and fine points, fine ones interpolated from coarse ones around them"},
    {CoarseningKind::reduction, "reduction",
     "coarse and fine points, an approximate ideal restriction (AIRG); for convection"},
    {CoarseningKind::plain_aggregation, "plain_aggregation",
     "aggregates of strong neighbours, prolongators unsmoothed; use with cycle=k or w"},
    {CoarseningKind::same, "same",
     "as amg.coarsening and its parameters; nested values are ignored"}};

/// For every level: all but the last two; aggregation is plain where its `prolongator_omega` is 0.
inline constexpr auto coarsening_names = EnumNames<CoarseningKind>(own_coarsening_names).first(5);
/// For one level, which is made as all are where nothing else is said.
inline constexpr auto level_coarsening_names =
    EnumNames<CoarseningKind>(own_coarsening_names).subspan(1);

/// Those, and then what is registered by now.
EnumNames<CoarseningKind> all_coarsening_names();
EnumNames<CoarseningKind> all_level_coarsening_names();

/// As parameters name it.
std::string coarsening_name(CoarseningKind kind);

/// Whether it refuses nodes of several unknowns.
constexpr bool takes_one_unknown(CoarseningKind kind) {
  return kind == CoarseningKind::pairwise || kind == CoarseningKind::reduction;
}

/// How the nodes of the strength graph are grouped into aggregates.
enum class Aggregation {
  automatic,  ///< boxes where the graph is a numbered box, MIS(2) elsewhere
  structured,  ///< boxes; an error where the graph is not a numbered box
  mis2  ///< MIS(2) by hashed values (Bell, Dalton & Olson, section 3.2)
};

inline constexpr EnumName<Aggregation> aggregation_names[] = {
    {Aggregation::automatic, "auto", "boxes where the graph is a numbered box, MIS(2) elsewhere"},
    {Aggregation::structured, "structured", "boxes of about three nodes per coupled direction"},
    {Aggregation::mis2, "mis2", "distance-2 maximal independent set"}};

inline constexpr EnumName<StrengthMeasure> strength_measure_names[] = {
    {StrengthMeasure::diagonal, "diagonal", "the diagonal entries of the two unknowns"},
    {StrengthMeasure::largest, "largest", "the largest couplings of the two unknowns"}};

/// The threshold of strength where it is left open and nothing of the matrix is known.
constexpr double default_strength_threshold(StrengthMeasure measure) {
  return measure == StrengthMeasure::diagonal ? rules::threshold_by_diagonal
                                              : rules::threshold_by_largest;
}

/// Parameters of smoothed aggregation.
struct SmoothedAggregationParameters {
  Aggregation aggregation = Aggregation::automatic;
  StrengthMeasure strength_measure = StrengthMeasure::largest;
  double strength_threshold = -1;
  double strength_scaling = -1;
  double prolongator_omega = 4.0 / 3.0;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SmoothedAggregationParameters& p) {
  visit("aggregation", p.aggregation, "how nodes are grouped into aggregates",
        EnumNames<Aggregation>(aggregation_names));
  visit("strength_measure", p.strength_measure, "what a connection's strength is relative to",
        EnumNames<StrengthMeasure>(strength_measure_names));
  visit("strength_threshold", p.strength_threshold,
        "theta: |a_ij| > theta sqrt(s_i s_j) is a strong connection on the finest level, s the "
        "measure of an unknown; below 0 picks: 0.25, or 0.5 where positive couplings in short rows "
        "indicate stretched elements without jumps, 0.35 where they are few, as with elements "
        "stretched across their axes, 0.55 between cells of discontinuous elements; 0.08 by the "
        "diagonal and for "
        "nodes of three unknowns and more",
        Range{-1.0, 1.0});
  visit(
      "strength_scaling", p.strength_scaling,
      "factor by which theta shrinks from one level to the next; below 0 picks: 0.5, or 0.8 where "
      "coefficients jump or many couplings are positive",
      Range{-1.0, 1.0});
  visit("prolongator_omega", p.prolongator_omega,
        "damping of the prolongator's smoothing over the spectral radius; 0 leaves it unsmoothed",
        Range{0.0, 2.0});
}

/// Parameters of pairwise aggregation.
struct PairwiseParameters {
  int passes = 1;
  int max_rounds = 16;
  double unmatched_share = 0.01;
  double weak_share = 0.25;
  bool zeros = false;
  /// Couplings are compared to 24 bits. Not a parameter of lists: over several processes it is so
  /// on coarse levels, whose values depend on the shares by rounding.
  bool rounded = false;
};

template <class Visitor>
void describe_parameters(Visitor& visit, PairwiseParameters& p) {
  visit("passes", p.passes, "aggregates of 2 nodes (1), of 4 (2) or of 8 (3)", Range{1, 3});
  visit("max_rounds", p.max_rounds, "maximum number of rounds of proposals per pass",
        Range{1, 1000});
  visit("unmatched_share", p.unmatched_share,
        "rounds end where no more than this share of the nodes is in no aggregate",
        Range{0.0, 0.99});
  visit("weak_share", p.weak_share,
        "a node joins an aggregate at once where its strongest coupling to a free node is less "
        "than this share of that to the aggregate; 0: only where no free one is left",
        Range{0.0, 1.0});
  visit("zeros", p.zeros,
        "stored zeros count as the weakest couplings, so that fixed unknowns join aggregates; "
        "false: they are left out of coarse levels");
}

/// How points are split into coarse and fine ones.
enum class PointSplitting {
  pmis,  ///< De Sterck, Yang & Heys (2006): all at once, fewer coarse points
  advancing_front  ///< Ruge & Stueben's measures, from scattered seeds: a regular pattern
};

inline constexpr EnumName<PointSplitting> point_splitting_names[] = {
    {PointSplitting::pmis, "pmis",
     "an independent set of points on which many depend, all at once: few coarse points"},
    {PointSplitting::advancing_front, "advancing_front",
     "Ruge and Stueben's first pass from many seeds side by side: more coarse points in a regular "
     "pattern, and fewer iterations"}};

/// How fine points get their values from coarse ones.
enum class Interpolation {
  extended_i,  ///< Li, Sjogreen & Yang (2021): from those of their fine neighbours, too
  extended_e,  ///< the same, with a mean for the couplings back from fine neighbours
  direct,  ///< Stueben: from those that they depend on themselves
  classical_modified  ///< Ruge & Stueben: the same, and fine neighbours pass couplings on to them
};

inline constexpr EnumName<Interpolation> interpolation_names[] = {
    {Interpolation::extended_i, "extended_i",
     "from coarse points at distances one and two (extended+i), by products of matrices"},
    {Interpolation::extended_e, "extended_e",
     "the same with the mean coupling between fine points for each that leads back (extended+e)"},
    {Interpolation::direct, "direct", "from coarse points that a fine one depends on itself"},
    {Interpolation::classical_modified, "classical_modified",
     "from the same ones, to which fine neighbours pass its couplings on (classical modified)"}};

/// How they do where coarsening is aggressive, and coarse points are farther away.
enum class AggressiveInterpolation {
  two_stage,  ///< by way of the coarse points of an ordinary splitting
  multipass  ///< Stueben: in passes, each from the points of the pass before
};

inline constexpr EnumName<AggressiveInterpolation> aggressive_interpolation_names[] = {
    {AggressiveInterpolation::two_stage, "two_stage",
     "by way of the coarse points of an ordinary splitting: the product of two interpolations"},
    {AggressiveInterpolation::multipass, "multipass",
     "in passes, each from the points of the pass before, by direct interpolation"}};

/// Which couplings may be strong.
enum class StrongCouplings {
  by_sign,  ///< of the sign opposite to the diagonal's
  by_magnitude  ///< of either sign
};

inline constexpr EnumName<StrongCouplings> strong_couplings_names[] = {
    {StrongCouplings::by_sign, "by_sign", "of the sign opposite to the diagonal's alone"},
    {StrongCouplings::by_magnitude, "by_magnitude", "of either sign"}};

/// How the unknowns of nodes are split.
enum class SystemSplitting {
  unknowns,  ///< each function by itself, by its own couplings
  nodes  ///< the unknowns of a node together, by the norms of blocks
};

inline constexpr EnumName<SystemSplitting> system_splitting_names[] = {
    {SystemSplitting::unknowns, "unknowns", "each function by itself, by its own couplings"},
    {SystemSplitting::nodes, "nodes",
     "a node's unknowns together, by the Frobenius norms of the blocks that couple nodes"}};

/// Parameters of classical coarsening.
struct ClassicalParameters {
  double strength_threshold = 0.25;
  StrongCouplings strong_couplings = StrongCouplings::by_sign;
  double max_row_sum = 0.9;
  PointSplitting splitting = PointSplitting::pmis;
  Interpolation interpolation = Interpolation::extended_i;
  double truncation_factor = 0;
  int max_row_entries = 4;
  int aggressive_levels = 0;
  AggressiveInterpolation aggressive_interpolation = AggressiveInterpolation::two_stage;
  int aggressive_paths = 1;
  SystemSplitting systems = SystemSplitting::unknowns;
};

template <class Visitor>
void describe_parameters(Visitor& visit, ClassicalParameters& p) {
  visit("strength_threshold", p.strength_threshold,
        "theta: a row depends on the columns whose couplings are more than theta of its largest",
        Range{0.0, 1.0});
  visit("strong_couplings", p.strong_couplings, "which couplings may be strong",
        EnumNames<StrongCouplings>(strong_couplings_names));
  visit("max_row_sum", p.max_row_sum,
        "a row depends on nothing where its sum is more than this share of its diagonal; 1: any "
        "may depend",
        Range{0.0, 1.0});
  visit("splitting", p.splitting, "how points are split into coarse and fine ones",
        EnumNames<PointSplitting>(point_splitting_names));
  visit("interpolation", p.interpolation, "how fine points get their values from coarse ones",
        EnumNames<Interpolation>(interpolation_names));
  visit("truncation_factor", p.truncation_factor,
        "weights below this share of the largest of their row are dropped", Range{0.0, 1.0});
  visit("max_row_entries", p.max_row_entries,
        "the largest weights of a row that are kept, and scaled to its sum; 0: all",
        Range{0, 1000});
  visit("aggressive_levels", p.aggressive_levels,
        "number of levels from the finest on that are coarsened aggressively: coarse points are "
        "split "
        "once more, by paths of two dependences",
        Range{0, 100});
  visit("aggressive_interpolation", p.aggressive_interpolation,
        "how fine points get their values where coarsening is aggressive",
        EnumNames<AggressiveInterpolation>(aggressive_interpolation_names));
  visit("aggressive_paths", p.aggressive_paths,
        "fewest paths that make two coarse points neighbours in the second splitting", Range{1, 8});
  visit("systems", p.systems, "how nodes of several unknowns are split into coarse and fine points",
        EnumNames<SystemSplitting>(system_splitting_names));
}

/// The members that one level may have of its own, for their description. The measure of strength
/// is the same on all levels, and the threshold is the level's itself, so that nothing scales it.
struct SmoothedAggregationOfLevel {
  SmoothedAggregationParameters& parameters;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SmoothedAggregationOfLevel& level) {
  SmoothedAggregationParameters& p = level.parameters;
  visit("aggregation", p.aggregation, "how nodes are grouped into aggregates",
        EnumNames<Aggregation>(aggregation_names));
  visit("strength_threshold", p.strength_threshold,
        "theta of this level; below 0: amg.smoothed_aggregation.strength_threshold, scaled as for "
        "every level",
        Range{-1.0, 1.0});
  visit("prolongator_omega", p.prolongator_omega,
        "damping of the prolongator's smoothing over the spectral radius; plain_aggregation has 0",
        Range{0.0, 2.0});
}

/// How one level is coarsened. What belongs to another kind than `type` is not read, nor are those
/// members that are the same on all levels (`SmoothedAggregationOfLevel`).
struct LevelCoarsening {
  CoarseningKind type = CoarseningKind::same;
  SmoothedAggregationParameters smoothed_aggregation;  ///< of both aggregations, smoothed and plain
  PairwiseParameters pairwise;
  ClassicalParameters classical;
  ReductionParameters reduction;
  RegisteredParameters registered = {};
};

template <class Visitor>
void describe_parameters(Visitor& visit, LevelCoarsening& p) {
  visit("type", p.type, "how the next level is made", all_level_coarsening_names());
  SmoothedAggregationOfLevel smoothed_aggregation{p.smoothed_aggregation};
  visit.section("smoothed_aggregation", smoothed_aggregation,
                "smoothed and plain aggregation on this level");
  visit.section("pairwise", p.pairwise, "pairwise aggregation on this level");
  visit.section("classical", p.classical, "classical coarsening on this level");
  visit.section("reduction", p.reduction, "reduction on this level");
  p.registered.describe(visit);
}

}  // namespace tessera::amg
