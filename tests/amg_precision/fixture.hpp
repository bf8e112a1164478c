// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves of the gallery's problems in double whose preconditioners are in whatever precision.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tessera::test {

template <class Param>
class PrecisionTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = kernels::Csr<double, Space, Offset>;
  Space exec;

  Problem<double, Space, Offset> problem(ProblemKind kind, int n, double contrast = 1000) {
    return make_problem<double, Space, Offset>(exec,
                                               {.problem = kind, .n = n, .contrast = contrast});
  }

  /// Multigrid in double, of at least three levels for the sizes here.
  static SolveParameters uniform() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.amg.coarse_size = 30;
    return p;
  }

  /// Vectors in double on `boundary` levels, and in float below.
  static SolveParameters float_from(std::size_t boundary) {
    SolveParameters p = uniform();
    p.amg.levels.assign(boundary + 1, amg::uniform_choice(p.amg));
    p.amg.levels[boundary].vectors = amg::VectorScalar::float32;
    return p;
  }

  static std::vector<double> waves(std::size_t n) {
    std::vector<double> b(n);
    for (std::size_t i = 0; i < n; ++i)
      b[i] = std::sin(1.0 + 3.7 * static_cast<double>(i));
    return b;
  }

  struct Outcome {
    SolveResult result;
    HierarchyInfo info;
    SolveParameters effective;
    std::vector<double> x;
    int iterations() const { return result.iterations; }
  };

  /// The right-hand side is `waves`, each entry times that of `row_scale` where there is one.
  Outcome solve(Solver<double, Space, Offset>& solver, std::size_t n,
                const std::vector<double>& row_scale = {}) {
    const auto x = zeros<double>(exec, n);
    auto b = waves(n);
    for (std::size_t i = 0; i < row_scale.size(); ++i)
      b[i] *= row_scale[i];
    auto result = solver.solve(exec, to_multivector(exec, b, n, 1), x);
    return {result, solver.hierarchy(), solver.parameters(), to_host(x)};
  }

  Outcome solve(const Csr& A, const SolveParameters& parameters,
                const MultiVector<double, Space>& near_nullspace = {}, int block_size = 0,
                const std::vector<double>& row_scale = {}) {
    auto solver = set_up(exec, A, parameters, near_nullspace, block_size);
    return solve(solver, A.num_rows, row_scale);
  }

  Outcome solve(const Problem<double, Space, Offset>& p, const SolveParameters& parameters) {
    return solve(p.A, parameters, p.near_nullspace, p.block_size);
  }
};

/// The next wider storage of a build, where half's range does not hold a matrix.
inline constexpr const char* wider_than_half = TESSERA_ALL_STORAGE_SCALARS ? "bfloat16" : "float";

/// That a setup of values alone makes of the same values what the first setup made. On a host these
/// are the same bits. A device's products of values alone add in another order than whole ones;
/// `tolerance`, relative to the largest entry, is for what that rounding comes to.
template <class Space>
void expect_as_first(const std::vector<double>& again, const std::vector<double>& first,
                     double tolerance) {
  if constexpr (kernels::is_host_space<Space>) {
    EXPECT_EQ(again, first);
    return;
  }
  ASSERT_EQ(again.size(), first.size());
  EXPECT_LE(relative_difference(again, first), tolerance);
}

/// Whether some level's A, P or R is stored so.
inline bool any_stored_in(const HierarchyInfo& info, const std::string& scalar) {
  for (const auto& level : info.levels) {
    if (level.A.storage == scalar || level.P.storage == scalar || level.R.storage == scalar)
      return true;
  }
  return false;
}

}  // namespace tessera::test
