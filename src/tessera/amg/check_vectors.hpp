// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether the scalars of the levels' vectors go one way.
#pragma once

#include "tessera/amg/level_parameters.hpp"
#include "tessera/core/error.hpp"

#include <string>
#include <vector>

namespace tessera::amg {

/// What is wrong with a level whose vectors are to be `asked` below others in `above`.
[[noreturn]] inline void refuse_wider_vectors(const std::string& where,
                                              const char* asked = "double",
                                              const char* above = "float") {
  throw Error(ErrorKind::configuration,
              where + "vectors = " + asked + " below vectors in " + above +
                  ": what was rounded above does not come back; expected " + above + " or same");
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
  bool is_half = false;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const VectorScalar asked = levels[i].vectors;
    const std::string where = "amg.levels." + std::to_string(i) + ".";
    if (asked == VectorScalar::half) is_half = true;
    if (asked == VectorScalar::float32) {
      if (is_half) refuse_wider_vectors(where, "float", "half");
      is_double = false;
    }
    if (asked == VectorScalar::float64) {
      if (is_half) refuse_wider_vectors(where, "double", "half");
      if (!is_double) refuse_wider_vectors(where);
    }
  }
}

}  // namespace tessera::amg
