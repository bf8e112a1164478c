// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices whose spectral radius is known, and the estimates.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/ritz_values.hpp"

#include <array>
#include <numbers>
#include <utility>
#include <vector>

namespace tessera::test::known_radii {

enum class Method { lanczos, arnoldi };

template <class Offset, Method method, class Scalar, class Space>
double radius(const Space& exec, const HostMatrix<Scalar>& A, int steps = 12,
              std::uint32_t seed = 0) {
  const auto csr = make_csr<Offset>(exec, A);
  const auto plan = kernels::analyse_spmv(exec, csr.view());
  const auto inverse = to_device(exec, inverse_diagonal_of(A));
  return method == Method::lanczos
             ? amg::spectral_radius_lanczos(exec, csr.view(), plan, inverse, steps, seed)
             : amg::spectral_radius_arnoldi(exec, csr.view(), plan, inverse, steps, seed);
}

/// The cross stencil with -`before` and -`after` beside the diagonal in each direction.
template <class Scalar>
HostMatrix<Scalar> cross(std::array<Ordinal, 3> n, double diagonal, double before, double after) {
  return by_rows<Scalar>(n[0] * n[1] * n[2], n[0] * n[1] * n[2], [&](auto& A, Ordinal row) {
    A.push(row, static_cast<Scalar>(diagonal));
    Ordinal stride = 1;
    for (const Ordinal points : n) {
      const Ordinal place = row / stride % points;
      if (place > 0) A.push(row - stride, static_cast<Scalar>(-before));
      if (place + 1 < points) A.push(row + stride, static_cast<Scalar>(-after));
      stride *= points;
    }
  });
}

/// The spectral radius of D^-1 A for `cross`: the eigenvalues of a tridiagonal Toeplitz matrix are
/// known, and those in several directions are their sums. An imaginary root makes complex pairs.
inline double cross_radius(std::array<Ordinal, 3> n, double diagonal, double before, double after) {
  double sum = 0;
  for (const Ordinal points : n) {
    if (points > 1) sum += 2 * std::cos(std::numbers::pi / (points + 1));
  }
  const double reach = sum * std::sqrt(std::abs(before * after)) / diagonal;
  return before * after >= 0 ? 1 + reach : std::hypot(1, reach);
}

/// First-order upwind differences: diffusion 1, and `peclet` the speed times the grid's width.
template <class Scalar>
HostMatrix<Scalar> upwind(std::array<Ordinal, 3> n, int dimensions, double peclet) {
  return cross<Scalar>(n, dimensions * (2 + peclet), 1 + peclet, 1);
}

inline double upwind_radius(std::array<Ordinal, 3> n, int dimensions, double peclet) {
  return cross_radius(n, dimensions * (2 + peclet), 1 + peclet, 1);
}

/// S A S with positive S over some magnitudes: D changes, the eigenvalues of D^-1 A do not.
template <class Scalar>
HostMatrix<Scalar> scaled(HostMatrix<Scalar> A, double magnitudes = 3) {
  const auto scale = [=](Ordinal k) { return Scalar(std::exp(magnitudes * std::sin(k))); };
  for_each_entry(
      A, [&](std::int32_t i, std::int32_t j, auto& value) { value *= scale(i) * scale(j); });
  return A;
}

/// By the dense eigenvalues of D^-1 A, rows of zero diagonal left out.
template <class Scalar>
double dense_radius(const HostMatrix<Scalar>& A) {
  const int n = A.num_rows;
  const auto inverse = inverse_diagonal_of(A);
  Hessenberg dense{n, std::vector<double>(static_cast<std::size_t>(n) * n, 0.0)};
  for (Ordinal i = 0; i < n; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const Ordinal j = A.columns[e];
      if (inverse[j] != 0) dense(i, j) += static_cast<double>(inverse[i]) * A.values[e];
    }
  }
  return largest_ritz_modulus(dense).value;
}

/// Points in each direction, and the directions that there are.
inline const std::vector<std::pair<std::array<Ordinal, 3>, int>> grids{
    {{150, 1, 1}, 1}, {{40, 35, 1}, 2}, {{12, 11, 13}, 3}};

}  // namespace tessera::test::known_radii
