// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Calls that do not compile, each with what the compiler is to say of it: cmake/refusal_check.py.
#include "tessera/io/host_arrays.hpp"
#include "tessera/solve.hpp"

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;
using Solver = tessera::Solver<double, Space>;
using Vectors = tessera::MultiVector<double, Space>;
using tessera::kernels::Csr;

void solve(const Space& exec, Solver& solver, const Vectors& b, const Vectors& x) {
  const Kokkos::View<double*, Memory> vector;
  solver.solve(exec, vector, x);  // refused: pass tessera::as_multivector(v) for a vector
  const Kokkos::View<double**, Kokkos::LayoutRight, Memory> rows;
  solver.solve(exec, b, rows);  // refused: stored column after column, Kokkos::LayoutLeft
  const Kokkos::View<float**, Kokkos::LayoutLeft, Memory> narrow;
  solver.solve(exec, narrow, x);  // refused: have the value type of the Solver
  const Kokkos::View<const double**, Kokkos::LayoutLeft, Memory> constant;
  solver.solve(exec, b, constant);  // refused: x is written to
}

void set_up(const Space& exec, Solver& solver, const Csr<double, Space>& A) {
  const Csr<float, Space> narrow;
  solver.setup(exec, narrow);  // refused: the matrix has the value type of the Solver
  const Csr<double, Space, std::int64_t> wide;
  solver.setup(exec, wide);  // refused: the matrix has the offsets of the Solver
  const Kokkos::View<double**, Kokkos::LayoutRight, Memory> modes;
  solver.setup(exec, A, modes);  // refused: near-nullspace vectors are stored column after column
}

void from_host(const Space& exec, const long long* offsets, const int* offsets_32,
               const int* columns, const double* values, const long double* extended) {
  tessera::csr_from_host(exec, 1, 1, offsets_32, columns, extended);  // refused: double or float
  tessera::csr_from_host(exec, 1, 1, offsets, columns, values);  // refused: std::int64_t
}
