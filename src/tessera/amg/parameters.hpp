// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Everything that a user may choose of the algebraic multigrid.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/amg/cycle/cycle_type.hpp"
#include "tessera/amg/level_parameters.hpp"
#include "tessera/operator/parameter_description.hpp"
#include "tessera/smoother/parameters.hpp"

#include <functional>
#include <vector>

namespace tessera::amg {

/// How the spectral radius of D^-1 A is estimated on every level.
enum class SpectralRadiusMethod {
  automatic,  ///< by what `Solver` finds of the matrix; in `Multigrid` alone as arnoldi
  lanczos,  ///< three vectors; A symmetric with a diagonal of one sign
  arnoldi  ///< any A; one vector per step
};

inline constexpr EnumName<SpectralRadiusMethod> spectral_radius_names[] = {
    {SpectralRadiusMethod::automatic, "auto",
     "lanczos where the matrix is symmetric with a diagonal of one sign, arnoldi elsewhere"},
    {SpectralRadiusMethod::lanczos, "lanczos", "cheap, for symmetric matrices"},
    {SpectralRadiusMethod::arnoldi, "arnoldi", "for any matrix; holds one vector per step"}};

/// What setup may take of A for granted.
enum class AssumedSymmetry {
  automatic,  ///< by two products with A
  symmetric,  ///< A = A^T: R is P^T
  general  ///< R is made from A^T, and couplings of one direction count in both
};

inline constexpr EnumName<AssumedSymmetry> assumed_symmetry_names[] = {
    {AssumedSymmetry::automatic, "auto", "symmetric where two products with A say so"},
    {AssumedSymmetry::symmetric, "symmetric", "the restriction is the prolongator's transpose"},
    {AssumedSymmetry::general, "general", "the restriction is smoothed by the matrix's transpose"}};

/// What the products that make a coarse operator R A P are made of.
enum class Products {
  automatic,  ///< tiles where they are full and pay, or a level is stored so; rows elsewhere
  csr,  ///< compressed rows on every level
  mbsr  ///< tiles on every level (AmgT paper, section IV.E)
};

inline constexpr EnumName<Products> products_names[] = {
    {Products::automatic, "auto",
     "tiles with at least 8 entries, as blocks have, where A is stored so or a GPU gains by it"},
    {Products::csr, "csr", "compressed rows; what is stored as tiles is converted afterwards"},
    {Products::mbsr, "mbsr",
     "4 by 4 tiles; the product is the stored operator, where that is mBSR"}};

/// What is kept of a hierarchy for new values of the same pattern.
enum class Reuse {
  none,  ///< nothing: the hierarchy is set up again
  symbolic,  ///< aggregates and patterns; all numbers are made again
  interpolation,  ///< those, P and R; the operators' numbers and the smoothers are made again
  hierarchy  ///< everything: the preconditioner stays that of the old values
};

inline constexpr EnumName<Reuse> reuse_names[] = {
    {Reuse::none, "none", "nothing: the hierarchy is set up again"},
    {Reuse::symbolic, "symbolic", "aggregates and patterns; all numbers are made again"},
    {Reuse::interpolation, "interpolation", "the prolongators, too; operators are made again"},
    {Reuse::hierarchy, "hierarchy", "the whole preconditioner"}};

/// Parameters of the hierarchy and of its cycle.
struct Parameters {
  CoarseningKind coarsening = CoarseningKind::automatic;
  AssumedSymmetry symmetry = AssumedSymmetry::automatic;
  SpectralRadiusMethod spectral_radius = SpectralRadiusMethod::automatic;
  int spectral_radius_steps = 8;
  int max_levels = 20;
  int coarse_size = 0;
  int max_dense_size = 2000;
  int coarse_sweeps = 0;
  double max_operator_complexity = 4.0;
  double max_coarsening_ratio = 0.85;
  Products products = Products::automatic;
  CycleType cycle = CycleType::v;
  Reuse reuse = Reuse::none;
  bool scale_restriction = true;
  bool pool_memory = true;
  bool measure_phases = false;
  bool measure_memory = false;
  SmoothedAggregationParameters smoothed_aggregation;
  PairwiseParameters pairwise;
  ClassicalParameters classical;
  ReductionParameters reduction;
  /// Those of the coarsenings that the program has registered.
  RegisteredParameters registered;
  /// Relaxation on every level, where `levels` is empty.
  SmootherParameters smoother;
  /// How operators, prolongators and restrictions are stored, where `levels` is empty.
  StorageParameters storage;
  /// Choices by level from the finest on; the last one holds for all levels below. They take the
  /// place of `smoother` and `storage` and, where they name one, of `coarsening`; `uniform_choice`
  /// is what to start an element from.
  std::vector<LevelParameters> levels;
  /// Called for each level in setup, with what the other members choose; what it returns is taken.
  std::function<LevelParameters(const LevelFacts&, const LevelParameters&)> choose_level;
};

/// What `smoother` and `storage` choose for every level.
inline LevelParameters uniform_choice(const Parameters& p) {
  return {p.smoother, p.storage, p.storage, p.storage, VectorScalar::same, {}};
}

/// What `coarsening` and the sections of the coarsenings choose for every level.
inline LevelCoarsening uniform_coarsening(const Parameters& p) {
  return {p.coarsening, p.smoothed_aggregation, p.pairwise, p.classical, p.reduction, p.registered};
}

template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("coarsening", p.coarsening, "how the next level is made", all_coarsening_names());
  visit("symmetry", p.symmetry, "whether the matrix counts as symmetric",
        EnumNames<AssumedSymmetry>(assumed_symmetry_names));
  visit("spectral_radius", p.spectral_radius,
        "how the spectral radius of D^-1 A, which scales the damping, is estimated",
        EnumNames<SpectralRadiusMethod>(spectral_radius_names));
  visit("spectral_radius_steps", p.spectral_radius_steps,
        "products with the matrix for that estimate", Range{2, 100});
  visit("max_levels", p.max_levels, "maximum number of levels", Range{1, 50});
  visit("coarse_size", p.coarse_size, "coarsen until at most this many unknowns are left; 0 picks",
        Range{0, 20000});
  visit("max_dense_size", p.max_dense_size,
        "largest coarsest level that is factored densely; a larger one is relaxed",
        Range{1, 20000});
  visit("coarse_sweeps", p.coarse_sweeps,
        "applications of the smoother to the coarsest level; 0: solve it directly, or where it is "
        "too large apply 17",
        Range{0, 1000});
  visit("max_operator_complexity", p.max_operator_complexity,
        "stop coarsening where the operators' entries would exceed this multiple of A's",
        Range{1.0, 1000.0});
  visit("max_coarsening_ratio", p.max_coarsening_ratio,
        "stop coarsening where a level keeps more than this share of its nodes", Range{0.01, 1.0});
  visit("products", p.products, "what the products R A P are made of",
        EnumNames<Products>(products_names));
  visit("cycle", p.cycle, "the cycle's shape", EnumNames<CycleType>(cycle_names));
  visit("reuse", p.reuse, "what is kept when the matrix gets new values",
        EnumNames<Reuse>(reuse_names));
  visit("scale_restriction", p.scale_restriction,
        "where a coarse operator that may be stored in half leaves its range, scale it and the "
        "restriction to it by a power of two; the cycle stays the same");
  visit("pool_memory", p.pool_memory,
        "on a GPU, reuse memory that earlier steps of the setup have freed, without "
        "synchronization; off lets a profiler see each array under its own label");
  visit("measure_phases", p.measure_phases,
        "whether setup synchronizes after each step to measure its time (the command does by "
        "default)");
  visit("measure_memory", p.measure_memory,
        "whether setup counts the memory that it allocates, by Kokkos Tools (the command does by "
        "default)");
  visit.section("smoothed_aggregation", p.smoothed_aggregation, "smoothed aggregation");
  visit.section("pairwise", p.pairwise, "pairwise aggregation");
  visit.section("classical", p.classical, "classical coarsening into coarse and fine points");
  visit.section("reduction", p.reduction, "reduction multigrid (AIRG)");
  p.registered.describe(visit);
  visit.section("storage", p.storage, "how the levels' matrices are stored");
  visit.section("smoother", p.smoother, "relaxation on every level but the coarsest");
  visit.list("levels", p.levels,
             "choices by level from the finest on, in place of amg.smoother and amg.storage; the "
             "last one holds for all levels below",
             [&p] { return uniform_choice(p); });
}

}  // namespace tessera::amg
