// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Species that spread over a grid and turn into each other at its points: how they are told from
/// other unknowns of nodes, and that multigrid takes them one by one.
#include "tessera/solve/reacting_unknowns.hpp"

#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/matrix/crs_matrix.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

namespace tessera::test::reacting_unknowns_test {

using Space = DeviceSpace;

struct Species {
  double diffusion[3] = {1, 1, 1};
  double rate = 10;
  double coupling = -1;  ///< times the rate: of two species at one point
  bool by_unknown = false;

  /// On n by n points, with a 5-point stencil for each.
  HostMatrix<double> matrix(int n) const {
    const int points = n * n;
    const auto number = [&](int point, int k) {
      return by_unknown ? k * points + point : 3 * point + k;
    };
    return by_rows<double>(3 * points, 3 * points, [&](auto& A, std::int32_t row) {
      const int point = by_unknown ? row % points : row / 3,
                k = by_unknown ? row / points : row % 3;
      const int x = point % n, y = point / n;
      std::map<std::int32_t, double> entries;
      for (int other = 0; other < 3; ++other)
        entries[number(point, other)] = rate * coupling;
      entries[row] = 4 * diffusion[k] + 2 * rate;
      if (x > 0) entries[number(point - 1, k)] = -diffusion[k];
      if (x + 1 < n) entries[number(point + 1, k)] = -diffusion[k];
      if (y > 0) entries[number(point - n, k)] = -diffusion[k];
      if (y + 1 < n) entries[number(point + n, k)] = -diffusion[k];
      for (const auto& [column, value] : entries)
        A.push(column, value);
    });
  }
};

struct Looked {
  NodeCouplings couplings;
  amg::Nodes nodes;
  MatrixFacts facts;
};

Looked look(const kernels::Csr<double, Space>& A) {
  const Space exec;
  const amg::Nodes found = amg::find_nodes(exec, A.view());
  EXPECT_EQ(found.block_size, 3);
  Looked looked{sampled_node_couplings(exec, A.view(), found), {}, {}};
  looked.nodes = without_reacting(exec, A.view(), found, looked.facts);
  return looked;
}

Looked look(const Species& species) { return look(make_csr(Space(), species.matrix(40))); }

TEST(ReactingUnknowns, AreToldFromOthers) {
  for (const bool by_unknown : {false, true}) {
    const auto fast = look(Species{.by_unknown = by_unknown});
    EXPECT_NEAR(fast.couplings.reaction, 20 / 24.0, 1e-12);
    EXPECT_EQ(fast.couplings.same_sign, 0);
    EXPECT_EQ(fast.facts.reacting_unknowns, 3);
    EXPECT_EQ(fast.nodes.block_size, 1);
    EXPECT_EQ(fast.nodes.num_nodes, 3 * 40 * 40);
    EXPECT_FALSE(fast.nodes.by_unknown);
    const auto slow = look(Species{.rate = 0.5, .by_unknown = by_unknown});
    EXPECT_NEAR(slow.couplings.reaction, 0.2, 1e-12);
    EXPECT_EQ(slow.facts.reacting_unknowns, 1);
    EXPECT_EQ(slow.nodes.block_size, 3);
    EXPECT_EQ(slow.nodes.by_unknown, by_unknown);
  }
  const auto repelling = look(Species{.coupling = 0.9});
  EXPECT_EQ(repelling.couplings.same_sign, 1);
  EXPECT_EQ(repelling.nodes.block_size, 3);
  const auto elastic =
      look(make_problem<double, Space>(Space(), {.problem = ProblemKind::elasticity3d, .n = 8}).A);
  EXPECT_GT(elastic.couplings.same_sign, 0.3);
  EXPECT_EQ(elastic.facts.reacting_unknowns, 1);
  EXPECT_EQ(elastic.nodes.block_size, 3);
}

struct Outcome {
  SolveResult result;
  HierarchyInfo hierarchy;
};

Outcome solve(const Species& species, SolveParameters p = {}, int block_size = 0) {
  const Space exec;
  const auto A = make_csr(exec, species.matrix(60));
  p.preconditioner = PreconditionerKind::amg;
  auto solver = set_up(exec, A, p, {}, block_size);
  const auto x = zeros<double>(exec, A.num_rows);
  auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  return {std::move(result), solver.hierarchy()};
}

const std::string one_by_one = "3 unknowns per node, taken one by one";

TEST(ReactingUnknowns, AreTakenOneByOne) {
  for (const Species& species :
       {Species{}, Species{.rate = 1e4}, Species{.rate = 1e4, .by_unknown = true},
        Species{.diffusion = {1, 10, 0.1}, .rate = 1e3}}) {
    const auto outcome = solve(species);
    EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
    EXPECT_LE(outcome.result.iterations, 22) << species.rate;
    EXPECT_TRUE(noted(outcome.hierarchy, one_by_one));
  }
}

TEST(ReactingUnknowns, AreNodesWhereTheyAreSaidToBeOrReactSlowly) {
  const auto are_nodes = [](const Outcome& outcome) {
    return outcome.result.converged() && !noted(outcome.hierarchy, one_by_one);
  };
  EXPECT_TRUE(are_nodes(solve(Species{}, {}, 3)));
  const auto slow = solve(Species{.rate = 0.5});
  EXPECT_TRUE(are_nodes(slow));
  EXPECT_TRUE(noted(slow.hierarchy, "3 unknowns per node: found from the pattern"));
  SolveParameters by_nodes;
  by_nodes.amg.coarsening = amg::CoarseningKind::classical;
  by_nodes.amg.classical.systems = amg::SystemSplitting::nodes;
  EXPECT_TRUE(are_nodes(solve(Species{.rate = 100}, by_nodes)));
}

}  // namespace tessera::test::reacting_unknowns_test
