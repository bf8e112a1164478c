// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Powers of two that bring the columns of Tpetra's vectors to about the size of 1.
/// M is applied to such columns, too.
#pragma once

#include "tessera/distributed/column_powers.hpp"

#include <Tpetra_Vector.hpp>

#include <cmath>
#include <vector>

namespace tessera::tpetra {

using distributed::any_power;
using distributed::exponents_of;
using distributed::harmless_exponent;
using distributed::LocalPowers;
using distributed::wants_usual_magnitudes;

/// The same of V's columns over all processes. Collective.
template <class Vectors>
std::vector<int> exponents_of_columns(const Vectors& V) {
  std::vector<double> largest(V.getNumVectors());
  V.normInf(Teuchos::arrayViewFromVector(largest));
  return exponents_of(largest);
}

/// v_j = 2^(sign exponents[j]) v_j, rounded where that overflows or is denormal.
template <class Vectors>
void multiply_columns(Vectors& V, const std::vector<int>& exponents, int sign) {
  for (std::size_t j = 0; j < exponents.size(); ++j) {
    if (exponents[j] == 0) continue;
    const auto column = V.getVectorNonConst(j);
    // In two factors, each of which a double holds.
    const int first = sign * exponents[j] / 2;
    column->scale(std::ldexp(1.0, first));
    column->scale(std::ldexp(1.0, sign * exponents[j] - first));
  }
}

}  // namespace tessera::tpetra
