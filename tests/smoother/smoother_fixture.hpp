// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A smoother on vectors of the host, and the formulas that it is compared with.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/smoother/make_smoother.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace tessera::test {

/// The library's own.
inline const std::vector<SmootherType> all_smoothers = [] {
  std::vector<SmootherType> types;
  for (const auto& known : smoother_type_names)
    if (known.value != SmootherType::automatic) types.push_back(known.value);
  return types;
}();

template <class Scalar>
constexpr double rounding = 200 * std::numeric_limits<Scalar>::epsilon();

/// A smoother with its matrix, on vectors of the host.
template <class Scalar, class Space, class Offset>
class Bench {
 public:
  Bench(const HostMatrix<Scalar>& A, const SmootherParameters& p, double rho)
      : Bench(1, A, p, rho) {}
  /// On nodes of so many rows.
  Bench(int block_size, const HostMatrix<Scalar>& A, const SmootherParameters& p, double rho)
      : m_n(A.num_rows),
        m_A(std::make_shared<StoredCsr<Scalar, Space, Offset>>(m_exec,
                                                               make_csr<Offset>(m_exec, A))),
        m_smoother(make_smoother<Scalar, Space>(
            m_exec, p, m_A, m_A->view(),
            Array<const Scalar, Space>(kernels::inverse_diagonal(m_exec, m_A->view())), rho,
            block_size)) {}
  /// Of a level whose products read `op`, beside A's entries in rows.
  Bench(std::shared_ptr<const SparseOperator<Scalar, Space>> op, const HostMatrix<Scalar>& A,
        const SmootherParameters& p, double rho, int block_size = 1)
      : m_n(A.num_rows),
        m_A(std::make_shared<StoredCsr<Scalar, Space, Offset>>(m_exec,
                                                               make_csr<Offset>(m_exec, A))),
        m_smoother(make_smoother<Scalar, Space>(
            m_exec, p, op, m_A->view(),
            Array<const Scalar, Space>(kernels::inverse_diagonal(m_exec, m_A->view())), rho,
            block_size)) {}
  /// Of the points that `p` names; `coarse_number` is below 0 for fine ones.
  Bench(const HostMatrix<Scalar>& A, const SmootherParameters& p, double rho,
        const std::vector<Ordinal>& coarse_number)
      : m_n(A.num_rows),
        m_A(std::make_shared<StoredCsr<Scalar, Space, Offset>>(m_exec,
                                                               make_csr<Offset>(m_exec, A))),
        m_smoother(make_points_smoother<Scalar, Space, Offset>(
            m_exec, p, m_A->view(),
            Array<const Scalar, Space>(kernels::inverse_diagonal(m_exec, m_A->view())), rho,
            to_device(m_exec, coarse_number))) {}

  std::vector<Scalar> from_zero(const std::vector<Scalar>& b, int k = 1) {
    // NaN in the output must not matter.
    const auto x = poisoned(k);
    m_smoother->prepare(m_exec, k);
    m_smoother->apply(m_exec, to_multivector(m_exec, b, m_n, k), x);
    return to_host(x);
  }
  std::vector<Scalar> from(const std::vector<Scalar>& guess, const std::vector<Scalar>& b,
                           int k = 1) {
    return relaxed(guess, b, k, false);
  }
  /// By the sweeps after the coarse correction.
  std::vector<Scalar> from_after(const std::vector<Scalar>& guess, const std::vector<Scalar>& b,
                                 int k = 1) {
    return relaxed(guess, b, k, true);
  }
  bool relaxes_one_way() const { return m_smoother->relaxes_one_way(); }
  std::string note() const { return m_smoother->note(); }
  /// Column after column of the matrix that maps b to the iterate from zero; of sweeps that run one
  /// way, with those the other way.
  Dense as_matrix() {
    Dense M(m_n, m_n);
    for (int j = 0; j < m_n; ++j) {
      std::vector<Scalar> e(m_n, Scalar(0));
      e[j] = 1;
      auto column = from_zero(e);
      if (relaxes_one_way()) column = from_after(column, e);
      for (int i = 0; i < m_n; ++i)
        M(i, j) = column[i];
    }
    return M;
  }

 private:
  std::vector<Scalar> relaxed(const std::vector<Scalar>& guess, const std::vector<Scalar>& b, int k,
                              bool after) {
    m_smoother->prepare(m_exec, k);
    const auto x_in = to_multivector(m_exec, guess, m_n, k);
    const auto x = m_smoother->works_in_place() ? x_in : poisoned(k);
    const auto rhs = to_multivector(m_exec, b, m_n, k);
    if (after) {
      m_smoother->smooth_after(m_exec, rhs, x_in, x);
    } else {
      m_smoother->smooth(m_exec, rhs, x_in, x);
    }
    if (!m_smoother->works_in_place()) {
      EXPECT_EQ(to_host(x_in), guess);
    }
    return to_host(x);
  }
  MultiVector<Scalar, Space> poisoned(int k) {
    return to_multivector(m_exec,
                          std::vector<Scalar>(static_cast<std::size_t>(m_n) * k,
                                              std::numeric_limits<Scalar>::quiet_NaN()),
                          m_n, k);
  }

  Space m_exec;
  int m_n;
  std::shared_ptr<const StoredCsr<Scalar, Space, Offset>> m_A;
  std::unique_ptr<Smoother<Scalar, Space>> m_smoother;
};

template <class Scalar>
long double entry(const HostMatrix<Scalar>& A, int i, int j) {
  long double sum = 0;
  for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
    if (A.columns[e] == j) sum += A.values[e];
  }
  return sum;
}

/// The weights of each diagonal smoother by their definitions.
template <class Scalar>
std::vector<long double> expected_weights(const HostMatrix<Scalar>& A, SmootherType type,
                                          double omega, double rho) {
  std::vector<long double> d(A.num_rows, 0);
  for (int i = 0; i < A.num_rows; ++i) {
    const long double diagonal = entry(A, i, i);
    long double magnitudes = 0;
    long double squares = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      magnitudes += std::abs(A.values[e]);
      squares += static_cast<long double>(A.values[e]) * A.values[e];
    }
    if (diagonal == 0) continue;
    if (type == SmootherType::jacobi) d[i] = omega / (rho * diagonal);
    if (type == SmootherType::l1_jacobi) d[i] = std::copysign(1 / magnitudes, diagonal);
    if (type == SmootherType::spai0) {
      const long double most = 2 / magnitudes;
      d[i] = std::clamp(diagonal / squares, -most, most);
    }
  }
  return d;
}

/// x + d .* (b - A x).
template <class Scalar>
void reference_sweep(const HostMatrix<Scalar>& A, const std::vector<long double>& d,
                     const std::vector<Scalar>& b, std::vector<long double>& x) {
  std::vector<long double> r(b.begin(), b.end());
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    r[i] -= static_cast<long double>(value) * x[j];
  });
  for (int i = 0; i < A.num_rows; ++i)
    x[i] += d[i] * r[i];
}

template <class Scalar>
void expect_close(const std::vector<Scalar>& x, const std::vector<long double>& expected) {
  long double scale = 1;
  for (const long double value : expected)
    scale = std::max(scale, std::abs(value));
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(x[i], static_cast<double>(expected[i]),
                rounding<Scalar> * static_cast<double>(scale))
        << "at " << i;
}

/// That M, of n rows, is symmetric up to the rounding of `Scalar`, and positive definite.
template <class Scalar>
void expect_symmetric_and_definite(Dense M, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      ASSERT_NEAR(static_cast<double>(M(i, j) - M(j, i)), 0, rounding<Scalar>);
  // Elimination without pivoting: positive pivots mean positive definite.
  for (int c = 0; c < n; ++c) {
    ASSERT_GT(M(c, c), 0);
    for (int i = c + 1; i < n; ++i) {
      const long double factor = M(i, c) / M(c, c);
      for (int j = c; j < n; ++j)
        M(i, j) -= factor * M(c, j);
    }
  }
}

/// That the sweeps after a coarse correction are the adjoint of those before it, so that conjugate
/// gradients have a symmetric cycle: by so many pairs of random vectors of length n.
template <class Scalar, class Space, class Offset>
void expect_adjoint(Bench<Scalar, Space, Offset>& bench, int n, int pairs) {
  const std::vector<Scalar> zero(n, Scalar(0));
  for (int i = 0; i < pairs; ++i) {
    const auto x = random_vector<Scalar>(n, 10 + i), y = random_vector<Scalar>(n, 30 + i);
    const auto Mx = bench.from_zero(x);
    const auto My = bench.from_after(zero, y);
    const double left = std::inner_product(Mx.begin(), Mx.end(), y.begin(), 0.0);
    const double right = std::inner_product(x.begin(), x.end(), My.begin(), 0.0);
    ASSERT_NEAR(left, right, rounding<Scalar> * 5);
  }
}

}  // namespace tessera::test
