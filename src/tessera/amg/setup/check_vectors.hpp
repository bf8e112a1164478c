// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether the scalars of the levels' vectors go one way.
#pragma once

#include "tessera/amg/level_parameters.hpp"
#include "tessera/operator/error.hpp"

#include <string>
#include <vector>

namespace tessera::amg {

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
