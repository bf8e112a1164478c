// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices for pairwise aggregation; of those in `sample_matrices` weights add up without
/// rounding.
#pragma once

#include "kernels_graph/graphs.hpp"

#include <cmath>
#include <functional>
#include <vector>

namespace tessera::test {

/// Values become multiples of 1/1024, whose sums are exact in every order.
template <class Scalar>
HostMatrix<Scalar> rounded(HostMatrix<Scalar> A) {
  for (Scalar& value : A.values)
    value = std::round(value * Scalar(1024)) / Scalar(1024);
  return A;
}

template <class Scalar>
HostMatrix<Scalar> map_values(HostMatrix<Scalar> A, const std::function<Scalar(Scalar)>& f) {
  for (Scalar& value : A.values)
    value = f(value);
  return A;
}

/// The entries on and above the diagonal.
template <class Scalar>
HostMatrix<Scalar> upper(const HostMatrix<Scalar>& A) {
  return by_rows<Scalar>(A.num_rows, A.num_cols, [&](auto& U, Ordinal i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] >= i) U.push(A.columns[e], A.values[e]);
    }
  });
}

/// A star: `leaves` nodes, each coupled to node `hub` alone, more or less strongly.
template <class Scalar>
HostMatrix<Scalar> star(Ordinal leaves, Ordinal hub) {
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(leaves + 1);
  for (Ordinal v = 0; v <= leaves; ++v) {
    const auto coupling = static_cast<Scalar>(-1 - v % 7);
    rows[v].emplace_back(v, Scalar(100));
    if (v == hub) continue;
    rows[v].emplace_back(hub, coupling);
    rows[hub].emplace_back(v, coupling);
  }
  return from_rows(leaves + 1, rows);
}

/// The Laplacian of a box whose edges have the weights `weight(x, y, d)`, d their direction.
template <class Scalar>
HostMatrix<Scalar> weighted_grid(Ordinal nx, Ordinal ny,
                                 const std::function<double(Ordinal, Ordinal, int)>& weight) {
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(static_cast<std::size_t>(nx) * ny);
  std::vector<double> diagonal(rows.size(), 0.0);
  const auto join = [&](Ordinal v, Ordinal w, double value) {
    rows[v].emplace_back(w, static_cast<Scalar>(-value));
    rows[w].emplace_back(v, static_cast<Scalar>(-value));
    diagonal[v] += value;
    diagonal[w] += value;
  };
  for (Ordinal y = 0; y < ny; ++y) {
    for (Ordinal x = 0; x < nx; ++x) {
      if (x + 1 < nx) join(x + nx * y, x + 1 + nx * y, weight(x, y, 0));
      if (y + 1 < ny) join(x + nx * y, x + nx * (y + 1), weight(x, y, 1));
    }
  }
  for (std::size_t v = 0; v < rows.size(); ++v)
    rows[v].emplace_back(static_cast<Ordinal>(v), static_cast<Scalar>(diagonal[v]));
  return from_rows(nx * ny, rows);
}

/// A with the couplings of every node that `fixed` tells set to 0, but stored.
template <class Scalar>
HostMatrix<Scalar> with_fixed(HostMatrix<Scalar> A, const std::function<bool(Ordinal)>& fixed) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
    if (j != i && (fixed(i) || fixed(j))) value = 0;
  });
  return A;
}

template <class Scalar>
std::vector<HostMatrix<Scalar>> sample_matrices() {
  std::vector<HostMatrix<Scalar>> list{{}};
  list.push_back(random_matrix<Scalar>({.num_rows = 1, .num_cols = 1, .density = 1}));
  list.push_back(random_matrix<Scalar>({.num_rows = 40, .num_cols = 40, .density = 0}));
  for (const double density : {0.004, 0.01, 0.05}) {
    list.push_back(random_matrix<Scalar>({.num_rows = 300,
                                          .num_cols = 300,
                                          .density = density,
                                          .empty_row_fraction = 0.2,
                                          .unsorted = true,
                                          .seed = 3}));
  }
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 200, .num_cols = 200, .density = 0.02, .dense_row = 71, .seed = 4}));
  list.push_back(random_spd_matrix<Scalar>(250, 0.03, 5));
  list.push_back(upper(random_spd_matrix<Scalar>(250, 0.02, 6)));
  list.push_back(poisson<Scalar>(100));
  list.push_back(poisson<Scalar>(21, 17));
  list.push_back(upper(poisson<Scalar>(9, 8, 7)));
  list.push_back(star<Scalar>(50, 20));
  list.push_back(
      with_fixed<Scalar>(poisson<Scalar>(19, 23), [](Ordinal v) { return v < 40 || v % 19 == 0; }));
  for (auto& A : list)
    A = rounded(A);
  return list;
}

}  // namespace tessera::test
