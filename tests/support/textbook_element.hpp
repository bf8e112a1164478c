// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The stiffness of one element of linear elasticity, as textbooks assemble it.
#pragma once

#include "support/reference.hpp"

#include <array>

namespace tessera::test {

/// B^T C B on a rectangle or a box of these sides, integrated by 2 Gauss points per direction,
/// strains in Voigt's notation; plane strain in 2D. Bit d of a corner's number is its place along
/// axis d.
inline Dense textbook_element(int dim, long double lambda, long double mu,
                              const std::array<long double, 3>& sides = {1, 1, 1}) {
  const int corners = 1 << dim;
  const int strains = dim == 2 ? 3 : 6;
  Dense C(strains, strains);
  for (int i = 0; i < strains; ++i) {
    for (int j = 0; j < dim && i < dim; ++j)
      C(i, j) = lambda;
    C(i, i) += i < dim ? 2 * mu : mu;
  }
  const int shear[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  long double volume = 1;
  for (int d = 0; d < dim; ++d)
    volume *= sides[d];
  Dense K(corners * dim, corners * dim);
  for (int g = 0; g < corners; ++g) {
    Dense B(strains, corners * dim);
    for (int a = 0; a < corners; ++a) {
      long double grad[3];
      for (int d = 0; d < dim; ++d) {
        grad[d] = 1;
        for (int e = 0; e < dim; ++e) {
          const long double x = 0.5L + ((g >> e & 1) != 0 ? 0.5L : -0.5L) / std::sqrt(3.0L);
          const bool up = (a >> e & 1) != 0;
          grad[d] *= e == d ? (up ? 1 : -1) : (up ? x : 1 - x);
        }
        grad[d] /= sides[d];
      }
      for (int d = 0; d < dim; ++d)
        B(d, a * dim + d) = grad[d];
      for (int s = dim; s < strains; ++s) {
        const int u = shear[s - dim][0];
        const int v = shear[s - dim][1];
        B(s, a * dim + u) = grad[v];
        B(s, a * dim + v) = grad[u];
      }
    }
    const Dense term = multiply(transpose(B), multiply(C, B));
    for (std::size_t i = 0; i < K.values.size(); ++i)
      K.values[i] += volume * term.values[i] / corners;
  }
  return K;
}

}  // namespace tessera::test
