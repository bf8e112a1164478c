// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves of systems of any magnitude beside the same ones of about 1.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

/// A way to solve, and for which matrices.
struct Variant {
  std::string name;
  SolveParameters parameters;
  bool symmetric_only = false;
};

inline SolveParameters parameters_of(SolverName solver, PreconditionerKind preconditioner) {
  SolveParameters p;
  p.solver.name = solver;
  p.preconditioner = preconditioner;
  p.precision = Precision::same;
  p.amg.coarse_size = 40;
  p.amg.max_dense_size = 40;
  // Enough to see whether two solves are the same, and for what converges.
  p.solver.max_iterations = 120;
  return p;
}

/// Every method with every preconditioner.
inline std::vector<Variant> methods_and_preconditioners() {
  std::vector<Variant> variants;
  for (const auto& solver : solver_names) {
    if (solver.value == SolverName::automatic) continue;
    for (const auto& kind : preconditioner_names) {
      if (kind.value == PreconditionerKind::automatic) continue;
      if (kind.value == PreconditionerKind::direct && !direct::available()) continue;
      variants.push_back({std::string(solver.name) + " with " + std::string(kind.name),
                          parameters_of(solver.value, kind.value), solver.value == SolverName::cg});
    }
  }
  return variants;
}

/// What changes how a method or multigrid computes, one thing at a time; in double.
inline std::vector<Variant> parameter_variants() {
  std::vector<Variant> variants;
  const auto add = [&](const std::string& name, SolverName solver, bool symmetric_only,
                       const std::function<void(SolveParameters&)>& set) {
    SolveParameters p = parameters_of(solver, PreconditionerKind::amg);
    set(p);
    variants.push_back({name, p, symmetric_only});
  };
  using P = SolveParameters;
  add("gmres from the left", SolverName::gmres, false,
      [](P& p) { p.solver.side = PreconditioningSide::left; });
  add("bicgstab from the left", SolverName::bicgstab, false,
      [](P& p) { p.solver.side = PreconditioningSide::left; });
  add("gmres with restarts", SolverName::gmres, false, [](P& p) { p.solver.gmres.restart = 4; });
  add("flexible cg", SolverName::cg, true, [](P& p) { p.solver.cg.flexible = true; });
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab})
    add("the true residual", name, name == SolverName::cg,
        [](P& p) { p.solver.residual = ResidualKind::true_residual; });
  add("relative to the first residual", SolverName::cg, true,
      [](P& p) { p.solver.reference = StoppingReference::initial_residual; });
  for (const auto type : {amg::CycleType::w, amg::CycleType::f, amg::CycleType::k})
    add("cycle", SolverName::fgmres, false, [type](P& p) { p.amg.cycle = type; });
  for (const auto& type : smoother_type_names)
    add("smoother " + std::string(type.name), SolverName::fgmres, false,
        [&type](P& p) { p.amg.smoother.type = type.value; });
  add("pairs", SolverName::fgmres, false,
      [](P& p) { p.amg.coarsening = amg::CoarseningKind::pairwise; });
  add("coarse and fine points", SolverName::cg, true,
      [](P& p) { p.amg.coarsening = amg::CoarseningKind::classical; });
  add("relaxed coarsest level", SolverName::fgmres, false, [](P& p) { p.amg.coarse_sweeps = 3; });
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto kind : {PreconditionerKind::none, PreconditionerKind::jacobi,
                            PreconditionerKind::ilu, PreconditionerKind::amg}) {
      add("in one kernel", name, name == SolverName::cg, [kind](P& p) {
        p.preconditioner = kind;
        p.solver.single_kernel = SingleKernel::on;
      });
    }
    for (const auto tiles : {TilePrecision::fixed, TilePrecision::dynamic})
      add("in one kernel on tiles", name, name == SolverName::cg, [tiles](P& p) {
        p.preconditioner = PreconditionerKind::jacobi;
        p.solver.single_kernel = SingleKernel::on;
        p.solver.tiles = tiles;
      });
  }
  return variants;
}

/// Preconditioners in less than double.
inline std::vector<Variant> narrow_variants() {
  std::vector<Variant> variants;
  const auto add = [&](const std::string& name, SolverName solver,
                       const std::function<void(SolveParameters&)>& set) {
    SolveParameters p = parameters_of(solver, PreconditionerKind::amg);
    set(p);
    variants.push_back({name, p, solver == SolverName::cg});
  };
  using P = SolveParameters;
  for (const auto& solver : solver_names) {
    if (solver.value == SolverName::automatic) continue;
    add(std::string(solver.name) + " with multigrid in float", solver.value,
        [](P& p) { p.precision = Precision::single; });
  }
  add("K-cycle in float", SolverName::fgmres, [](P& p) {
    p.precision = Precision::single;
    p.amg.cycle = amg::CycleType::k;
  });
  add("levels in float", SolverName::fgmres, [](P& p) {
    p.amg.levels.assign(2, amg::uniform_choice(p.amg));
    p.amg.levels[1].vectors = amg::VectorScalar::float32;
  });
  for (const auto scalar : {StorageScalar::float32, StorageScalar::half})
    add("stored in less", SolverName::fgmres, [scalar](P& p) { p.amg.storage.scalar = scalar; });
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab})
    add("in one kernel, multigrid in float", name, [](P& p) {
      p.precision = Precision::single;
      p.solver.single_kernel = SingleKernel::on;
    });
  return variants;
}

/// A system and its solves.
template <class Scalar, class Space>
class MagnitudeSystem {
 public:
  /// `nonsymmetric`: convection, else diffusion.
  MagnitudeSystem(const Space& exec, bool nonsymmetric, int points = 18) : m_exec(exec) {
    m_A =
        to_host(make_problem<Scalar, Space>(exec, {.problem = nonsymmetric ? ProblemKind::convdiff2d
                                                                           : ProblemKind::poisson2d,
                                                   .n = points})
                    .A);
  }

  Ordinal num_rows() const { return m_A.num_rows; }
  const HostMatrix<Scalar>& matrix() const { return m_A; }
  /// 2^exponent A.
  MagnitudeSystem times(int exponent) const {
    MagnitudeSystem scaled(*this);
    for (Scalar& value : scaled.m_A.values)
      value = std::ldexp(value, exponent);
    return scaled;
  }

  struct Solved {
    SolveResult result;
    std::vector<Scalar> x;
  };

  /// From the guess `x0`, zero where empty; all from setup on is new, so that no solve sees
  /// another.
  Solved solve(const SolveParameters& parameters, const std::vector<Scalar>& b,
               std::vector<Scalar> x0 = {}) const {
    const std::size_t n = m_A.num_rows;
    if (x0.empty()) x0.assign(b.size(), Scalar(0));
    const auto right = to_multivector(m_exec, b, n, b.size() / n);
    const auto x = to_multivector(m_exec, x0, n, b.size() / n);
    auto solver = set_up(m_exec, make_csr(m_exec, m_A), parameters);
    Solved solved;
    solved.result = solver.solve(m_exec, right, x);
    solved.x = to_host(x);
    return solved;
  }

  /// ||b_j - A x_j|| / ||b_j||, in long double, whose range squares of doubles do not leave.
  long double true_residual(const std::vector<Scalar>& b, const std::vector<Scalar>& x,
                            std::size_t j = 0) const {
    const std::size_t n = m_A.num_rows;
    long double residual = 0, rhs = 0;
    for (std::size_t i = 0; i < n; ++i) {
      long double r = b[j * n + i];
      rhs += r * r;
      for (auto e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e)
        r -= static_cast<long double>(m_A.values[e]) * x[j * n + m_A.columns[e]];
      residual += r * r;
    }
    return std::sqrt(residual / rhs);
  }

 private:
  Space m_exec;
  HostMatrix<Scalar> m_A;
};

template <class Scalar>
std::vector<Scalar> times_power(std::vector<Scalar> v, int exponent) {
  for (Scalar& value : v)
    value = std::ldexp(value, exponent);
  return v;
}

/// Numbers in (-1, 1), none of which is so small that a power of two makes it denormal before
/// others.
template <class Scalar>
std::vector<Scalar> bounded_below(std::size_t n, std::uint64_t seed) {
  auto v = random_vector<Scalar>(n, seed);
  for (Scalar& value : v)
    value = std::copysign(std::max(std::abs(value), Scalar(0.01)), value);
  return v;
}

/// The same solve but for the power of two.
template <class Scalar>
void expect_same_but_for_power(const SolveResult& one, const std::vector<Scalar>& x_of_one,
                               const SolveResult& other, const std::vector<Scalar>& x_of_other,
                               int exponent) {
  EXPECT_EQ(to_string(one.status), to_string(other.status));
  EXPECT_EQ(one.iterations, other.iterations);
  EXPECT_EQ(one.true_relative_residual, other.true_relative_residual);
  EXPECT_EQ(one.residual_history, other.residual_history);
  EXPECT_EQ(times_power(x_of_one, exponent), x_of_other);
}

}  // namespace tessera::test
