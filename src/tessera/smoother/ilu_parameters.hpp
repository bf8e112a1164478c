// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What incomplete factors and solves with them can be told.
#pragma once

#include "tessera/kernels/sptrsv/algorithm.hpp"
#include "tessera/operator/parameter_description.hpp"

namespace tessera {

enum class IluMethod { exact, fixed_point };

inline constexpr EnumName<IluMethod> ilu_method_names[] = {
    {IluMethod::exact, "exact", "each row after the rows that it needs"},
    {IluMethod::fixed_point, "fixed_point", "sweeps over all entries at once, which approach it"}};

inline constexpr EnumName<SptrsvAlgorithm> sptrsv_algorithm_names[] = {
    {SptrsvAlgorithm::automatic, "auto", "by the number of levels and their size"},
    {SptrsvAlgorithm::levels, "levels",
     "level after level, neighbouring small ones by one block of a device"},
    {SptrsvAlgorithm::counters, "counters",
     "in one launch, each row as soon as those that it needs are there"},
    {SptrsvAlgorithm::recursive, "recursive",
     "by recursive blocks: a triangle, a product with the square beside it, a triangle"}};

/// What becomes of a negative pivot below a positive diagonal entry, which a symmetric positive
/// definite matrix may have in incomplete factors, though not in whole ones.
enum class NegativePivots { automatic, keep, absolute };

inline constexpr EnumName<NegativePivots> negative_pivots_names[] = {
    {NegativePivots::automatic, "auto", "absolute with cg, else keep"},
    {NegativePivots::keep, "keep", "kept: the factors are indefinite"},
    {NegativePivots::absolute, "absolute",
     "L |D| L^T in place of L D L^T, or where there are many the factors of A and a part of its "
     "diagonal, for a symmetric matrix: positive definite"}};

/// Incomplete factors without fill, ILU(0).
struct IluParameters {
  IluMethod method = IluMethod::exact;
  int sweeps = 5;
  SptrsvAlgorithm solve = SptrsvAlgorithm::automatic;
  double shift = 1e-6;
  NegativePivots negative_pivots = NegativePivots::automatic;
};

template <class Visitor>
void describe_parameters(Visitor& visit, IluParameters& p) {
  visit("method", p.method, "how the factors are made", EnumNames<IluMethod>(ilu_method_names));
  visit("sweeps", p.sweeps, "sweeps of the fixed-point iteration (fixed_point)", Range{1, 1000});
  visit("solve", p.solve, "algorithm of the triangular solves",
        EnumNames<SptrsvAlgorithm>(sptrsv_algorithm_names));
  visit("shift", p.shift,
        "a pivot below this fraction of its row's largest entry is raised to it, with its sign; 0: "
        "a zero pivot is an error",
        Range{0.0, 1.0});
  visit("negative_pivots", p.negative_pivots, "negative pivots of positive diagonal entries",
        EnumNames<NegativePivots>(negative_pivots_names));
}

}  // namespace tessera
