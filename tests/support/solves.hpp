// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solvers as most tests set them up, and vectors of zeros to begin with.
#pragma once

#include "tessera/gallery/problem.hpp"
#include "tessera/solve.hpp"

#include <type_traits>

namespace tessera::test {

/// n by k.
template <class Scalar, class Space>
MultiVector<Scalar, Space> zeros(const Space& exec, std::size_t n, std::size_t k = 1) {
  const auto x = allocate_multivector<Scalar>(exec, "tessera::test", n, k);
  Kokkos::deep_copy(exec, x, Scalar(0));
  return x;
}

/// How far from its recorded value a count of iterations may be: rounding differs between machines
/// and between a host and a GPU, and moves a long solve by more than one.
inline double count_tolerance(int recorded) { return recorded > 100 ? 0.1 * recorded : 1; }

/// A solver that is set up for the matrix.
template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset> set_up(
    const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
    const SolveParameters& parameters = {},
    const std::type_identity_t<MultiVector<Scalar, Space>>& near_nullspace = {},
    int block_size = 0) {
  Solver<Scalar, Space, Offset> solver(parameters);
  solver.setup(exec, A, near_nullspace, block_size);
  return solver;
}

/// The same for a problem with its near-nullspace and its blocks.
template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset> set_up(const Space& exec, const Problem<Scalar, Space, Offset>& p,
                                     const SolveParameters& parameters = {}) {
  return set_up(exec, p.A, parameters, p.near_nullspace, p.block_size);
}

}  // namespace tessera::test
