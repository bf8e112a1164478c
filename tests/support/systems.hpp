// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems, those of the gallery and others, and the iterations that they take.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace tessera::test {

/// A problem of the gallery with `n` points per side.
template <class Space>
Problem<double, Space> gallery_problem(const Space& exec, ProblemKind kind, int n) {
  return make_problem<double, Space>(exec, {.problem = kind, .n = n});
}

/// Solves with b_i = sin(1 + 3.7 i) from the guess zero.
template <class Space>
SolveResult solve_waves(const Space& exec, Solver<double, Space>& solver, Ordinal num_rows) {
  std::vector<double> b(num_rows);
  for (Ordinal i = 0; i < num_rows; ++i)
    b[i] = std::sin(1.0 + 3.7 * i);
  const auto x = to_multivector(exec, std::vector<double>(num_rows, 0), num_rows, 1);
  return solver.solve(exec, to_multivector(exec, b, num_rows, 1), x);
}

/// What the solver's preconditioner makes of r_i = cos(0.3 + 2.9 i).
template <class Scalar, class Space, class Offset>
std::vector<Scalar> preconditioned_waves(const Space& exec, Solver<Scalar, Space, Offset>& solver,
                                         Ordinal num_rows) {
  std::vector<Scalar> r(num_rows);
  for (Ordinal i = 0; i < num_rows; ++i)
    r[i] = static_cast<Scalar>(std::cos(0.3 + 2.9 * i));
  const auto z = to_multivector(exec, std::vector<Scalar>(num_rows, 0), num_rows, 1);
  solver.preconditioner()->prepare(exec, 1);
  solver.preconditioner()->apply(exec, to_multivector(exec, r, num_rows, 1), z);
  return to_host(z);
}

/// Gives the solver, which was set up with `A` on the device, eight times its values: the
/// preconditioner has to become an eighth of what it was.
template <class Scalar, class Space, class Offset>
void expect_follows_eightfold_values(const Space& exec, Solver<Scalar, Space, Offset>& solver,
                                     const kernels::Csr<Scalar, Space, Offset>& A,
                                     double tolerance) {
  const auto before = preconditioned_waves(exec, solver, A.num_rows);
  auto values = to_host(A.values);
  for (Scalar& value : values)
    value *= 8;
  Kokkos::deep_copy(exec, A.values, to_device(exec, values));
  exec.fence("tessera::test: new values");
  solver.update_values(exec);
  auto eighth = preconditioned_waves(exec, solver, A.num_rows);
  for (Scalar& value : eighth)
    value *= 8;
  EXPECT_LT(relative_difference(eighth, before), tolerance);
}

/// A symmetric matrix as a network: edges of a weight, and what ties each node to the ground.
class Network {
 public:
  explicit Network(Ordinal n) : m_ground(n, 0.0) {}

  Ordinal size() const { return static_cast<Ordinal>(m_ground.size()); }
  void tie(Ordinal i, Ordinal j, double weight) { m_edges.emplace_back(i, j, weight); }
  void ground(Ordinal i, double weight) { m_ground[i] += weight; }
  Ordinal add_node() {
    m_ground.push_back(0.0);
    return size() - 1;
  }

  /// -weight off the diagonal, the sum of all weights on it.
  HostMatrix<double> matrix() const {
    std::vector<std::vector<std::pair<Ordinal, double>>> rows(m_ground.size());
    std::vector<double> diagonal = m_ground;
    for (const auto& [i, j, weight] : m_edges) {
      rows[i].emplace_back(j, -weight);
      rows[j].emplace_back(i, -weight);
      diagonal[i] += weight;
      diagonal[j] += weight;
    }
    for (Ordinal i = 0; i < size(); ++i) {
      rows[i].emplace_back(i, diagonal[i]);
      std::sort(rows[i].begin(), rows[i].end());
    }
    return from_rows(size(), rows);
  }

 private:
  std::vector<std::tuple<Ordinal, Ordinal, double>> m_edges;
  std::vector<double> m_ground;
};

/// The weight of the face between a point and the next in direction `d`.
using FaceWeight = std::function<double(int d, Ordinal x, Ordinal y, Ordinal z)>;

/// The 5- or 7-point stencil on a box, the faces at its rim of weight 1 and tied to the ground.
inline Network grid_network(Ordinal nx, Ordinal ny, Ordinal nz, const FaceWeight& weight) {
  Network network(nx * ny * nz);
  const Ordinal extents[] = {nx, ny, nz};
  const Ordinal strides[] = {1, nx, nx * ny};
  for (Ordinal v = 0; v < network.size(); ++v) {
    const Ordinal at[] = {v % nx, v / nx % ny, v / (nx * ny)};
    for (int d = 0; d < 3; ++d) {
      if (extents[d] == 1) continue;
      if (at[d] == 0) network.ground(v, 1);
      if (at[d] + 1 == extents[d]) {
        network.ground(v, 1);
      } else {
        network.tie(v, v + strides[d], weight(d, at[0], at[1], at[2]));
      }
    }
  }
  return network;
}

/// A grid that nothing ties to the ground; `around`: periodic in each direction.
inline HostMatrix<double> floating_grid(Ordinal nx, Ordinal ny, Ordinal nz = 1,
                                        bool around = false) {
  Network network(nx * ny * nz);
  const Ordinal extents[] = {nx, ny, nz};
  const Ordinal strides[] = {1, nx, nx * ny};
  for (Ordinal v = 0; v < network.size(); ++v) {
    const Ordinal at[] = {v % nx, v / nx % ny, v / (nx * ny)};
    for (int d = 0; d < 3; ++d) {
      if (at[d] + 1 < extents[d]) {
        network.tie(v, v + strides[d], 1);
      } else if (around && extents[d] > 2) {
        network.tie(v, v - (extents[d] - 1) * strides[d], 1);
      }
    }
  }
  return network.matrix();
}

inline double unit_weight(int, Ordinal, Ordinal, Ordinal) { return 1; }

/// Hashed values in [-1, 1): every mode of the error is there, where A times a constant would leave
/// smoothed aggregation, which interpolates the constant exactly, next to nothing to do.
template <class Space>
MultiVector<double, Space> hashed_rhs(const Space& exec, Ordinal n) {
  std::vector<double> b(n);
  for (Ordinal i = 0; i < n; ++i)
    b[i] = 0x1p-31 * kernels::hash32(static_cast<std::uint32_t>(i)) - 1.0;
  return to_multivector(exec, b, n);
}

/// What solving with a hashed right-hand side to 1e-8 came to.
struct HashedSolve {
  SolveResult result;
  HierarchyInfo hierarchy;
  double setup_ms;
};

inline HashedSolve solve_hashed(const HostMatrix<double>& A, SolveParameters parameters = {}) {
  const DeviceSpace exec;
  const auto matrix = make_csr(exec, A);
  const auto b = hashed_rhs(exec, A.num_rows);
  const auto x = allocate_multivector<double>(exec, "tessera::test", A.num_rows, 1);
  Kokkos::deep_copy(exec, x, 0.0);
  parameters.solver.tolerance = 1e-8;
  // On a host factors would be picked for many of these.
  if (parameters.preconditioner == PreconditionerKind::automatic)
    parameters.preconditioner = PreconditionerKind::amg;
  Solver<double, DeviceSpace> solver(parameters);
  solver.setup(exec, matrix);
  HashedSolve solved{solver.solve(exec, b, x), solver.hierarchy(), solver.setup_ms()};
  EXPECT_EQ(to_string(solved.result.status), "converged");
  return solved;
}

}  // namespace tessera::test
