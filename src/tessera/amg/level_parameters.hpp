// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What may differ from level to level.
#pragma once

#include "tessera/core/storage_parameters.hpp"
#include "tessera/smoother/parameters.hpp"

#include <cstdint>

namespace tessera::amg {

/// The choices for one level.
struct LevelParameters {
  SmootherParameters smoother;
  StorageParameters A;  ///< how the operator is stored
  StorageParameters P;  ///< how the prolongator is stored
  StorageParameters R;  ///< how the restriction is stored
};

/// Names each member once; see core/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, LevelParameters& p) {
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
  int unknowns_per_vertex = 1;
  double spectral_radius = 0;  ///< of D^-1 A; 0 where the level is solved directly
  bool symmetric = false;
};

}  // namespace tessera::amg
