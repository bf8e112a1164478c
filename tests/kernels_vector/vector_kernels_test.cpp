// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The vector kernels against plain loops.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/vector/basis_ops.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera::test {
namespace {

using namespace tessera::kernels;

template <class Param>
class VectorKernels : public ::testing::Test {};
TYPED_TEST_SUITE(VectorKernels, Scalars, TypeNames);

/// Lengths around the edges of a chunk, and one of several chunks.
const std::vector<std::size_t> lengths{0, 1, 2, 3, 1023, 1024, 1025, 5000, 1024 * 1024 + 7};

template <class Scalar>
constexpr Scalar nan_of = std::numeric_limits<Scalar>::quiet_NaN();

template <class Scalar>
double plain_dot(const std::vector<Scalar>& x, const std::vector<Scalar>& y, std::size_t n,
                 std::size_t column) {
  long double sum = 0;
  for (std::size_t i = column * n; i < (column + 1) * n; ++i)
    sum += static_cast<long double>(x[i]) * y[i];
  return static_cast<double>(sum);
}

TYPED_TEST(VectorKernels, DotsOfAllLengthsAndColumns) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const std::size_t n : lengths) {
    for (const int k : {1, 2, 3}) {
      const auto x = random_vector<Scalar>(n * k, 1);
      const auto y = random_vector<Scalar>(n * k, 2);
      const auto z = random_vector<Scalar>(n * k, 3);
      const auto dx = to_multivector(exec, x, n, k);
      const auto dy = to_multivector(exec, y, n, k);
      const auto dz = to_multivector(exec, z, n, k);
      const ReductionWorkspace<Space> workspace(exec, k, 2);
      const auto result = allocate<double>(exec, "tessera::test", 2 * k);
      const auto report = allocate_report<double>(exec, "tessera::test", k);
      // Twice: a launch must leave the workspace as it found it.
      for (int round = 0; round < 2; ++round) {
        dot<Scalar, Space>(exec, workspace, dx, dy, result, report);
        auto host = to_host(result);
        for (int j = 0; j < k; ++j) {
          EXPECT_NEAR(host[j], plain_dot(x, y, n, j), 1e-11);
          EXPECT_EQ(host[j], report(j));
        }
        dot_two<Scalar, Space>(exec, workspace, dx, dy, dz, result);
        host = to_host(result);
        for (int j = 0; j < k; ++j) {
          EXPECT_NEAR(host[j], plain_dot(x, y, n, j), 1e-11);
          EXPECT_NEAR(host[k + j], plain_dot(x, z, n, j), 1e-11);
        }
        squared_norm<Scalar, Space>(exec, workspace, dx, result);
        host = to_host(result);
        for (int j = 0; j < k; ++j)
          EXPECT_NEAR(host[j], plain_dot(x, x, n, j), 1e-13 * static_cast<double>(n));
      }
    }
  }
}

TYPED_TEST(VectorKernels, DotsGiveTheSameBitsAgain) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::size_t n = 300001;
  const auto x = to_multivector(exec, random_vector<Scalar>(n * 2, 1), n, 2);
  const ReductionWorkspace<Space> workspace(exec, 2, 1);
  const auto result = allocate<double>(exec, "tessera::test", 2);
  squared_norm<Scalar, Space>(exec, workspace, x, result);
  const auto first = to_host(result);
  for (int round = 0; round < 20; ++round) {
    squared_norm<Scalar, Space>(exec, workspace, x, result);
    EXPECT_EQ(to_host(result), first);
  }
}

TYPED_TEST(VectorKernels, AxpbyReadsOnlyWhatCounts) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(2500)}) {
    const auto x = random_vector<Scalar>(n * 2, 1);
    const auto y = random_vector<Scalar>(n * 2, 2);
    const std::vector<Scalar> nans(n * 2, nan_of<Scalar>);
    const auto run = [&](Scalar alpha, const std::vector<Scalar>& from, Scalar beta,
                         const std::vector<Scalar>& to) {
      const auto target = to_multivector(exec, to, n, 2);
      axpby<Scalar, Space>(exec, alpha, to_multivector(exec, from, n, 2), beta, target);
      exec.fence("tessera::test");
      return to_host(target);
    };
    const auto both = run(2, x, 3, y);
    const auto overwritten = run(2, x, 0, nans);
    const auto scaled = run(0, nans, 3, y);
    for (std::size_t i = 0; i < n * 2; ++i) {
      EXPECT_NEAR(both[i], 2 * x[i] + 3 * y[i], 1e-6);
      EXPECT_EQ(overwritten[i], 2 * x[i]);
      EXPECT_EQ(scaled[i], 3 * y[i]);
    }
    const auto cleared = to_multivector(exec, nans, n, 2);
    scale<Scalar, Space>(exec, Scalar(0), cleared);
    EXPECT_EQ(to_host(cleared), std::vector<Scalar>(n * 2, Scalar(0)));
  }
}

TYPED_TEST(VectorKernels, CopyConvertsBothWays) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto x = random_vector<Scalar>(3000, 1);
  const auto dx = to_multivector(exec, x, 1500, 2);
  const auto narrow = allocate_multivector<float>(exec, "tessera::test", 1500, 2);
  const auto wide = allocate_multivector<double>(exec, "tessera::test", 1500, 2);
  copy<Scalar, float, Space>(exec, dx, narrow);
  copy<Scalar, double, Space>(exec, dx, wide);
  const auto narrow_host = to_host(narrow);
  const auto wide_host = to_host(wide);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(narrow_host[i], static_cast<float>(x[i]));
    EXPECT_EQ(wide_host[i], static_cast<double>(x[i]));
  }
}

TYPED_TEST(VectorKernels, MultiplyAndClear) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::size_t n = 1100;
  const auto d = random_vector<Scalar>(n, 1);
  const auto r = random_vector<Scalar>(n * 2, 2);
  const auto dd = to_device(exec, d);
  const auto dr = to_multivector(exec, r, n, 2);
  const auto z = allocate_multivector<Scalar>(exec, "tessera::test", n, 2);
  const auto second = allocate_multivector<Scalar>(exec, "tessera::test", n, 2);
  multiply_into_two<Scalar, Space>(exec, Scalar(2), dd, dr, z, second);
  const auto host = to_host(z);
  EXPECT_EQ(to_host(second), host);
  multiply<Scalar, Space>(exec, Scalar(2), dd, dr, dr);
  EXPECT_EQ(to_host(dr), host);
  for (std::size_t i = 0; i < r.size(); ++i)
    EXPECT_NEAR(host[i], 2 * d[i % n] * r[i], 1e-6);
  clear_columns<Scalar, Space>(exec, to_device(exec, std::vector<double>{3, 0}), z);
  const auto cleared = to_host(z);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(cleared[i], host[i]);
    EXPECT_EQ(cleared[n + i], Scalar(0));
  }
}

TYPED_TEST(VectorKernels, BasisProductsAndCombinations) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::size_t n = 2100;
  const int k = 2;
  for (const int count : {0, 1, 7, 8, 9, 20}) {
    const auto v = random_vector<Scalar>(n * k * count, 1);
    const auto w = random_vector<Scalar>(n * k, 2);
    const auto dv = to_multivector(exec, v, n, k * count);
    const auto dw = to_multivector(exec, w, n, k);
    const Basis<Scalar, Space> V{dv, count, k, 1};
    const ReductionWorkspace<Space> workspace(exec, basis_dot_items(count, k) + k,
                                              basis_dots_at_once);
    const auto h = allocate_multivector<double>(exec, "tessera::test", count, k);
    basis_dot<Scalar, Space>(exec, workspace, V, dw, h);
    const auto products = to_host(h);
    const auto norm = allocate<double>(exec, "tessera::test", k);
    const auto report = allocate_report<double>(exec, "tessera::test", k * (count + 1));
    basis_remove<Scalar, Space>(exec, workspace, V, h, h, dw, norm, report);
    const auto removed = to_host(dw);
    const auto norms = to_host(norm);
    for (int j = 0; j < k; ++j) {
      double squares = 0;
      for (std::size_t i = 0; i < n; ++i) {
        long double expected = w[j * n + i];
        for (int t = 0; t < count; ++t)
          expected -= products[t + j * count] * static_cast<long double>(v[(t * k + j) * n + i]);
        EXPECT_NEAR(removed[j * n + i], static_cast<double>(expected),
                    sizeof(Scalar) == 8 ? 1e-10 : 1e-3);
        squares += static_cast<double>(removed[j * n + i]) * removed[j * n + i];
      }
      EXPECT_NEAR(norms[j], squares, 1e-10 * squares);
      EXPECT_EQ(report(j * (count + 1) + count), norms[j]);
      for (int t = 0; t < count; ++t) {
        long double expected = 0;
        for (std::size_t i = 0; i < n; ++i)
          expected += static_cast<long double>(v[(t * k + j) * n + i]) * w[j * n + i];
        EXPECT_NEAR(products[t + j * count], static_cast<double>(expected), 1e-10);
        EXPECT_EQ(report(j * (count + 1) + t), 2 * products[t + j * count]);
      }
    }
    normalise<Scalar, Space>(exec, norm, dw, dw);
    squared_norm<Scalar, Space>(exec, workspace, dw, norm);
    for (const double one : to_host(norm))
      EXPECT_NEAR(one, 1, 1e-5);
  }
}

TYPED_TEST(VectorKernels, NormaliseGivesZeroForZero) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto v = to_multivector(exec, std::vector<Scalar>(10, nan_of<Scalar>), 10);
  normalise<Scalar, Space>(exec, to_device(exec, std::vector<double>{0}), v, v);
  EXPECT_EQ(to_host(v), std::vector<Scalar>(10, Scalar(0)));
}

TYPED_TEST(VectorKernels, StepsMoveActiveColumnsOnlyAndGoBack) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::size_t n = 50;
  const auto x = random_vector<Scalar>(n * 2, 1);
  auto z = random_vector<Scalar>(n * 2, 2);
  std::fill(z.begin() + n, z.end(), nan_of<Scalar>);  // the second column stands still
  const ColumnState<Space> columns(exec, 2);
  Kokkos::deep_copy(exec, columns.target, 1.0);
  start_columns<Space>(exec, columns, to_device(exec, std::vector<double>{2, 0.5}));
  const auto dx = to_multivector(exec, x, n, 2);
  const auto dz = to_multivector(exec, z, n, 2);
  const auto y = allocate_multivector<Scalar>(exec, "tessera::test", n, 2);
  step_columns<Scalar, Space>(exec, columns, 0.5, dx, dz, y);
  const auto moved = to_host(y);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(moved[i], x[i] + Scalar(0.5) * z[i], 1e-6);
    EXPECT_EQ(moved[n + i], x[n + i]);
  }
  step_back<Scalar, Space>(exec, y, to_device(exec, std::vector<double>{0.5, 0}), dz, y);
  const auto back = to_host(y);
  for (std::size_t i = 0; i < 2 * n; ++i)
    EXPECT_NEAR(back[i], x[i], 1e-6);
}

TYPED_TEST(VectorKernels, WrongShapesAreErrors) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto x = to_multivector(exec, random_vector<Scalar>(10), 10);
  const auto y = to_multivector(exec, random_vector<Scalar>(12), 12);
  const ReductionWorkspace<Space> workspace(exec, 1, 1);
  const auto result = allocate<double>(exec, "tessera::test", 1);
  EXPECT_THROW((axpby<Scalar, Space>(exec, 1, x, 1, y)), Error);
  EXPECT_THROW((dot<Scalar, Space>(exec, workspace, x, y, result)), Error);
  const auto wide = to_multivector(exec, random_vector<Scalar>(20), 10, 2);
  const auto two = allocate<double>(exec, "tessera::test", 2);
  EXPECT_THROW((squared_norm<Scalar, Space>(exec, workspace, wide, two)), Error);
}

}  // namespace
}  // namespace tessera::test
