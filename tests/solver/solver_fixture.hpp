// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems, operators and references of the solver tests.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/spmv/products.hpp"
#include "tessera/operator/jacobi_preconditioner.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/solver/make_solver.hpp"

namespace tessera::test {

/// A CSR matrix as an operator.
template <class Scalar, class Space>
class TestOperator : public LinearOperator<Scalar, Space> {
 public:
  using typename LinearOperator<Scalar, Space>::ConstVectors;
  using typename LinearOperator<Scalar, Space>::Vectors;

  TestOperator(const Space& exec, const HostMatrix<Scalar>& A)
      : m_A(make_csr(exec, A)), m_plan(kernels::analyse_spmv(exec, m_A.view())) {}

  Ordinal num_rows() const override { return m_A.num_rows; }
  Ordinal num_cols() const override { return m_A.num_cols; }
  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override {
    kernels::spmv(exec, m_plan, alpha, m_A.view(), x, beta, y);
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    kernels::spmv_residual(exec, m_plan, m_A.view(), b, x, r);
  }
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Scalar, Space>& result) const override {
    kernels::spmv_dot(exec, m_plan, m_A.view(), x, y, result);
  }
  auto view() const { return m_A.view(); }

 private:
  kernels::Csr<Scalar, Space> m_A;
  kernels::CsrSpmvPlan<Space> m_plan;
};

/// x of A x = b, by elimination with pivoting in long double; k columns.
template <class Scalar>
std::vector<long double> dense_solve(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                                     int k = 1) {
  const std::size_t n = A.num_rows;
  std::vector<long double> x;
  for (int j = 0; j < k; ++j) {
    const auto column = solve(to_dense(A), {b.begin() + j * n, b.begin() + (j + 1) * n});
    x.insert(x.end(), column.begin(), column.end());
  }
  return x;
}

/// Positive definite, but not symmetric.
template <class Scalar>
HostMatrix<Scalar> nonsymmetric_matrix(std::int32_t n, std::uint64_t seed = 1) {
  auto A = random_spd_matrix<Scalar>(n, 0.1, seed);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, Scalar& value) {
    if (j != i) value += j > i ? Scalar(0.3) : Scalar(-0.3);
  });
  return A;
}

template <class Scalar>
HostMatrix<Scalar> diagonal_matrix(const std::vector<Scalar>& d) {
  auto A = identity<Scalar>(static_cast<std::int32_t>(d.size()));
  A.values = d;
  return A;
}

/// ||b_j - A x_j|| for each column.
template <class Scalar>
std::vector<double> residual_norms(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                                   const std::vector<Scalar>& x, int k) {
  const auto Ax = multiply(A, x, k);
  std::vector<double> norms(k, 0);
  for (int j = 0; j < k; ++j) {
    for (std::int32_t i = 0; i < A.num_rows; ++i) {
      const std::size_t at = i + static_cast<std::size_t>(j) * A.num_rows;
      norms[j] += std::pow(static_cast<double>(b[at] - Ax[at]), 2);
    }
    norms[j] = std::sqrt(norms[j]);
  }
  return norms;
}

template <class Scalar>
bool all_finite(const std::vector<Scalar>& v) {
  return std::all_of(v.begin(), v.end(), [](Scalar value) { return std::isfinite(value); });
}

template <class Scalar>
struct Solved {
  SolveResult result;
  std::vector<Scalar> x;
};

enum class With { nothing, jacobi };

/// Solves from the guess x0 (zero where empty).
template <class Space, class Scalar>
Solved<Scalar> solve(const SolverParameters& parameters, const HostMatrix<Scalar>& A,
                     const std::vector<Scalar>& b, int k = 1, With with = With::nothing,
                     std::vector<Scalar> x0 = {}, Logger logger = {}) {
  const Space exec;
  const TestOperator<Scalar, Space> op(exec, A);
  JacobiPreconditioner<Scalar, Space> M(exec, op.view());
  if (x0.empty()) x0.assign(b.size(), Scalar(0));
  const auto b_device = to_multivector(exec, b, A.num_rows, k);
  const auto x_device = to_multivector(exec, x0, A.num_rows, k);
  const auto solver = make_solver<Scalar, Space>(parameters);
  solver->set_logger(std::move(logger));
  Solved<Scalar> solved;
  solved.result = solver->solve(exec, op, with == With::jacobi ? &M : nullptr, b_device, x_device);
  solved.x = to_host(x_device);
  return solved;
}

/// A tolerance that the scalar can meet.
template <class Scalar>
constexpr double reachable_tolerance = sizeof(Scalar) == 8 ? 1e-10 : 1e-5;

inline const std::vector<SolverName> all_solvers{SolverName::cg, SolverName::bicgstab,
                                                 SolverName::gmres, SolverName::fgmres,
                                                 SolverName::richardson};
inline const std::vector<SolverName> nonsymmetric_solvers{SolverName::bicgstab, SolverName::gmres,
                                                          SolverName::fgmres};

inline std::string name_of(SolverName name) {
  return std::string(solver_names[static_cast<std::size_t>(name)].name);
}

template <class Scalar>
void expect_near(const std::vector<Scalar>& x, const std::vector<long double>& expected,
                 double tolerance) {
  ASSERT_EQ(x.size(), expected.size());
  ASSERT_LE(relative_difference(x, expected), tolerance);
}

/// Hilbert's matrix, singular to working precision: CG's residual jumps up and down on it.
template <class Scalar>
HostMatrix<Scalar> hilbert(std::int32_t n) {
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    for (std::int32_t j = 0; j < n; ++j)
      A.push(j, Scalar(1) / Scalar(i + j + 1));
  });
}

}  // namespace tessera::test
