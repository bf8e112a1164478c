// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels relaxed by blocks of nodes and of a given number of rows.
#include "amg/level_solves.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include <cmath>
#include <numeric>

namespace tessera::test::block_levels_test {

SolveParameters relaxed(SmootherType type, const BlockJacobiParameters& blocks = {}) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.solver.name = SolverName::cg;
  p.solver.tolerance = 1e-8;
  p.amg.coarse_size = 60;
  p.amg.smoother.type = type;
  p.amg.smoother.block_jacobi = blocks;
  return p;
}

constexpr BlockJacobiParameters of_nodes = {.blocks = RelaxationBlocks::nodes};
constexpr BlockJacobiParameters of_four_rows = {.block_rows = 4};

SolveParameters by_blocks(const BlockJacobiParameters& blocks) {
  return relaxed(SmootherType::block_jacobi, blocks);
}

template <class Param>
class BlockLevels : public LevelSolves<typename Param::Space> {
 public:
  TESSERA_TEST_TYPES(Param);

  std::vector<std::string> smoothers(const Problem<double, Space>& p,
                                     const SolveParameters& parameters) {
    std::vector<std::string> names;
    const auto solver = set_up(this->exec, p, parameters);
    for (const LevelInfo& level : solver.hierarchy().levels)
      names.push_back(level.smoother);
    return names;
  }
};
TYPED_TEST_SUITE(BlockLevels, Spaces, TypeNames);

/// Three unknowns per node, and six vectors per aggregate.
TYPED_TEST(BlockLevels, NodesAreThoseOfEachLevel) {
  const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 8);
  const auto names = this->smoothers(p, by_blocks(of_nodes));
  ASSERT_GE(names.size(), 3U);
  EXPECT_EQ(names[0], "block_jacobi of 3 rows");
  EXPECT_EQ(names[1], "block_jacobi of 6 rows");
  EXPECT_EQ(names.back(), "");
  EXPECT_EQ(this->smoothers(p, by_blocks(of_four_rows))[1], "block_jacobi of 4 rows");
  EXPECT_EQ(this->smoothers(p, by_blocks({}))[0], "block_jacobi");
  const int of_points = this->iterations(p, by_blocks({.block_rows = 1}));
  EXPECT_LT(this->iterations(p, by_blocks(of_nodes)), of_points);
}

/// The finest level's sweep alone, by what a cycle without coarser levels makes of a vector.
TYPED_TEST(BlockLevels, NodesAreTheSameAsTheirRows) {
  const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 5);
  auto nodes = by_blocks(of_nodes), rows = by_blocks({.block_rows = 3});
  for (SolveParameters* one : {&nodes, &rows}) {
    one->amg.max_levels = 1;
    one->amg.coarse_sweeps = 1;
  }
  auto first = set_up(this->exec, p, nodes), second = set_up(this->exec, p, rows);
  const auto r = random_vector<double>(p.A.num_rows, 1);
  EXPECT_EQ(this->cycle(first, r), this->cycle(second, r));
}

TYPED_TEST(BlockLevels, MayDifferByLevel) {
  const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 8);
  auto parameters = by_blocks({});
  const amg::LevelParameters finest = amg::uniform_choice(parameters.amg);
  parameters.amg.levels = {finest, finest};
  parameters.amg.levels[0].smoother.block_jacobi.block_rows = 12;
  parameters.amg.levels[1].smoother.block_jacobi = of_nodes;
  const auto names = this->smoothers(p, parameters);
  ASSERT_GE(names.size(), 3U);
  EXPECT_EQ(names[0], "block_jacobi of 12 rows");
  EXPECT_EQ(names[1], "block_jacobi of 6 rows");
  EXPECT_GT(this->iterations(p, parameters), 0);
}

/// <u, M v> = <v, M u>, and M is positive.
TYPED_TEST(BlockLevels, CyclesAreSymmetric) {
  for (const auto kind : {ProblemKind::poisson3d, ProblemKind::elasticity3d}) {
    const auto p = gallery_problem(this->exec, kind, kind == ProblemKind::poisson3d ? 15 : 7);
    const Ordinal n = p.A.num_rows;
    const auto u = random_vector<double>(n, 1), v = random_vector<double>(n, 2);
    const auto dot = [](const auto& x, const auto& y) {
      return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    for (const auto& blocks : {of_nodes, of_four_rows}) {
      auto solver = set_up(this->exec, p, by_blocks(blocks));
      const auto Mu = this->cycle(solver, u), Mv = this->cycle(solver, v);
      EXPECT_NEAR(dot(v, Mu), dot(u, Mv), 1e-11 * std::sqrt(dot(u, Mu) * dot(v, Mv)));
      EXPECT_GT(dot(u, Mu), 0);
    }
  }
}

TYPED_TEST(BlockLevels, AnyFormatAndPrecisionTakesAsManyIterations) {
  const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 7);
  for (const auto& blocks : {of_nodes, of_four_rows}) {
    const int by_rows = this->iterations(p, by_blocks(blocks));
    for (const auto& known : storage_format_names()) {
      auto parameters = by_blocks(blocks);
      parameters.amg.storage.format = known.value;
      EXPECT_NEAR(this->iterations(p, parameters), by_rows, 1) << known.name;
    }
    auto in_float = by_blocks(blocks);
    in_float.precision = Precision::single;
    EXPECT_NEAR(this->iterations(p, in_float), by_rows, 1);
  }
}

/// Tiles' rows along the first side of a grid: fewer iterations than by single ones.
TYPED_TEST(BlockLevels, RowsOfTilesSmoothAtLeastAsPointsDo) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson3d, 20);
  EXPECT_LE(this->iterations(p, by_blocks(of_four_rows)),
            this->iterations(p, by_blocks({.block_rows = 1})));
}

TYPED_TEST(BlockLevels, NewValuesMakeNewBlocks) {
  for (const auto& blocks : {of_nodes, of_four_rows}) {
    const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 6);
    auto parameters = by_blocks(blocks);
    parameters.amg.reuse = amg::Reuse::symbolic;
    parameters.equilibration = Equilibration::none;
    auto solver = set_up(this->exec, p, parameters);
    expect_follows_eightfold_values(this->exec, solver, p.A, 1e-10);
  }
}

/// The first block of four rows, while its values are zeros and no longer.
TYPED_TEST(BlockLevels, NotesCountBlocksWithoutAnInverse) {
  const auto plain = with_diagonal(poisson<double>(30, 30), [](Ordinal, double& v) { v += 1; });
  auto singular = plain;
  std::fill_n(singular.values.begin(), singular.offsets[4], 0.0);
  auto parameters = by_blocks(of_four_rows);
  parameters.equilibration = Equilibration::none;
  parameters.amg.reuse = amg::Reuse::symbolic;
  const auto device = make_csr(this->exec, singular);
  auto solver = set_up(this->exec, device, parameters);
  EXPECT_TRUE(
      noted(solver.hierarchy(), "smoother of level 0: 1 block of block_jacobi has no inverse"));
  Kokkos::deep_copy(this->exec, device.values, to_device(this->exec, plain.values));
  this->exec.fence("tessera::test: new values");
  solver.update_values(this->exec);
  EXPECT_FALSE(noted(solver.hierarchy(), "of block_jacobi"));
}

TYPED_TEST(BlockLevels, WrongValuesAreRefused) {
  const auto p = gallery_problem(this->exec, ProblemKind::elasticity3d, 6);
  const auto refused = [&](const BlockJacobiParameters& blocks,
                           std::initializer_list<std::string> parts) {
    expect_error(error_of([&] { set_up(this->exec, p, by_blocks(blocks)); }),
                 ErrorKind::configuration, parts);
  };
  refused({.block_rows = 33}, {"amg.smoother.block_jacobi.block_rows", "33", "from 0 to 32"});
  refused({.block_rows = -1}, {"amg.smoother.block_jacobi.block_rows", "-1", "from 0 to 32"});
  refused({.blocks = RelaxationBlocks::nodes, .block_rows = 3},
          {"block_rows = 3", "blocks = nodes", "use block_rows = 0"});
  auto whole = by_blocks(of_nodes);
  expect_error(error_of([&] { set_up(this->exec, p.A, whole, {}, 49); }), ErrorKind::configuration,
               {"blocks = nodes", "49 unknowns", "at most 32"});
}

}  // namespace tessera::test::block_levels_test
