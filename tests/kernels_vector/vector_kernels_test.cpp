// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The vector kernels against plain loops.
#include "support/bounds.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/vector/basis_ops.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <limits>

namespace tessera::test::vector_kernels_test {

using namespace tessera::kernels;

TESSERA_TEST_SUITE(VectorKernels, Scalars, TypeNames);

/// Lengths around the edges of a chunk, and one of several chunks.
const std::vector<std::size_t> lengths{0, 1, 2, 3, 1023, 1024, 1025, 5000, 1024 * 1024 + 7};

template <class Scalar>
constexpr Scalar nan_of = std::numeric_limits<Scalar>::quiet_NaN();

/// <u_j, v_j> for each of k columns, summed in double.
template <class Scalar>
auto dots_of(const std::vector<Scalar>& u, const std::vector<Scalar>& v, std::size_t k) {
  return [&u, &v, k](std::size_t j) { return dot_bound<double>(u, v, k, j); };
}

TESSERA_TYPED_TEST(VectorKernels, DotsOfAllLengthsAndColumns) {
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
        EXPECT_TRUE(is_within(std::vector(host.begin(), host.begin() + k), dots_of(x, y, k)));
        for (int j = 0; j < k; ++j)
          EXPECT_EQ(host[j], report(j));
        dot_two<Scalar, Space>(exec, workspace, dx, dy, dz, result);
        host = to_host(result);
        EXPECT_TRUE(is_within(std::vector(host.begin(), host.begin() + k), dots_of(x, y, k)));
        EXPECT_TRUE(is_within(std::vector(host.begin() + k, host.end()), dots_of(x, z, k)));
        squared_norm<Scalar, Space>(exec, workspace, dx, result);
        host = to_host(result);
        EXPECT_TRUE(is_within(std::vector(host.begin(), host.begin() + k), dots_of(x, x, k)));
      }
    }
  }
}

TESSERA_TYPED_TEST(VectorKernels, DotsGiveTheSameBitsAgain) {
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

TESSERA_TYPED_TEST(VectorKernels, AxpbyReadsOnlyWhatCounts) {
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
    EXPECT_TRUE(is_within(
        both, [&](std::size_t i) { return few_operations<Scalar>({2.0L * x[i], 3.0L * y[i]}); }));
    for (std::size_t i = 0; i < n * 2; ++i) {
      EXPECT_EQ(overwritten[i], 2 * x[i]);
      EXPECT_EQ(scaled[i], 3 * y[i]);
    }
    const auto cleared = to_multivector(exec, nans, n, 2);
    scale<Scalar, Space>(exec, Scalar(0), cleared);
    EXPECT_EQ(to_host(cleared), std::vector<Scalar>(n * 2, Scalar(0)));
  }
}

TESSERA_TYPED_TEST(VectorKernels, CopyConvertsBothWays) {
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

TESSERA_TYPED_TEST(VectorKernels, MultiplyAndClear) {
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
  EXPECT_TRUE(is_within(
      host, [&](std::size_t i) { return few_operations<Scalar>({2.0L * d[i % n] * r[i]}); }));
}

TESSERA_TYPED_TEST(VectorKernels, BasisProductsAndCombinations) {
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
    // Row i of the vectors of column j times that column's products, in double.
    const auto combination = [&](std::size_t place) {
      const std::size_t j = place / n;
      Bound bound{w[place]};
      double reach = std::abs(static_cast<double>(w[place]));
      for (int t = 0; t < count; ++t) {
        const long double term =
            products[t + j * count] * static_cast<long double>(v[(t * k + j) * n + place % n]);
        bound.exact -= term;
        reach += static_cast<double>(std::abs(term));
      }
      bound.error =
          higher_order * reach * ((count + 2) * unit_roundoff<double> + 2 * unit_roundoff<Scalar>);
      return bound;
    };
    EXPECT_TRUE(is_within(removed, combination));
    EXPECT_TRUE(is_within(norms, dots_of(removed, removed, k)));
    for (int j = 0; j < k; ++j) {
      EXPECT_EQ(report(j * (count + 1) + count), norms[j]);
      for (int t = 0; t < count; ++t)
        EXPECT_EQ(report(j * (count + 1) + t), 2 * products[t + j * count]);
    }
    EXPECT_TRUE(is_within(products, [&](std::size_t place) {
      const std::size_t j = place / count;
      const std::size_t t = place % count;
      const auto column = [n](const std::vector<Scalar>& all, std::size_t which) {
        return std::vector<Scalar>(all.begin() + which * n, all.begin() + (which + 1) * n);
      };
      return dot_bound<double>(column(v, t * k + j), column(w, j), 1, 0);
    }));
    normalise<Scalar, Space>(exec, norm, dw, dw);
    squared_norm<Scalar, Space>(exec, workspace, dw, norm);
    const double rounded =
        3 * unit_roundoff<Scalar> + 2 * (longest_chain(n) + 2) * unit_roundoff<double>;
    EXPECT_TRUE(is_within(to_host(norm), [&](std::size_t) { return Bound{1, 2 * rounded}; }));
  }
}

TESSERA_TYPED_TEST(VectorKernels, NormaliseGivesZeroForZero) {
  const auto v = to_multivector(exec, std::vector<Scalar>(10, nan_of<Scalar>), 10);
  normalise<Scalar, Space>(exec, to_device(exec, std::vector<double>{0}), v, v);
  EXPECT_EQ(to_host(v), std::vector<Scalar>(10, Scalar(0)));
}

TESSERA_TYPED_TEST(VectorKernels, StepsMoveActiveColumnsOnlyAndGoBack) {
  const std::size_t n = 50;
  const auto x = random_vector<Scalar>(n * 2, 1);
  auto z = random_vector<Scalar>(n * 2, 2);
  std::fill(z.begin() + n, z.end(), nan_of<Scalar>);  // the second column is left as it is
  const ColumnState<Space> columns(exec, 2);
  Kokkos::deep_copy(exec, columns.target, 1.0);
  start_columns<Space>(exec, columns, to_device(exec, std::vector<double>{2, 0.5}));
  const auto dx = to_multivector(exec, x, n, 2);
  const auto dz = to_multivector(exec, z, n, 2);
  const auto y = allocate_multivector<Scalar>(exec, "tessera::test", n, 2);
  step_columns<Scalar, Space>(exec, columns, 0.5, dx, dz, y);
  const auto moved = to_host(y);
  const auto step = [&](std::size_t i) {
    return i < n ? few_operations<Scalar>({x[i], 0.5L * z[i]}) : Bound{x[i]};
  };
  EXPECT_TRUE(is_within(moved, step));
  step_back<Scalar, Space>(exec, y, to_device(exec, std::vector<double>{0.5, 0}), dz, y);
  const auto back = to_host(y);
  EXPECT_TRUE(is_within(back, [&](std::size_t i) {
    return i < n ? few_operations<Scalar>({x[i], 0.5L * z[i], -0.5L * z[i]}) : Bound{x[i]};
  }));
}

TESSERA_TYPED_TEST(VectorKernels, WrongShapesAreErrors) {
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

}  // namespace tessera::test::vector_kernels_test
