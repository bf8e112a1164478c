// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An operator without a matrix: conjugate gradients on -div(a grad u) = 1 on a square, whose
/// coefficient a rises by a factor of 1000 across it, without and with the operator's diagonal.
// expect: without a preconditioner: converged
// expect: with the inverse diagonal: converged
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solver/make_solver.hpp"

#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using ConstVectors = tessera::ConstMultiVectorView<double, Space>;
using Vectors = tessera::MultiVectorView<double, Space>;

/// n by n points in the unit square, u = 0 around them; row x + n y belongs to point (x, y).
struct Diffusion {
  int n;

  /// The coefficient between column x - 1 and column x.
  KOKKOS_FUNCTION double left(int x) const { return Kokkos::pow(1000.0, (x + 0.5) / (n + 1)); }
  /// The coefficient on column x.
  KOKKOS_FUNCTION double centre(int x) const { return Kokkos::pow(1000.0, (x + 1.0) / (n + 1)); }
  KOKKOS_FUNCTION double diagonal(int x) const { return left(x) + left(x + 1) + 2 * centre(x); }

  /// Entry i of A u_j.
  KOKKOS_FUNCTION double row(int i, const ConstVectors& u, int j) const {
    const int y = i / n;
    const int x = i - n * y;
    double sum = diagonal(x) * u(i, j);
    if (x > 0) sum -= left(x) * u(i - 1, j);
    if (x + 1 < n) sum -= left(x + 1) * u(i + 1, j);
    if (y > 0) sum -= centre(x) * u(i - n, j);
    if (y + 1 < n) sum -= centre(x) * u(i + n, j);
    return sum;
  }
};

//! [kernel]
/// y = alpha A x + beta b; `beta == 0` does not read b, which may be y.
struct ApplyDiffusion {
  Diffusion A;
  double alpha;
  ConstVectors x;
  double beta;
  ConstVectors b;
  Vectors y;

  KOKKOS_FUNCTION void operator()(const int i) const {
    for (int j = 0; j < static_cast<int>(y.extent(1)); ++j) {
      const double Ax = alpha == 0 ? 0.0 : alpha * A.row(i, x, j);
      y(i, j) = beta == 0 ? Ax : Ax + beta * b(i, j);
    }
  }
};
//! [kernel]

struct InvertDiagonal {
  Diffusion A;
  tessera::Array<double, Space> inverse;

  KOKKOS_FUNCTION void operator()(const int i) const { inverse(i) = 1.0 / A.diagonal(i % A.n); }
};

//! [operator]
class DiffusionOperator : public tessera::LinearOperator<double, Space> {
 public:
  /// For up to `columns` right-hand sides at once.
  DiffusionOperator(const Space& exec, Diffusion diffusion, int columns)
      : m_diffusion(diffusion), m_workspace(exec, columns, 1) {}

  tessera::Ordinal num_rows() const override { return m_diffusion.n * m_diffusion.n; }
  tessera::Ordinal num_cols() const override { return num_rows(); }

  void apply(const Space& exec, double alpha, const ConstVectors& x, double beta,
             const Vectors& y) const override {
    launch(exec, {m_diffusion, alpha, x, beta, y, y});
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    launch(exec, {m_diffusion, -1.0, x, 1.0, b, r});
  }
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const tessera::ArrayView<double, Space>& result) const override {
    apply(exec, 1.0, x, 0.0, y);
    tessera::kernels::dot<double>(exec, m_workspace, x, y, result);
  }

 private:
  void launch(const Space& exec, const ApplyDiffusion& functor) const {
    Kokkos::parallel_for("diffusion", Kokkos::RangePolicy<Space>(exec, 0, num_rows()), functor);
  }

  Diffusion m_diffusion;
  tessera::kernels::ReductionWorkspace<Space> m_workspace;
};
//! [operator]

//! [preconditioner]
/// z = D^-1 r with the diagonal of the operator.
class InverseDiagonal : public tessera::Preconditioner<double, Space> {
 public:
  InverseDiagonal(const Space& exec, Diffusion diffusion)
      : m_inverse(tessera::allocate<double>(exec, "inverse diagonal", diffusion.n * diffusion.n)) {
    Kokkos::parallel_for("diagonal", Kokkos::RangePolicy<Space>(exec, 0, m_inverse.extent(0)),
                         InvertDiagonal{diffusion, m_inverse});
  }

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    tessera::kernels::multiply<double>(exec, 1.0, m_inverse, r, z);
  }

 private:
  tessera::Array<double, Space> m_inverse;
};
//! [preconditioner]

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const Diffusion diffusion{100};

  //! [solve]
  const DiffusionOperator A(exec, diffusion, 1);
  InverseDiagonal jacobi(exec, diffusion);
  tessera::MultiVector<double, Space> b("b", A.num_rows(), 1);
  tessera::MultiVector<double, Space> x("x", A.num_rows(), 1);
  Kokkos::deep_copy(exec, b, 1.0);

  const auto cg = tessera::make_solver<double, Space>(
      {.name = tessera::SolverName::cg, .max_iterations = 5000});
  const auto plain = cg->solve(exec, A, nullptr, b, x);
  Kokkos::deep_copy(exec, x, 0.0);
  const auto preconditioned = cg->solve(exec, A, &jacobi, b, x);
  //! [solve]

  std::cout << "without a preconditioner: " << to_string(plain.status) << " in " << plain.iterations
            << " iterations\n"
            << "with the inverse diagonal: " << to_string(preconditioned.status) << " in "
            << preconditioned.iterations << " iterations\n";
  const bool both = plain.converged() && preconditioned.converged();
  return both && preconditioned.iterations < plain.iterations ? 0 : 1;
}
