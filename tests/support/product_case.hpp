// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix with vectors, on the host and on the device, and what its products may come to: what
/// the tests of every format share.
#pragma once

#include "support/bounds.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"

#include <limits>

namespace tessera::test {

template <class Scalar>
std::vector<Scalar> all_nan(std::size_t n) {
  return std::vector<Scalar>(n, std::numeric_limits<Scalar>::quiet_NaN());
}

/// The edge cases, and matrices long enough for many teams, with rows that lie in several: one is a
/// grid of 19 by 17 points and so many `planes`.
template <class Scalar>
std::vector<HostMatrix<Scalar>> many_team_matrices(int planes) {
  auto list = edge_case_matrices<Scalar>();
  list.push_back(poisson<Scalar>(19, 17, planes));
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 20, .num_cols = 4000, .density = 0.9, .empty_row_fraction = 0.3, .seed = 8}));
  list.push_back(random_matrix<Scalar>({.num_rows = 5000,
                                        .num_cols = 5000,
                                        .density = 0.0003,
                                        .empty_row_fraction = 0.9,
                                        .dense_row = 4999,
                                        .seed = 9}));
  return list;
}

/// The matrix itself is the derived case's, in its own format. The bounds are functions of the
/// place, for `is_within`, and live no longer than the case.
template <class StorageType, class WorkingType, class SpaceType>
struct ProductCase {
  using Storage = StorageType;
  using Working = WorkingType;
  using Space = SpaceType;

  Space exec;
  HostMatrix<double> host;  ///< with the values that the storage stands for
  int k;
  std::vector<Working> x_host;
  std::vector<Working> y_host;
  std::vector<Working> d_host;  ///< in place of an inverse diagonal
  std::vector<Working> p_host;  ///< a direction of Chebyshev's
  RowSums<Arithmetic<Storage, Working>, Working> sums;
  MultiVector<Working, Space> x;
  MultiVector<Working, Space> y;
  Array<Working, Space> d;

  ProductCase(HostMatrix<double> matrix, int columns)
      : host(std::move(matrix)),
        k(columns),
        x_host(random_vector<Working>(static_cast<std::size_t>(host.num_cols) * k, 11)),
        y_host(random_vector<Working>(size(), 12)),
        d_host(random_vector<Working>(host.num_rows, 13)),
        p_host(random_vector<Working>(size(), 21)),
        sums(host, x_host, k),
        x(to_multivector(exec, x_host, host.num_cols, k)),
        y(to_multivector(exec, y_host, host.num_rows, k)),
        d(to_device(exec, d_host)) {}

  std::size_t size() const { return static_cast<std::size_t>(host.num_rows) * k; }
  MultiVector<Working, Space> rows_by_k(const std::vector<Working>& v) const {
    return to_multivector(exec, v, host.num_rows, k);
  }

  /// alpha A x + beta y.
  auto spmv_bound(double alpha, double beta) const {
    return [=, this](std::size_t i) {
      return sums.update(i, alpha, {beta * static_cast<long double>(y_host[i])});
    };
  }
  /// y - A x.
  auto residual_bound() const {
    return [this](std::size_t i) { return sums.update(i, -1, {y_host[i]}); };
  }
  /// x + d .* (y - A x).
  auto jacobi_bound() const {
    return [this](std::size_t i) {
      const long double factor = d_host[i % host.num_rows];
      return sums.update(i, -factor, {x_host[i], factor * y_host[i]});
    };
  }
  /// beta p + alpha d .* (y - A x).
  auto direction_bound(double alpha, double beta) const {
    return [=, this](std::size_t i) {
      const long double factor = alpha * static_cast<long double>(d_host[i % host.num_rows]);
      return sums.update(i, -factor, {factor * y_host[i], beta * p_host[i]});
    };
  }
  /// x plus that direction.
  auto chebyshev_bound(double alpha, double beta) const {
    return [=, this](std::size_t i) {
      const long double factor = alpha * static_cast<long double>(d_host[i % host.num_rows]);
      return sums.update(i, -factor, {x_host[i], factor * y_host[i], beta * p_host[i]});
    };
  }
  /// <x, product>, column by column.
  auto dot_bound_with(const std::vector<Working>& product) const {
    return [this, product](std::size_t j) { return dot_bound<Working>(x_host, product, k, j); };
  }
  /// <residual, residual>, column by column.
  auto norm_bound_of(const std::vector<Working>& residual) const {
    return [this, residual](std::size_t j) { return dot_bound<double>(residual, residual, k, j); };
  }
};

}  // namespace tessera::test
