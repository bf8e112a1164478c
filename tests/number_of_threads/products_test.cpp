// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver asks of a CSR matrix has the same bits on any number of a host's threads, its
/// plans included.
#include "support/device.hpp"
#include "support/instances.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/format/statistics.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera::test::products_test {

using kernels::CsrSpmvAlgorithm;

/// A grid whose first and last unknowns are coupled to all: rows that lie in many shares.
template <class Scalar>
HostMatrix<Scalar> grid_with_long_rows(std::int32_t nx, std::int32_t ny) {
  const auto grid = poisson<Scalar>(nx, ny);
  const std::int32_t n = grid.num_rows;
  Random random(3);
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    if (i == 0 || i == n - 1) {
      for (std::int32_t j = 0; j < n; ++j)
        A.push(j, i == j ? Scalar(4) : static_cast<Scalar>(random.uniform(-1, 1) / n));
    } else {
      for (auto e = grid.offsets[i]; e < grid.offsets[i + 1]; ++e)
        A.push(grid.columns[e], grid.values[e] + static_cast<Scalar>(random.uniform(0, 0.1)));
    }
  });
}

template <class Param>
class Products : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using Plan = kernels::CsrSpmvPlan<Space>;

  /// Runs test(exec, A, plan, k), which returns numbers, on every instance, for matrices that get
  /// a plan of either kind.
  template <class Test>
  void on_all_threads(const char* what, const Test& test) {
    for (const auto& host : {poisson<Scalar>(71, 67), grid_with_long_rows<Scalar>(151, 141)}) {
      const bool uneven = host.offsets[1] > 256;
      for (const int k : {1, 3}) {
        std::vector<std::vector<double>> results;
        for (const Space& exec : instances<Space>()) {
          const Matrix A = make_csr<Offset>(exec, host);
          const Plan plan = kernels::analyse_spmv(exec, A.view());
          EXPECT_EQ(plan.algorithm == CsrSpmvAlgorithm::load_balanced, uneven);
          results.push_back(test(exec, A, plan, k));
        }
        expect_same_bits(results, what);
      }
    }
  }

  static MultiVector<Scalar, Space> vectors(const Space& exec, const Matrix& A, int k, int seed) {
    return to_multivector(
        exec, random_vector<Scalar>(static_cast<std::size_t>(A.num_rows) * k, seed), A.num_rows, k);
  }
  static Array<Scalar, Space> scaling(const Space& exec, const Matrix& A) {
    return to_device(exec, random_vector<Scalar>(A.num_rows, 13));
  }
  template <class... Views>
  static std::vector<double> numbers(const Views&... views) {
    std::vector<double> all;
    const auto append = [&all](const auto& v) {
      const auto host = to_host(v);
      all.insert(all.end(), host.begin(), host.end());
    };
    (append(views), ...);
    return all;
  }
};
using HostMatrices =
    ::testing::Types<Types<double, HostSpace>, Types<float, HostSpace, std::int64_t>>;
TYPED_TEST_SUITE(Products, HostMatrices, TypeNames);

TYPED_TEST(Products, PlansAreAlike) {
  this->on_all_threads("the plan", [&](const auto&, const auto&, const auto& plan, int) {
    return this->numbers(plan.first_row);
  });
}

TYPED_TEST(Products, Spmv) {
  using Scalar = typename TypeParam::Scalar;
  this->on_all_threads("A x", [&](const auto& exec, const auto& A, const auto& plan, int k) {
    const auto x = this->vectors(exec, A, k, 1);
    const auto y = this->vectors(exec, A, k, 2);
    kernels::spmv(exec, plan, Scalar(2), A.view(), x, Scalar(-0.5), y);
    return this->numbers(y);
  });
}

TYPED_TEST(Products, MixedSpmv) {
  using Scalar = typename TypeParam::Scalar;
  using Working = std::conditional_t<std::is_same_v<Scalar, double>, float, double>;
  this->on_all_threads("A x", [&](const auto& exec, const auto& A, const auto& plan, int k) {
    const std::size_t n = A.num_rows;
    const auto x = to_multivector(exec, random_vector<Working>(n * k, 1), n, k);
    const auto y = to_multivector(exec, std::vector<Working>(n * k), n, k);
    kernels::spmv(exec, plan, Working(1), A.view(), x, Working(0), y);
    const auto norm = to_device(exec, std::vector<double>(k));
    kernels::spmv_residual_norm<Working>(exec, plan, A.view(), x, x, y, norm);
    return this->numbers(y, norm);
  });
}

TYPED_TEST(Products, Residuals) {
  this->on_all_threads("b - A x", [&](const auto& exec, const auto& A, const auto& plan, int k) {
    const auto x = this->vectors(exec, A, k, 1);
    const auto b = this->vectors(exec, A, k, 2);
    const auto r = this->vectors(exec, A, k, 3);
    kernels::spmv_residual(exec, plan, A.view(), b, x, r);
    const auto again = this->vectors(exec, A, k, 3);
    const auto norm = to_device(exec, std::vector<double>(k));
    kernels::spmv_residual_norm(exec, plan, A.view(), b, x, again, norm);
    return this->numbers(r, again, norm);
  });
}

TYPED_TEST(Products, SpmvDot) {
  using Scalar = typename TypeParam::Scalar;
  this->on_all_threads("<x, A x>", [&](const auto& exec, const auto& A, const auto& plan, int k) {
    const auto x = this->vectors(exec, A, k, 1);
    const auto y = this->vectors(exec, A, k, 2);
    const auto result = to_device(exec, std::vector<Scalar>(k));
    kernels::spmv_dot(exec, plan, A.view(), x, y, result);
    return this->numbers(y, result);
  });
}

TYPED_TEST(Products, Relaxation) {
  using Scalar = typename TypeParam::Scalar;
  this->on_all_threads("relaxed", [&](const auto& exec, const auto& A, const auto& plan, int k) {
    const auto d = this->scaling(exec, A);
    const auto x = this->vectors(exec, A, k, 1);
    const auto b = this->vectors(exec, A, k, 2);
    const auto p = this->vectors(exec, A, k, 3);
    const auto jacobi = this->vectors(exec, A, k, 4);
    const auto chebyshev = this->vectors(exec, A, k, 4);
    kernels::jacobi_sweep(exec, plan, A.view(), d, b, x, jacobi);
    kernels::chebyshev_step(exec, plan, A.view(), d, Scalar(0.5), Scalar(0.25), b, x, p, chebyshev);
    return this->numbers(jacobi, p, chebyshev);
  });
}

TYPED_TEST(Products, MatricesOfMatrices) {
  this->on_all_threads("A A, A^T", [&](const auto& exec, const auto& A, const auto&, int) {
    const auto transposed = kernels::transpose(exec, A.view());
    const auto square = kernels::spgemm(exec, A.view(), A.view());
    return this->numbers(transposed.offsets, transposed.columns, transposed.values, square.offsets,
                         square.columns, square.values);
  });
}

TYPED_TEST(Products, FactsAboutTheMatrix) {
  this->on_all_threads("facts", [&](const auto& exec, const auto& A, const auto& plan, int) {
    const MatrixFacts facts = inspect(exec, A.view(), plan);
    return std::vector<double>{double(facts.symmetric), facts.smallest_diagonal,
                               facts.largest_diagonal, kernels::inf_norm(exec, A.view()),
                               kernels::row_statistics(exec, A.view()).variance};
  });
}

}  // namespace tessera::test::products_test
