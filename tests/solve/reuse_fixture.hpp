// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solvers of matrices whose values change.
#pragma once

#include "support/host_values.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace tessera::test {

using amg::Reuse;

template <class Param>
class ReuseFixture : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = kernels::Csr<Scalar, Space, Offset>;
  Space exec;

  HostMatrix<Scalar> matrix(ProblemKind kind, int n, double contrast = 1000) {
    return to_host(
        make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = n, .contrast = contrast})
            .A);
  }

  /// A + t diag(1 + i mod 3): another matrix of the pattern, definite where A is.
  static HostMatrix<Scalar> shifted(HostMatrix<Scalar> A, double t) {
    return with_diagonal(std::move(A), [t](Ordinal i, Scalar& value) {
      value += static_cast<Scalar>(t * (1 + i % 3));
    });
  }

  SolveParameters parameters(Reuse reuse) {
    SolveParameters p;
    p.amg.reuse = reuse;
    p.solver.tolerance = std::is_same_v<Scalar, float> ? 1e-5 : 1e-8;
    return p;
  }

  SolveResult solve(Solver<Scalar, Space, Offset>& solver, Ordinal n) {
    return solve(solver, zeros<Scalar>(exec, n));
  }

  SolveResult solve(Solver<Scalar, Space, Offset>& solver, const MultiVector<Scalar, Space>& x) {
    const auto n = static_cast<Ordinal>(x.extent(0));
    std::vector<Scalar> b(n);
    for (Ordinal i = 0; i < n; ++i)
      b[i] = static_cast<Scalar>(std::sin(1.0 + 3.7 * i));
    return solver.solve(exec, to_multivector(exec, b, n), x);
  }

  std::vector<Scalar> preconditioned(Solver<Scalar, Space, Offset>& solver, Ordinal n) {
    return preconditioned_waves<Scalar>(exec, solver, n);
  }

  void overwrite(const Csr& A, const HostMatrix<Scalar>& values) {
    const auto mirror = Kokkos::create_mirror_view(A.values);
    std::copy(values.values.begin(), values.values.end(), mirror.data());
    Kokkos::deep_copy(exec, A.values, mirror);
    exec.fence("tessera::test");
  }
};

}  // namespace tessera::test
