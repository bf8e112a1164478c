// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/coarse_solver.hpp"

#include "support/device.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <limits>

namespace tessera::test::coarse_solver_test {

TESSERA_TEST_SUITE(CoarseSolverTest, Scalars, TypeNames);

/// Rows of a dense matrix as CSR.
template <class Scalar, class Space>
kernels::Csr<Scalar, Space> from_dense(const Space& exec, int n, const std::vector<double>& a) {
  return make_csr(exec, by_rows<Scalar>(n, n, [&](auto& A, int i) {
                    for (int j = 0; j < n; ++j)
                      if (a[i * n + j] != 0) A.push(j, static_cast<Scalar>(a[i * n + j]));
                  }));
}

template <class Scalar, class Space>
std::vector<Scalar> solve(const Space& exec, const kernels::Csr<Scalar, Space>& A,
                          const std::vector<Scalar>& b, std::string& description) {
  amg::CoarseSolver<Scalar, Space> solver;
  solver.setup(exec, A.view());
  description = solver.description();
  const std::size_t n = A.num_rows;
  const auto rhs = to_multivector(exec, b, n, b.size() / n);
  const auto x = allocate_multivector<Scalar>(exec, "tessera::test", n, b.size() / n);
  Kokkos::deep_copy(exec, x, std::numeric_limits<Scalar>::quiet_NaN());
  solver.apply(exec, rhs, x);
  return to_host(x);
}

template <class Scalar>
void expect_near(const std::vector<Scalar>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 200 * std::numeric_limits<Scalar>::epsilon());
  }
}

TESSERA_TYPED_TEST(CoarseSolverTest, SolvesWhateverTheMatrixIsAndSaysHow) {
  struct Case {
    int n;
    std::vector<double> matrix;
    std::vector<Scalar> b;
    std::vector<double> x;
    const char* description;
  };
  for (const Case& c : {// A (1, 2, 3) = (2, 4, 10); A (1, 0, 0) = (4, -1, 0)
                        Case{3,
                             {4, -1, 0, -1, 4, -1, 0, -1, 4},
                             {2, 4, 10, 4, -1, 0},
                             {1, 2, 3, 1, 0, 0},
                             "cholesky"},
                        // The solution of least norm.
                        Case{3,
                             {1, -1, 0, -1, 2, -1, 0, -1, 1},
                             {-1, 0, 1},
                             {-1, 0, 1},
                             "pseudo-inverse, rank 2 of 3"},
                        Case{2, {2, 1, -1, 3}, {3, 2}, {1, 1}, "lu"},
                        Case{2, {1, 2, 2, 1}, {3, 3}, {1, 1}, "eigenvalues"},
                        Case{2, {1, 1, 2, 2}, {2, 4}, {1, 1}, "pseudo-inverse, rank 1 of 2"},
                        // An empty row gets any finite pivot.
                        Case{3, {2, 0, 0, 0, 0, 0, 0, 0, 4}, {2, 0, 4}, {1, 0, 1}, "cholesky"}}) {
    std::string description;
    const auto A = from_dense<Scalar>(exec, c.n, c.matrix);
    expect_near(solve<Scalar>(exec, A, c.b, description), c.x);
    EXPECT_EQ(description, c.description);
  }
}

TESSERA_TYPED_TEST(CoarseSolverTest, AKnownNullspaceIsLeftOutWhateverRoundOffMadeOfIt) {
  // The Laplacian of a path, but for a perturbation that makes it regular far above any cut.
  const auto A = from_dense<Scalar>(exec, 3, {1.01, -1, 0, -1, 2, -1, 0, -1, 1});
  const auto ones = to_multivector(exec, std::vector<Scalar>(6, Scalar(2)), 3, 2);
  amg::CoarseSolver<Scalar, Space> solver;
  solver.setup(exec, A.view());
  EXPECT_EQ(solver.description(), "cholesky");
  // Two of them, though one says it all.
  solver.setup(exec, A.view(), ones, {0, 1});
  EXPECT_EQ(solver.description(), "pseudo-inverse, rank 2 of 3");
  const auto x = allocate_multivector<Scalar>(exec, "tessera::test", 3, 2);
  solver.apply(exec, to_multivector(exec, std::vector<Scalar>{-1, 0, 1, 5, 5, 5}, 3, 2), x);
  const auto host = to_host(x);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(host[i], i - 1, 0.02);
    EXPECT_NEAR(host[3 + i], 0, 50 * std::numeric_limits<Scalar>::epsilon()) << "of the nullspace";
  }
}

TESSERA_TYPED_TEST(CoarseSolverTest, KnowsWhetherWhatItInvertsIsIndefinite) {
  amg::CoarseSolver<Scalar, Space> solver;
  EXPECT_FALSE(solver.is_indefinite());
  struct Case {
    const char* name;
    std::vector<double> matrix;
    bool is_indefinite;
  };
  for (const auto& c :
       {Case{"saddle", {1, 2, 2, 1}, true}, Case{"definite", {2, 1, 1, 2}, false},
        Case{"nonsymmetric", {2, 1, -1, 3}, true}, Case{"singular", {1, -1, -1, 1}, false},
        Case{"nonsymmetric, singular", {1, 1, 2, 2}, false}}) {
    solver.setup(exec, from_dense<Scalar>(exec, 2, c.matrix).view());
    EXPECT_EQ(solver.is_indefinite(), c.is_indefinite) << c.name;
  }
}

TESSERA_TYPED_TEST(CoarseSolverTest, EmptyMatrix) {
  amg::CoarseSolver<Scalar, Space> solver;
  solver.setup(exec, from_dense<Scalar>(exec, 0, {}).view());
  EXPECT_EQ(solver.description(), "empty");
}

TESSERA_TYPED_TEST(CoarseSolverTest, RefusesNotANumberAndRectangles) {
  amg::CoarseSolver<Scalar, Space> solver;
  const auto A = from_dense<Scalar>(exec, 1, {std::nan("")});
  EXPECT_THROW(solver.setup(exec, A.view()), Error);
  HostMatrix<Scalar> wide{1, 2, {0, 1}, {1}, {Scalar(1)}};
  EXPECT_THROW(solver.setup(exec, make_csr(exec, wide).view()), Error);
}

}  // namespace tessera::test::coarse_solver_test
