// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is known of matrices, and what is picked for them.
#pragma once

#include "tessera/solve/select.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::test {

inline bool has(const std::vector<Selection>& picks, const std::string& setting) {
  return std::any_of(picks.begin(), picks.end(),
                     [&](const Selection& picked) { return picked.setting == setting; });
}

inline MatrixFacts facts_of_saddle_point(Ordinal rows, Ordinal zeros) {
  return {.rows = rows, .symmetric = true, .coupled_zeros = zeros, .largest_diagonal = 4};
}

/// Symmetric, of one diagonal entry.
inline MatrixFacts facts_of_grid(Ordinal rows, double diagonal = 4) {
  MatrixFacts facts{.rows = rows};
  facts.symmetric = facts.positive_diagonal = true;
  facts.smallest_diagonal = facts.largest_diagonal = diagonal;
  return facts;
}

inline MatrixFacts facts_of_positive_couplings() {
  MatrixFacts facts = facts_of_grid(10000);
  facts.positive_couplings = 0.3;
  return facts;
}

}  // namespace tessera::test
