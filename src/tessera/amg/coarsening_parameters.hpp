// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels are made coarse, as users choose it.
#pragma once

#include "tessera/core/parameter_description.hpp"

namespace tessera::amg {

/// How a level's operator is made coarse.
enum class CoarseningKind {
  smoothed_aggregation,  ///< Bell, Dalton & Olson (2012)
  pairwise  ///< pairs along the strongest couplings, prolongators unsmoothed (PGM)
};

inline constexpr EnumName<CoarseningKind> coarsening_names[] = {
    {CoarseningKind::smoothed_aggregation, "smoothed_aggregation",
     "aggregates of strong neighbours, prolongators smoothed by the matrix"},
    {CoarseningKind::pairwise, "pairwise",
     "pairs along the strongest couplings (PGM), prolongators unsmoothed; wants cycle=k or w"}};

/// Parameters of pairwise aggregation.
struct PairwiseParameters {
  int passes = 1;
  int max_rounds = 16;
  double unmatched_share = 0.01;
  double weak_share = 0.25;
  bool zeros = false;
};

template <class Visitor>
void describe_parameters(Visitor& visit, PairwiseParameters& p) {
  visit("passes", p.passes, "aggregates of 2 vertices (1), of 4 (2) or of 8 (3)", Range{1, 3});
  visit("max_rounds", p.max_rounds, "most rounds of proposals in a pass", Range{1, 1000});
  visit("unmatched_share", p.unmatched_share,
        "rounds end where no more than this share of the vertices is in no aggregate",
        Range{0.0, 0.99});
  visit("weak_share", p.weak_share,
        "a vertex joins an aggregate at once where its strongest coupling to a free vertex is less "
        "than this share of that to the aggregate; 0: only where no free one is left",
        Range{0.0, 1.0});
  visit("zeros", p.zeros,
        "stored zeros count as the weakest couplings, so that fixed unknowns join aggregates; "
        "false: they are left out of coarse levels");
}

/// How the vertices of the strength graph are grouped into aggregates.
enum class Aggregation {
  automatic,  ///< boxes where the graph is a numbered box, MIS(2) elsewhere
  structured,  ///< boxes; an error where the graph is not a numbered box
  mis2  ///< MIS(2) by hashed values (Bell, Dalton & Olson, section 3.2)
};

inline constexpr EnumName<Aggregation> aggregation_names[] = {
    {Aggregation::automatic, "auto", "boxes where the graph is a numbered box, MIS(2) elsewhere"},
    {Aggregation::structured, "structured", "boxes of about three vertices a coupled direction"},
    {Aggregation::mis2, "mis2", "distance-2 maximal independent set, hashed"}};

/// What makes the next level of one level.
enum class LevelCoarseningKind {
  same,  ///< what `Parameters::coarsening` says for every level
  smoothed_aggregation,
  plain_aggregation,  ///< the same aggregates, prolongators unsmoothed
  pairwise
};

inline constexpr EnumName<LevelCoarseningKind> level_coarsening_names[] = {
    {LevelCoarseningKind::same, "same",
     "as amg.coarsening and its parameters; nothing below counts"},
    {LevelCoarseningKind::smoothed_aggregation, "smoothed_aggregation",
     "aggregates of strong neighbours, prolongators smoothed by the matrix"},
    {LevelCoarseningKind::plain_aggregation, "plain_aggregation",
     "aggregates of strong neighbours, prolongators unsmoothed; wants cycle=k or w"},
    {LevelCoarseningKind::pairwise, "pairwise",
     "pairs along the strongest couplings (PGM), prolongators unsmoothed; wants cycle=k or w"}};

/// How one level is coarsened. What belongs to another kind than `type` is not read.
struct LevelCoarsening {
  LevelCoarseningKind type = LevelCoarseningKind::same;
  Aggregation aggregation = Aggregation::automatic;
  double strength_threshold = -1;
  double prolongator_omega = 4.0 / 3.0;
  PairwiseParameters pairwise;
};

template <class Visitor>
void describe_parameters(Visitor& visit, LevelCoarsening& p) {
  visit("type", p.type, "how the next level is made",
        EnumNames<LevelCoarseningKind>(level_coarsening_names));
  visit("aggregation", p.aggregation, "how vertices are grouped into aggregates",
        EnumNames<Aggregation>(aggregation_names));
  visit("strength_threshold", p.strength_threshold,
        "theta of this level; below 0: amg.strength_threshold, scaled as for every level",
        Range{-1.0, 1.0});
  visit("prolongator_omega", p.prolongator_omega,
        "damping of the prolongator's smoothing over the spectral radius", Range{0.0, 2.0});
  visit.section("pairwise", p.pairwise, "pairwise aggregation on this level");
}

}  // namespace tessera::amg
