// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From a Matrix Market file to a file with the solution: `03_matrix_market [A.mtx [x.mtx]]`.
/// Without arguments the example first writes a matrix for itself to the current folder.
// expect: poisson2d.mtx: 10000 rows, 49600 entries, symmetric
// expect: converged in [0-9]+ iterations
#include "tessera/gallery/problem.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/solve.hpp"

#include <filesystem>
#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// Writes the lower triangle of a symmetric model problem.
void write_model_problem(const Space& exec, const std::filesystem::path& path) {
  //! [write matrix]
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson2d;
  gallery.n = 100;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);
  tessera::MatrixMarketWriteOptions options;
  options.symmetry = tessera::MatrixSymmetry::symmetric;
  options.comment = problem.description;
  tessera::write_matrix_market(exec, path, problem.A, options);
  //! [write matrix]
}

tessera::SolveResult solve_file(const Space& exec, const std::filesystem::path& matrix,
                                const std::filesystem::path& solution) {
  //! [read]
  const auto file = tessera::read_matrix_market<double>(exec, matrix);
  const tessera::Ordinal n = file.A.num_rows;
  tessera::MultiVector<double, Space> b("b", n, 1);
  if (file.rhs) {
    b = *file.rhs;  // a file with AmgX's second banner brings its own
  } else {
    Kokkos::deep_copy(exec, b, 1.0);
  }
  //! [read]
  const bool symmetric = file.header.symmetry == tessera::MatrixSymmetry::symmetric;
  std::cout << matrix.string() << ": " << n << " rows, " << file.A.num_entries() << " entries, "
            << (symmetric ? "symmetric" : "not symmetric by its header") << '\n';

  //! [write solution]
  tessera::MultiVector<double, Space> x("x", n, b.extent(1));
  tessera::Solver<double, Space> solver;
  solver.setup(exec, file.A);
  const tessera::SolveResult result = solver.solve(exec, b, x);
  tessera::write_vector(exec, solution, x);
  //! [write solution]
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const std::filesystem::path matrix = argc > 1 ? argv[1] : "poisson2d.mtx";
  const std::filesystem::path solution = argc > 2 ? argv[2] : "poisson2d_x.mtx";
  //! [errors]
  try {
    if (argc < 2) write_model_problem(exec, matrix);
    const tessera::SolveResult result = solve_file(exec, matrix, solution);
    std::cout << to_string(result.status) << " in " << result.iterations << " iterations, wrote "
              << solution.string() << '\n';
    return result.converged() ? 0 : 2;
  } catch (const tessera::Error& error) {
    std::cerr << error.what() << '\n';  // FILE:LINE: REASON where a file is malformed
    return error.kind() == tessera::ErrorKind::bad_input ? 65 : 1;
  }
  //! [errors]
}
