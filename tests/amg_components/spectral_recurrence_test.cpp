// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The recurrences of Lanczos and Arnoldi on vectors of the test's own, in place of the library's.
#include "tessera/amg/spectral/spectral_recurrence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace tessera::test::spectral_recurrence_test {

constexpr std::size_t n = 3;
using Vector = std::array<double, n>;
using Matrix = std::array<Vector, n>;

double dot(const Vector& x, const Vector& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

Vector product(const Matrix& A, const Vector& x) {
  Vector y{};
  for (std::size_t i = 0; i < n; ++i)
    y[i] = dot(A[i], x);
  return y;
}

void add(double alpha, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < n; ++i)
    y[i] += alpha * x[i];
}

/// Of a matrix with unit diagonal weights, normalised in each step.
struct HostLanczos {
  Matrix A;
  Vector first;
  Vector u{}, before{}, w{};
  double norm = 0;
  double alpha = 0;
  Tridiagonal made{};

  void start() {
    u = first;
    norm = std::sqrt(dot(u, u));
  }
  bool goes_on(int) const { return norm > 1e-12; }
  void multiply(int) {
    for (double& entry : u)
      entry /= norm;
    w = product(A, u);
    alpha = dot(u, w);
  }
  void orthogonalise(int step) {
    add(-alpha, u, w);
    if (step > 0) add(-norm, before, w);
    before = u;
    u = w;
    norm = std::sqrt(dot(u, u));
    made.diagonal.push_back(alpha);
    made.squares.push_back(norm * norm);
  }
  Tridiagonal matrix() const { return made; }
};

struct HostArnoldi {
  Matrix A;
  Vector first;
  Vector w{};
  std::vector<Vector> V{};
  double norm = 0;
  bool extends = true;
  amg::HessenbergColumns columns{std::numeric_limits<double>::epsilon()};

  void start() {
    w = first;
    norm = std::sqrt(dot(w, w));
    extends = norm > 0;
  }
  bool goes_on(int) const { return extends; }
  void normalise(int) {
    V.emplace_back();
    add(1 / norm, w, V.back());
  }
  void multiply(int) { w = product(A, V.back()); }
  void orthogonalise(int) {
    std::vector<double> entries(V.size(), 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < V.size(); ++i) {
        const double c = dot(V[i], w);
        add(-c, V[i], w);
        entries[i] += c;
      }
    }
    norm = std::sqrt(dot(w, w));
    extends = columns.add(entries, norm, norm * norm);
  }
  amg::ArnoldiOutcome outcome() const { return {std::sqrt(dot(first, first)), columns.matrix()}; }
};

constexpr Matrix path{{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}};  // its radius: 2 + sqrt(2)
constexpr Matrix turn{{{0, -3, 0}, {3, 0, 0}, {0, 0, 1}}};  // of eigenvalues 3i, -3i and 1

TEST(SpectralRecurrence, AllStepsFindTheRadius) {
  const double radius = 2 + std::sqrt(2.0);
  const Vector first{1, 0.3, -0.2};
  EXPECT_NEAR(amg::radius_by_lanczos(HostLanczos{.A = path, .first = first}, 3), radius, 1e-12);
  EXPECT_NEAR(amg::radius_by_arnoldi(HostArnoldi{.A = path, .first = first}, 3), radius, 1e-12);
  EXPECT_NEAR(amg::radius_by_arnoldi(HostArnoldi{.A = turn, .first = first}, 3), 3, 1e-12);
}

TEST(SpectralRecurrence, AnInvariantSubspaceEndsIt) {
  const Vector eigenvector{1, -std::sqrt(2.0), 1};
  const double radius = 2 + std::sqrt(2.0);
  HostLanczos lanczos{.A = path, .first = eigenvector};
  EXPECT_NEAR(amg::radius_by_lanczos(lanczos, 8), radius, 1e-12);
  EXPECT_LE(lanczos.made.diagonal.size(), 3u);
  HostArnoldi arnoldi{.A = turn, .first = {1, 0, 0}};
  EXPECT_NEAR(amg::radius_by_arnoldi(arnoldi, 8), 3, 1e-12);
  EXPECT_EQ(arnoldi.V.size(), 2u);
}

TEST(SpectralRecurrence, NoStartVectorIsZeroAndANaNComesThrough) {
  EXPECT_EQ(amg::radius_by_lanczos(HostLanczos{.A = path, .first = {}}, 3), 0);
  EXPECT_EQ(amg::radius_by_arnoldi(HostArnoldi{.A = path, .first = {}}, 3), 0);
  Matrix spoilt = path;
  spoilt[1][1] = std::numeric_limits<double>::quiet_NaN();
  const Vector first{1, 1, 1};
  EXPECT_TRUE(std::isnan(amg::radius_by_lanczos(HostLanczos{.A = spoilt, .first = first}, 3)));
  EXPECT_TRUE(std::isnan(amg::radius_by_arnoldi(HostArnoldi{.A = spoilt, .first = first}, 3)));
}

}  // namespace tessera::test::spectral_recurrence_test
