// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What may differ from level to level.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/smoother/parameters.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::amg {

/// The scalar of a level's vectors, in which it works.
enum class VectorScalar {
  same,  ///< that of the level above; on the finest level the preconditioner's
  float64,
  float32
};

inline constexpr EnumName<VectorScalar> vector_scalar_names[] = {
    {VectorScalar::same, "same", "that of the level above, on the finest as precision says"},
    {VectorScalar::float64, "double", "double, where the levels above have it, too"},
    {VectorScalar::float32, "float", "float, here and on all levels below"}};

/// The choices for one level.
struct LevelParameters {
  SmootherParameters smoother;
  StorageParameters A;  ///< how the operator is stored
  StorageParameters P;  ///< how the prolongator is stored
  StorageParameters R;  ///< how the restriction is stored
  VectorScalar vectors = VectorScalar::same;
  LevelCoarsening coarsening;  ///< how the next level is made
};

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, LevelParameters& p) {
  visit("vectors", p.vectors, "the scalar of the level's vectors, and so of its arithmetic",
        EnumNames<VectorScalar>(vector_scalar_names));
  visit.section("coarsening", p.coarsening, "how the level below is made");
  visit.section("smoother", p.smoother, "relaxation on the level");
  visit.section("A", p.A, "how the level's operator is stored");
  visit.section("P", p.P, "how the prolongator from the next level is stored");
  visit.section("R", p.R, "how the restriction to the next level is stored");
}

/// What is known of a level when its choices are made.
struct LevelFacts {
  int number = 0;  ///< 0 the finest
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  int unknowns_per_node = 1;
  double spectral_radius = 0;  ///< of D^-1 A; 0 where the level is solved directly
  bool symmetric = false;
};

/// True where any level is to have vectors of a scalar of its own.
inline bool chooses_vectors(const std::vector<LevelParameters>& levels) {
  return std::any_of(levels.begin(), levels.end(), [](const LevelParameters& level) {
    return level.vectors != VectorScalar::same;
  });
}

}  // namespace tessera::amg
