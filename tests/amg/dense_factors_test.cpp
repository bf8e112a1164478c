// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/detail/dense_factors.hpp"

#include "tessera/amg/cycle/detail/dense_inverse.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace tessera::test::dense_factors_test {

using Dense = std::vector<double>;

constexpr int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 33, 100, 255, 256, 257, 300};

double at(const Dense& a, int n, int i, int j) { return a[static_cast<std::size_t>(j) * n + i]; }

/// Hashed entries in [-1, 1), and `diagonal` more on the diagonal.
Dense random_dense(int n, double diagonal) {
  Dense a(static_cast<std::size_t>(n) * n);
  std::uint32_t state = 7;
  for (double& entry : a) {
    state = state * 1664525U + 1013904223U;
    entry = state / 2147483648.0 - 1.0;
  }
  for (int i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i) * n + i] += diagonal;
  return a;
}

Dense symmetric_part(const Dense& a, int n) {
  Dense s(a.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      s[static_cast<std::size_t>(j) * n + i] = (at(a, n, i, j) + at(a, n, j, i)) / 2;
  }
  return s;
}

/// The largest entry of A X - I, X given by its entries.
template <class Entry>
double largest_error(const Dense& A, int n, const Entry& X) {
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < n; ++k)
        sum += at(A, n, i, k) * X(k, j);
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest;
}

TEST(DenseFactors, InvertASymmetricPositiveDefiniteMatrix) {
  for (const int n : sizes) {
    const Dense A = symmetric_part(random_dense(n, n), n);
    Dense inverse = A;
    ASSERT_TRUE(amg::detail::factor_cholesky(inverse, n)) << n;
    ASSERT_TRUE(amg::detail::invert_cholesky(inverse, n)) << n;
    const auto lower = [&](int i, int j) { return at(inverse, n, std::max(i, j), std::min(i, j)); };
    EXPECT_LT(largest_error(A, n, lower), 1e-13) << n;
  }
}

TEST(DenseFactors, InvertAnyRegularMatrix) {
  for (const int n : sizes) {
    // Nothing on the diagonal: rows must be swapped.
    Dense A = random_dense(n, 0);
    for (int i = 0; n > 1 && i < n; ++i)
      A[static_cast<std::size_t>(i) * n + i] = 0;
    Dense inverse = A;
    std::vector<int> pivots;
    ASSERT_TRUE(amg::detail::factor_lu(inverse, n, pivots)) << n;
    ASSERT_TRUE(amg::detail::invert_lu(inverse, n, pivots)) << n;
    const auto entry = [&](int i, int j) { return at(inverse, n, i, j); };
    EXPECT_LT(largest_error(A, n, entry), 1e-9) << n;
  }
}

TEST(DenseFactors, SayWhereThereAreNone) {
  for (const int n : {1, 2, 9, 300}) {
    Dense indefinite = symmetric_part(random_dense(n, n), n);
    indefinite.back() = -1;
    EXPECT_FALSE(amg::detail::factor_cholesky(indefinite, n)) << n;
    Dense singular = random_dense(n, 0);
    std::fill_n(singular.begin() + n / 2 * n, n, 0.0);
    std::vector<int> pivots;
    EXPECT_FALSE(amg::detail::factor_lu(singular, n, pivots)) << n;
  }
}

using Kind = amg::detail::DenseInverseKind;

Kind kind_of_inverse(Dense a, int n) {
  const auto made = amg::detail::invert_dense(a, n, 1e-16);
  return made ? made->kind : Kind::empty;
}

/// Decisions go by the kind; the description is for people.
TEST(DenseFactors, InversesSayHowTheyWereMade) {
  const auto expect = [](Dense a, int n, Kind kind, const std::string& description) {
    const auto made = amg::detail::invert_dense(a, n, 1e-16);
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(made->kind, kind);
    EXPECT_EQ(made->description, description);
  };
  expect({}, 0, Kind::empty, "empty");
  expect({2, 1, 1, 2}, 2, Kind::cholesky, "cholesky");
  expect({1, 2, 2, 1}, 2, Kind::eigenvalues, "eigenvalues");
  expect({2, 1, -1, 3}, 2, Kind::lu, "lu");
  expect({1, -1, -1, 1}, 2, Kind::pseudo, "pseudo-inverse, rank 1 of 2");
  expect({1, 1, 2, 2}, 2, Kind::pseudo, "pseudo-inverse, rank 1 of 2");
}

/// Two coarse solvers side by side, while a third thread looks at what the whole process shares.
TEST(DenseFactors, InversesLeaveTheThreadsOfTheBlasAlone) {
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (threads == nullptr || set == nullptr) GTEST_SKIP() << "the BLAS is not OpenBLAS";
  const int before = threads();
  set(3);
  const int expected = threads();
  std::atomic<int> running{2};
  std::atomic<int> changes{0};
  const auto invert = [&] {
    for (const int n : {70, 200, 70, 200}) {
      Dense definite = symmetric_part(random_dense(n, n), n);
      EXPECT_EQ(kind_of_inverse(definite, n), Kind::cholesky);
      Dense general = random_dense(n, n);
      EXPECT_EQ(kind_of_inverse(general, n), Kind::lu);
    }
    --running;
  };
  std::thread first(invert);
  std::thread second(invert);
  while (running > 0)
    changes += threads() != expected;
  first.join();
  second.join();
  EXPECT_EQ(changes, 0);
  set(before);
}

}  // namespace tessera::test::dense_factors_test
