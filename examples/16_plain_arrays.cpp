// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices from plain arrays: triplets as an assembly makes them, and compressed rows.
// expect: triplets: converged.*rows: converged
#include "tessera/io/host_arrays.hpp"
#include "tessera/solve.hpp"

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  const int n = 1000;
  tessera::MultiVector<double, Space> b("b", n, 1);
  tessera::MultiVector<double, Space> x("x", n, 1);
  Kokkos::deep_copy(exec, b, 1.0);

  //! [triplets]
  std::vector<int> rows, columns;
  std::vector<double> values;
  const auto add = [&](int i, int j, double value) {
    rows.push_back(i);
    columns.push_back(j);
    values.push_back(value);
  };
  for (int element = 0; element <= n; ++element) {  // between nodes element - 1 and element
    for (const int i : {element - 1, element}) {
      for (const int j : {element - 1, element}) {
        if (i >= 0 && i < n && j >= 0 && j < n) add(i, j, i == j ? 1.0 : -1.0);
      }
    }
  }
  const auto A = tessera::csr_from_triplets(exec, n, n, values.size(), rows.data(), columns.data(),
                                            values.data());  // sums what falls on one place
  //! [triplets]
  tessera::Solver<double, Space> solver;
  solver.setup(exec, A);
  const auto of_triplets = solver.solve(exec, b, x);
  std::cout << "triplets: " << to_string(of_triplets.status) << '\n';

  //! [rows]
  const int offsets[] = {0, 2, 5, 7};  // of 3 rows
  const int places[] = {0, 1, 0, 1, 2, 1, 2};
  const double entries[] = {2, -1, -1, 2, -1, -1, 2};
  const auto small = tessera::csr_from_host(exec, 3, 3, offsets, places, entries);
  //! [rows]
  solver.setup(exec, small);
  const auto first = std::make_pair(0, 3);
  const auto of_rows = solver.solve(exec, Kokkos::subview(b, first, Kokkos::ALL),
                                    Kokkos::subview(x, first, Kokkos::ALL));
  std::cout << "rows: " << to_string(of_rows.status) << '\n';
  return of_triplets.converged() && of_rows.converged() ? 0 : 1;
}
