// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products and updates of vectors that lie in memory as half, against sums in long double.
#include "tessera/kernels/spmv/half/half_products.hpp"

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/vector/half_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

namespace tessera::test {
namespace {

template <class Param>
struct HalfProducts : ::testing::Test {
  TESSERA_TEST_TYPES(Param);
};
TYPED_TEST_SUITE(HalfProducts, Spaces, TypeNames);

std::vector<Half> halves(std::size_t n, std::uint64_t seed) {
  std::vector<Half> v;
  for (const double value : random_vector<double>(n, seed))
    v.emplace_back(value);
  return v;
}

std::vector<Half> nans(std::size_t n) { return std::vector<Half>(n, Half(std::nan(""))); }

/// A number and what its parts come to in magnitude.
struct Exact {
  long double value = 0;
  long double size = 0;
  int terms = 0;

  void add(long double term) {
    value += term;
    size += std::abs(term);
    ++terms;
  }
};

/// Rounded once to half, and on the way in float.
void expect_near(Half found, const Exact& exact) {
  const long double error = std::abs(static_cast<double>(found) - exact.value);
  const long double in_float = 1.1L * (exact.terms + 4) * 0x1p-24L * exact.size;
  EXPECT_LE(error, 1.01L * unit_roundoff<Half> * std::abs(exact.value) + 0x1p-25L + in_float);
}

/// (A x)(i, j) for A's rounded entries.
Exact product(const HostMatrix<float>& A, const std::vector<Half>& x, Ordinal i, int j) {
  Exact sum;
  for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
    sum.add(static_cast<long double>(A.values[e]) *
            static_cast<float>(x[A.columns[e] + static_cast<std::size_t>(j) * A.num_cols]));
  return sum;
}

/// The matrix as `Storage` holds it.
template <class Storage>
HostMatrix<float> rounded(HostMatrix<float> A) {
  for (float& value : A.values)
    value = static_cast<float>(static_cast<Storage>(value));
  return A;
}

template <class Storage, class Space, class Offset>
kernels::Csr<Storage, Space, Offset> stored(const Space& exec,
                                            const kernels::Csr<float, Space, Offset>& A) {
  if constexpr (std::is_same_v<Storage, float>) {
    return A;
  } else {
    return kernels::convert_values<Storage>(exec, A);
  }
}

/// All verbs for the square matrix `given`, and the product for any.
template <class Storage, class Space, class Offset>
void test_products(const HostMatrix<float>& given, int k) {
  const Space exec;
  const auto A_host = rounded<Storage>(given);
  const auto A = stored<Storage>(exec, make_csr<Offset>(exec, A_host));
  const std::size_t n = A_host.num_rows;
  const std::size_t m = A_host.num_cols;
  const auto x_host = halves(m * k, 3);
  const auto b_host = halves(n * k, 5);
  const auto x = to_multivector(exec, x_host, m, k);
  const auto b = to_multivector(exec, b_host, n, k);
  for (const int threads : {1, kernels::is_host_space<Space> ? 1 : 8}) {
    const auto y = to_multivector(exec, nans(n * k), n, k);
    const auto z = to_multivector(exec, b_host, n, k);
    const auto r = to_multivector(exec, nans(n * k), n, k);
    kernels::half_spmv(exec, threads, 2.0F, A.view(), x, 0.0F, y);
    kernels::half_spmv(exec, threads, -1.0F, A.view(), x, 0.5F, z);
    kernels::half_residual(exec, threads, A.view(), b, x, r);
    const auto y_host = to_host(y);
    const auto z_host = to_host(z);
    const auto r_host = to_host(r);
    for (int j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = i + j * n;
        const auto row = static_cast<Ordinal>(i);
        Exact doubled = product(A_host, x_host, row, j);
        Exact residual{-doubled.value, doubled.size, doubled.terms};
        Exact sum = residual;
        doubled.value *= 2;
        doubled.size *= 2;
        residual.add(static_cast<float>(b_host[at]));
        sum.add(0.5L * static_cast<float>(b_host[at]));
        expect_near(y_host[at], doubled);
        expect_near(z_host[at], sum);
        expect_near(r_host[at], residual);
      }
    }
    if (n != m) continue;
    const auto d_host = random_vector<float>(n, 9);
    const auto d = to_device(exec, d_host);
    const auto x_out = to_multivector(exec, nans(n * k), n, k);
    kernels::half_jacobi_sweep(exec, threads, A.view(), d, b, x, x_out);
    const auto swept = to_host(x_out);
    const auto p = to_multivector(exec, b_host, n, k);
    const auto p_new = to_multivector(exec, nans(n * k), n, k);
    kernels::half_chebyshev_step(exec, threads, A.view(), d, 0.75F, 0.25F, b, x, p, x_out);
    const auto stepped = to_host(x_out);
    kernels::half_chebyshev_step(exec, threads, A.view(), d, 0.75F, 0.0F, b, x, p_new, x_out);
    const auto p_host = to_host(p);
    const auto p_new_host = to_host(p_new);
    for (int j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = i + j * n;
        const Exact Ax = product(A_host, x_host, static_cast<Ordinal>(i), j);
        const long double weight = d_host[i];
        const long double b_i = static_cast<float>(b_host[at]);
        const long double x_i = static_cast<float>(x_host[at]);
        Exact jacobi{weight * (b_i - Ax.value), std::abs(weight) * (Ax.size + std::abs(b_i)),
                     Ax.terms + 1};
        Exact direction{0.75L * jacobi.value, 0.75L * jacobi.size, jacobi.terms};
        expect_near(p_new_host[at], direction);
        direction.add(0.25L * b_i);
        expect_near(p_host[at], direction);
        jacobi.add(x_i);
        direction.add(x_i);
        expect_near(swept[at], jacobi);
        expect_near(stepped[at], direction);
      }
    }
  }
}

template <class Space, class Offset>
void test_storages(const HostMatrix<float>& A, int k) {
  test_products<float, Space, Offset>(A, k);
  test_products<Half, Space, Offset>(A, k);
#if TESSERA_ALL_STORAGE_SCALARS
  test_products<BFloat16, Space, Offset>(A, k);
#endif
}

TYPED_TEST(HalfProducts, AreRoundedOnce) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& A : edge_case_matrices<float>())
    test_storages<Space, std::int32_t>(A, 2);
  const auto square = random_matrix<float>(
      {.num_rows = 300, .num_cols = 300, .density = 0.05, .empty_row_fraction = 0.1, .seed = 2});
  for (const int k : {1, 5}) {
    test_storages<Space, std::int32_t>(square, k);
    test_storages<Space, std::int64_t>(square, k);
  }
}

TYPED_TEST(HalfProducts, WhatLeavesTheRangeIsAnInfinityOrZero) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto A = make_csr(exec, from_rows<float>(2, {{{0, 2.0F}}, {{1, 0.5F}}}));
  const auto x = to_multivector(exec, std::vector<Half>{Half(60000.0), Half(0x1p-24)}, 2, 1);
  const auto y = to_multivector(exec, nans(2), 2, 1);
  kernels::half_spmv(exec, 1, 1.0F, A.view(), x, 0.0F, y);
  const auto found = to_host(y);
  EXPECT_TRUE(std::isinf(static_cast<float>(found[0])));
  EXPECT_EQ(static_cast<float>(found[1]), 0.0F);
}

TYPED_TEST(HalfProducts, ShapesAreChecked) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto A = make_csr(exec, poisson<float>(4, 4));
  const auto x = to_multivector(exec, halves(16, 1), 16, 1);
  const auto y = to_multivector(exec, halves(15, 1), 15, 1);
  EXPECT_THROW(kernels::half_spmv(exec, 1, 1.0F, A.view(), x, 0.0F, y), Error);
  EXPECT_THROW(kernels::half_residual(exec, 1, A.view(), y, x, x), Error);
  const auto d = to_device(exec, std::vector<float>(15, 1));
  EXPECT_THROW(kernels::half_jacobi_sweep(exec, 1, A.view(), d, x, x, x), Error);
}

TYPED_TEST(HalfProducts, VectorUpdates) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::size_t n = 1000;
  const auto numbers = random_vector<float>(2 * n, 4);
  const auto in_float = to_multivector(exec, numbers, n, 2);
  const auto x = to_multivector(exec, nans(2 * n), n, 2);
  kernels::half_copy<Space>(exec, ConstMultiVectorView<float, Space>(in_float),
                            MultiVectorView<Half, Space>(x));
  const auto d_host = random_vector<float>(n, 6);
  const auto z = to_multivector(exec, nans(2 * n), n, 2);
  kernels::half_multiply<Space>(exec, 3.0F, to_device(exec, d_host), x, z);
  const auto product = to_host(z);
  kernels::half_add<Space>(exec, x, z);
  const auto sum = to_host(z);
  kernels::half_copy<Space>(exec, ConstMultiVectorView<Half, Space>(x),
                            MultiVectorView<float, Space>(in_float));
  const auto back = to_host(in_float);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    EXPECT_EQ(back[i], static_cast<float>(Half(numbers[i])));
    const float expected = 3.0F * d_host[i % n] * back[i];
    EXPECT_NEAR(static_cast<float>(product[i]), expected, 0x1p-10F * std::abs(expected) + 1e-7F);
    const float total = back[i] + static_cast<float>(product[i]);
    EXPECT_EQ(static_cast<float>(sum[i]), static_cast<float>(Half(total)));
  }
}

}  // namespace
}  // namespace tessera::test
