// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Discontinuous elements of convection and diffusion on tetrahedra: that their matrix is right,
/// what the defaults take, and what a device takes in place of incomplete factors.
#include "solve/matrix_facts.hpp"
#include "support/discontinuous_tetrahedra.hpp"
#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <cmath>
#include <string>

namespace tessera::test::discontinuous_elements_test {

using Space = DeviceSpace;

/// (0.3 + x + y / 2 - z / 4)^order is a solution of what its derivatives ask for, to round-off.
TEST(DiscontinuousElements, PolynomialsOfTheirOrderAreReproduced) {
  for (const int order : {1, 2, 3}) {
    SCOPED_TRACE(::testing::Message() << "order " << order);
    const double speed = 3, diffusion = 2;
    const DiscontinuousTetrahedra elements(2, order, speed, diffusion);
    const Point3 along{1, 0.5, -0.25};
    const auto power = [&](const Point3& x, int exponent) {
      return exponent < 0 ? 0 : std::pow(0.3 + dot(along, x), exponent);
    };
    const auto solution = [&](const Point3& x) { return power(x, order); };
    const auto source = [&](const Point3& x) {
      return order * speed * dot({1, 0.6, 0.3}, along) * power(x, order - 1) -
             diffusion * order * (order - 1) * dot(along, along) * power(x, order - 2);
    };
    const auto b = elements.load(source, solution);
    std::vector<double> u;
    for (const auto& cell : elements.mesh.cells)
      for (int k = 0; k < elements.basis.count(); ++k)
        u.push_back(solution(elements.mesh.place(cell, elements.basis.node(k))));
    const auto A = elements.matrix();
    std::vector<double> product(b.size()), size(b.size());
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, double value) {
      product[i] += value * u[j];
      size[i] += std::abs(value * u[j]);
    });
    for (std::size_t i = 0; i < b.size(); ++i)
      ASSERT_NEAR(product[i], b[i], 1e-12 * size[i]) << "row " << i;
  }
}

TEST(DiscontinuousElements, CellsFillTheCube) {
  double volume = 0;
  int rim = 0;
  const Tetrahedra mesh(3);
  for (const auto& cell : mesh.cells) {
    volume += cell.volume;
    rim += static_cast<int>(std::ranges::count(cell.beyond, -1));
  }
  EXPECT_NEAR(volume, 27, 1e-12);
  EXPECT_EQ(rim, 6 * 9 * 2);
}

constexpr bool on_host = kernels::is_host_space<Space>;

struct Outcome {
  SolveResult result;
  SolveParameters picked;
};

Outcome solve(const HostMatrix<double>& A, const SolveParameters& parameters = {}) {
  const Space exec;
  auto solver = set_up(exec, make_csr(exec, A), parameters);
  const auto x = zeros<double>(exec, A.num_rows);
  auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  return {std::move(result), solver.parameters()};
}

TEST(DiscontinuousElements, OnTetrahedraTheDefaultsConvergeSoon) {
  for (const int order : {1, 2, 3}) {
    for (const double peclet : {0.1, 10.0, 1e4}) {
      SCOPED_TRACE(::testing::Message() << "order " << order << ", Peclet number " << peclet);
      const auto outcome = solve(DiscontinuousTetrahedra(6 - order, order, peclet, 1).matrix());
      EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
      // Not factors, which stop being affordable in space.
      EXPECT_EQ(outcome.picked.preconditioner,
                on_host && peclet == 1e4 ? PreconditionerKind::ilu : PreconditionerKind::amg);
      EXPECT_LE(outcome.result.iterations, on_host ? 18 : 40);
      if (outcome.picked.preconditioner == PreconditionerKind::amg) {
        EXPECT_EQ(outcome.picked.amg.smoother.type,
                  on_host ? SmootherType::ilu : SmootherType::block_jacobi);
      }
    }
  }
}

TEST(DiscontinuousElements, OnSquaresTheDefaultsConvergeSoon) {
  if (!on_host) GTEST_SKIP() << "devices take two sweeps by blocks";
  for (const int order : {1, 2, 3}) {
    for (const double peclet : {0.1, 10.0, 1e2, 1e3, 1e5, 1e7}) {
      SCOPED_TRACE(::testing::Message() << "order " << order << ", Peclet number " << peclet);
      const auto outcome = solve(discontinuous_squares(60 / (order + 1), order, peclet, 1));
      EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
      EXPECT_EQ(outcome.picked.preconditioner,
                peclet >= 1e2 ? PreconditionerKind::ilu : PreconditionerKind::amg);
      EXPECT_LE(outcome.result.iterations, 12);
    }
  }
}

MatrixFacts facts_of_cells() {
  MatrixFacts facts{.rows = 10000, .positive_diagonal = true, .on_host = true};
  facts.is_whole = true;
  facts.entries = 100 * facts.rows;
  facts.positive_couplings = 0.4;
  facts.full_blocks = 4;
  facts.skew_share = rules::skew_share_of_cells_in_one_level;
  facts.smallest_diagonal = facts.largest_diagonal = 1;
  return facts;
}

TEST(DiscontinuousElements, IncompleteFactorsAreTriedAlone) {
  const auto picked = [](auto change, SolveParameters p = {}) {
    MatrixFacts facts = facts_of_cells();
    change(facts);
    const direct::Cost nothing;
    select_parameters(p, facts, true, 1, false,
                      may_pay_directly(p, facts, false, 1) ? &nothing : nullptr);
    return p.preconditioner;
  };
  const auto amg = PreconditionerKind::amg;
  EXPECT_EQ(picked([](MatrixFacts&) {}), PreconditionerKind::ilu);
  EXPECT_EQ(picked([](MatrixFacts& f) { f.skew_share -= 0.01; }), amg) << "diffusion";
  EXPECT_EQ(picked([](MatrixFacts& f) { f.one_level_failed = true; }), amg);
  EXPECT_EQ(picked([](MatrixFacts& f) { f.is_whole = false; }), amg) << "a share of the rows";
  EXPECT_EQ(picked([](MatrixFacts& f) { f.rows = 200; }), amg) << "one dense level";
  EXPECT_EQ(picked([](MatrixFacts& f) { f.on_host = false; }), PreconditionerKind::direct)
      << "not asked for on a device, which has no factors to choose";
  for (const double share : {0.45, 1.0})
    EXPECT_EQ(picked([&](MatrixFacts& f) { f.same_unknown_share = share; }),
              PreconditionerKind::direct)
        << "nodes";
  EXPECT_EQ(picked([](MatrixFacts& f) { f.nodes_are_given = true; }), PreconditionerKind::direct);
  SolveParameters multigrid;
  multigrid.preconditioner = amg;
  EXPECT_EQ(picked([](MatrixFacts&) {}, multigrid), amg);
}

TEST(DiscontinuousElements, MultigridFollowsIncompleteFactorsThatDoNotDo) {
  const MatrixFacts facts = facts_of_cells();
  const SolveParameters asked;
  SolveParameters effective = asked;
  select_parameters(effective, facts, true, 1);
  ASSERT_EQ(effective.preconditioner, PreconditionerKind::ilu);
  SolveResult result;
  result.columns.resize(1);
  result.columns[0].status = result.status = SolveStatus::stagnated;
  result.columns[0].iterations = result.iterations = 40;
  BadSolve bad{asked, facts, result, false};
  auto next = next_fallback(bad, effective);
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->selects_again);
  EXPECT_NE(next->note.find("another preconditioner than ilu"), std::string::npos) << next->note;
  EXPECT_EQ(effective.preconditioner, PreconditionerKind::automatic);
  // What the user asked for stays.
  SolveParameters named;
  named.preconditioner = PreconditionerKind::ilu;
  SolveParameters of_named = named;
  select_parameters(of_named, facts, true, 1);
  const BadSolve of_user{named, facts, result, false};
  EXPECT_FALSE(next_fallback(of_user, of_named));
}

/// Aggregates join what lies at one place in neighbouring cells; of whole cells they make it 28.
TEST(DiscontinuousElements, MoreCellsAreNoMoreIterations) {
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg.smoother.type = SmootherType::ilu;
  for (const double peclet : {1.0, 3.0}) {
    const auto outcome = solve(DiscontinuousTetrahedra(10, 1, peclet, 1).matrix(), parameters);
    EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
    EXPECT_LE(outcome.result.iterations, 10) << "Peclet number " << peclet;
    EXPECT_EQ(outcome.picked.amg.smoothed_aggregation.strength_threshold, 0.55);
  }
}

/// As a device picks it, on any machine.
TEST(DiscontinuousElements, BlocksOfCellsSmoothThem) {
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg.smoother.type = SmootherType::block_jacobi;
  parameters.amg.smoother.sweeps = 2;
  const auto expect_at_most = [&](int most, const HostMatrix<double>& A) {
    const auto outcome = solve(A, parameters);
    EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
    EXPECT_LE(outcome.result.iterations, most);
  };
  for (const int order : {1, 2, 3}) {
    for (const double peclet : {0.1, 10.0, 1e4}) {
      SCOPED_TRACE(::testing::Message() << "order " << order << ", Peclet number " << peclet);
      expect_at_most(50, DiscontinuousTetrahedra(6 - order, order, peclet, 1).matrix());
      expect_at_most(50, discontinuous_squares(60 / (order + 1), order, peclet, 1));
    }
  }
}

/// A flow that carries three quantities, which react with each other at each point.
HostMatrix<double> three_quantities(int n) {
  const auto flow = vortex(n, 1e2, Differences::upwind);
  return by_rows<double>(3 * flow.num_rows, 3 * flow.num_rows, [&](auto& A, std::int32_t row) {
    for (auto e = flow.offsets[row / 3]; e < flow.offsets[row / 3 + 1]; ++e) {
      for (int k = 0; k < 3; ++k) {
        const bool own = k == row % 3;
        A.push(3 * flow.columns[e] + k, flow.values[e] * (own ? 1 : 0.01));
      }
    }
  });
}

TEST(DiscontinuousElements, CellsAreToldFromNodes) {
  const Space exec;
  const auto facts_of = [&](const HostMatrix<double>& A) {
    const CrsMatrix<double, Space> stored(exec, make_csr(exec, A));
    return inspect(exec, stored.view(), stored.plan());
  };
  const int of_squares[] = {4, 9, 16};
  const int of_tetrahedra[] = {4, 10, 20};
  for (const int order : {1, 2, 3}) {
    for (const double peclet : {0.1, 1e2, 1e6}) {
      const auto squares = facts_of(discontinuous_squares(12, order, peclet, 1));
      const auto tetrahedra = facts_of(DiscontinuousTetrahedra(2, order, peclet, 1).matrix());
      EXPECT_EQ(squares.full_blocks, of_squares[order - 1]);
      EXPECT_EQ(tetrahedra.full_blocks, of_tetrahedra[order - 1]);
      EXPECT_TRUE(has_cells(squares)) << squares.same_unknown_share;
      EXPECT_TRUE(has_cells(tetrahedra)) << tetrahedra.same_unknown_share;
    }
  }
  const auto nodes = facts_of(three_quantities(20));
  EXPECT_EQ(nodes.full_blocks, 3);
  EXPECT_NEAR(nodes.same_unknown_share, 1 / 1.02, 1e-9);
  EXPECT_FALSE(has_cells(nodes));
  EXPECT_EQ(facts_of(vortex(20, 1e2, Differences::upwind)).full_blocks, 1);
}

}  // namespace tessera::test::discontinuous_elements_test
