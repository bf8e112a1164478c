// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix-free operator preconditioned by the multigrid of a simpler matrix: the Laplacian of
/// fourth order, which couples a point to eight others and is never assembled, under conjugate
/// gradients with Tessera's hierarchy of the assembled 5-point matrix on the same grid.
// expect: matrix-free with low-order multigrid: converged in [1-3]?[0-9] iterations
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/make_solver.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using ConstVectors = tessera::ConstMultiVectorView<double, Space>;
using Vectors = tessera::MultiVectorView<double, Space>;

/// y = alpha A x + beta b, entry by entry; `beta == 0` does not read b, which may be y.
struct ApplyFourthOrder {
  int n;
  double alpha;
  ConstVectors x;
  double beta;
  ConstVectors b;
  Vectors y;

  /// -u'' in one direction, (1, -16, 30, -16, 1) / 12, of the point at `place` of n; u = 0 outside.
  KOKKOS_FUNCTION double line(int i, int place, int stride, int j) const {
    double sum = 30 * x(i, j);
    if (place > 0) sum -= 16 * x(i - stride, j);
    if (place < n - 1) sum -= 16 * x(i + stride, j);
    if (place > 1) sum += x(i - 2 * stride, j);
    if (place < n - 2) sum += x(i + 2 * stride, j);
    return sum / 12;
  }
  KOKKOS_FUNCTION void operator()(const int i) const {
    for (int j = 0; j < static_cast<int>(y.extent(1)); ++j) {
      const double Ax = alpha == 0 ? 0.0 : alpha * (line(i, i % n, 1, j) + line(i, i / n, n, j));
      y(i, j) = beta == 0 ? Ax : Ax + beta * b(i, j);
    }
  }
};

/// The Laplacian of fourth order on n by n points.
class FourthOrder : public tessera::LinearOperator<double, Space> {
 public:
  FourthOrder(const Space& exec, int n) : m_n(n), m_workspace(exec, 1, 1) {}

  tessera::Ordinal num_rows() const override { return m_n * m_n; }
  tessera::Ordinal num_cols() const override { return num_rows(); }

  void apply(const Space& exec, double alpha, const ConstVectors& x, double beta,
             const Vectors& y) const override {
    launch(exec, {m_n, alpha, x, beta, y, y});
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    launch(exec, {m_n, -1.0, x, 1.0, b, r});
  }
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const tessera::ArrayView<double, Space>& result) const override {
    apply(exec, 1.0, x, 0.0, y);
    tessera::kernels::dot<double>(exec, m_workspace, x, y, result);
  }

 private:
  void launch(const Space& exec, const ApplyFourthOrder& functor) const {
    Kokkos::parallel_for("fourth order", Kokkos::RangePolicy<Space>(exec, 0, num_rows()), functor);
  }

  int m_n;
  tessera::kernels::ReductionWorkspace<Space> m_workspace;
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const int n = argc > 1 ? std::max(2, std::atoi(argv[1])) : 200;

  //! [solve]
  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson2d;
  gallery.n = n;
  const auto low_order = tessera::make_problem<double, Space>(exec, gallery);
  tessera::SolveParameters parameters;
  parameters.preconditioner = tessera::PreconditionerKind::amg;
  tessera::Solver<double, Space> multigrid(parameters);
  multigrid.setup(exec, low_order.A);

  const FourthOrder A(exec, n);
  tessera::MultiVector<double, Space> x("x", A.num_rows(), 1);
  // Flexible: the preconditioner may work in float.
  const auto cg = tessera::make_solver<double, Space>(
      {.name = tessera::SolverName::cg, .cg = {.flexible = true}});
  const auto result = cg->solve(exec, A, multigrid.preconditioner(), low_order.b, x);
  //! [solve]
  std::cout << "matrix-free with low-order multigrid: " << to_string(result.status) << " in "
            << result.iterations << " iterations, true relative residual "
            << result.true_relative_residual << '\n';
  return result.converged() ? 0 : 1;
}
