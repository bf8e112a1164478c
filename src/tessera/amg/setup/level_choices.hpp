// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A level's choices: what of its parameters the setup decides, and what is refused.
#pragma once

#include "tessera/amg/level_parameters.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"
#include "tessera/operator/error.hpp"

#include <string>
#include <vector>

namespace tessera::amg {

/// What the user's list chooses for the level of that number.
LevelParameters listed_choice(const Parameters& p, int number);

/// That, and what the callback makes of it.
/// @throws Error of kind `configuration` where the callback's choice cannot be had.
template <class Scalar, class Space, class Offset>
LevelParameters choices_for(const Parameters& p, const FineLevel<Scalar, Space, Offset>& fine,
                            int number, bool symmetric);

/// Whether any of a level's matrices is to be stored as its values suit.
bool has_open_storage(const LevelParameters& asked);

/// Fills in what the level's `asked` leaves open of its storage, narrow where rounding costs no
/// iterations. `b`: the level's near-nullspace.
template <class Scalar, class Space, class Offset>
void pick_storage(const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  SetupLevel<Scalar, Space, Offset>& here);

/// What is wrong with a level whose vectors are to be in double below others in float.
[[noreturn]] inline void refuse_wider_vectors(const std::string& where) {
  throw Error(ErrorKind::configuration,
              where +
                  "vectors = double below vectors in float: what was rounded above does not come "
                  "back; expected float or same");
}

/// What is wrong with vectors in double on the finest level of a hierarchy in float.
[[noreturn]] inline void refuse_double_vectors(const std::string& where) {
  throw Error(ErrorKind::configuration,
              where +
                  "vectors = double, but the preconditioner is in float from its finest level on; "
                  "with precision = same that level is in double, and float begins where vectors "
                  "say so");
}

/// Throws `Error` of kind `configuration` where a level's vectors are to be wider than others
/// above it. `is_double`: the hierarchy begins in double.
inline void check_vectors(const std::vector<LevelParameters>& levels, bool is_double) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const VectorScalar asked = levels[i].vectors;
    const std::string where = "amg.levels." + std::to_string(i) + ".";
    if (asked == VectorScalar::float32) is_double = false;
    if (asked == VectorScalar::float64 && !is_double) refuse_wider_vectors(where);
  }
}

}  // namespace tessera::amg
