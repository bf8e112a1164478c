// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solver whose preconditioner is, or becomes, factors.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/solve.hpp"

#include <vector>

namespace tessera::test {

template <class Param>
class DirectSolverFixture : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Solver<Scalar, Space, Offset> solver;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  static SolveParameters by_name() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::direct;
    p.solver.tolerance = sizeof(Scalar) == 8 ? 1e-10 : 1e-5;
    return p;
  }

  SolveResult solve(int k = 1, std::uint64_t seed = 3) {
    const auto b = to_multivector(exec, random_vector<Scalar>(n * k, seed), n, k);
    return solver.solve(exec, b, to_multivector(exec, std::vector<Scalar>(n * k, Scalar(0)), n, k));
  }

  void set_up(const HostMatrix<Scalar>& A, const SolveParameters& p,
              const MultiVector<Scalar, Space>& near_nullspace = {}) {
    n = A.num_rows;
    matrix = test::make_csr<Offset>(exec, A);
    solver = Solver<Scalar, Space, Offset>(p);
    solver.setup(exec, matrix, near_nullspace);
  }

  std::size_t n = 0;
  kernels::Csr<Scalar, Space, Offset> matrix;
};

}  // namespace tessera::test
