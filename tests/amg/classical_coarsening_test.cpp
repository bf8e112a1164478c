// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid by classical coarsening: levels, new values, systems, and rows out of the ordinary.
#include "amg/classical_parameters.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"

#include <cmath>
#include <vector>

namespace tessera::test::classical_coarsening_test {

template <class Param>
class ClassicalCoarsening : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  HierarchyInfo levels_of(const HostMatrix<double>& A, const amg::Parameters& p) {
    amg::Multigrid<double, Space> grid(p);
    grid.setup(exec, make_csr(exec, A));
    return grid.info();
  }

  Solver<double, Space> solver_of(const HostMatrix<double>& A, const SolveParameters& parameters) {
    return set_up(exec, make_csr(exec, A), parameters);
  }
};
TYPED_TEST_SUITE(ClassicalCoarsening, Spaces, TypeNames);

TYPED_TEST(ClassicalCoarsening, TakesALevelOrNone) {
  amg::Parameters p = classical().amg;
  for (const int n : {0, 1, 30}) {
    const auto info = this->levels_of(poisson<double>(n), p);
    EXPECT_EQ(info.levels.size(), 1U) << n;
  }
  p.coarse_size = 1;
  const auto info = this->levels_of(poisson<double>(30), p);
  EXPECT_EQ(info.levels.front().coarsening, "classical");
  EXPECT_EQ(info.levels.front().aggregation, "pmis");
  EXPECT_GE(info.levels.size(), 4U);
  EXPECT_EQ(info.levels.back().rows, 1);
}

/// Relaxation solves rows without couplings, whether there is nothing else or they lie among
/// others.
TYPED_TEST(ClassicalCoarsening, LeavesFixedUnknownsOut) {
  amg::Parameters p = classical().amg;
  p.coarse_size = 1;
  const auto alone = this->levels_of(times(identity<double>(300), 5), p);
  ASSERT_EQ(alone.levels.size(), 1U);
  EXPECT_EQ(alone.levels.front().aggregation, "relaxed");
  EXPECT_TRUE(noted(alone, "300 nodes would make 0"));

  const auto A = poisson<double>(40, 40);
  const auto is_fixed = [](Ordinal i) { return i % 40 == 7; };
  // The others' couplings to fixed unknowns stay.
  const auto fixed = by_rows<double>(1600, 1600, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (!is_fixed(i) || A.columns[e] == i) B.push(A.columns[e], A.values[e]);
    }
  });
  SolveParameters parameters = classical();
  parameters.solver.name = SolverName::gmres;
  const auto parts = by_rows<double>(1600, 1600, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i || !(is_fixed(i) || is_fixed(A.columns[e])))
        B.push(A.columns[e], A.values[e]);
    }
  });
  auto with = this->solver_of(fixed, parameters);
  auto without = this->solver_of(parts, parameters);
  EXPECT_EQ(with.hierarchy().levels[1].rows, without.hierarchy().levels[1].rows);
  const auto result = solve_waves(this->exec, with, 1600);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, solve_waves(this->exec, without, 1600).iterations + 2);
}

TYPED_TEST(ClassicalCoarsening, EndsWhereNothingCoarsens) {
  amg::Parameters p = classical().amg;
  p.coarse_size = 1;
  p.classical.strength_threshold = 1;
  auto info = this->levels_of(poisson<double>(20, 20), p);
  EXPECT_EQ(info.levels.size(), 1U);
  EXPECT_TRUE(noted(info, "400 nodes would make 0 "));
  // Zeros on the diagonal stay on every level.
  p.classical.strength_threshold = 0.25;
  const auto no_diagonal =
      with_diagonal(poisson<double>(20, 20), [](Ordinal, double& value) { value = 0; });
  info = this->levels_of(no_diagonal, p);
  EXPECT_EQ(info.levels.size(), 1U);
  EXPECT_TRUE(noted(info, "400 nodes would make 400"));
}

TYPED_TEST(ClassicalCoarsening, ZerosOnTheDiagonalStay) {
  amg::Parameters p = classical().amg;
  p.coarse_size = 30;
  const auto A = with_diagonal(poisson<double>(30, 30), [](Ordinal i, double& value) {
    if (i % 100 == 50) value = 0;
  });
  const auto info = this->levels_of(A, p);
  ASSERT_GE(info.levels.size(), 2U);
  SolveParameters parameters = classical();
  parameters.solver.name = SolverName::gmres;
  parameters.amg = p;
  auto solver = this->solver_of(A, parameters);
  EXPECT_TRUE(solve_waves(this->exec, solver, 900).converged());
}

/// Every column of P is of one function, and rows on all levels are relaxed together.
TYPED_TEST(ClassicalCoarsening, InterpolatesWithinFunctions) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 24});
  amg::Parameters parameters = classical().amg;
  parameters.coarse_size = 30;
  amg::Multigrid<double, Space> grid(parameters);
  grid.setup(this->exec, p.A, p.near_nullspace, p.block_size);
  ASSERT_GE(grid.info().levels.size(), 3U);
  EXPECT_LT(grid.info().levels[1].rows, 0.6 * p.A.num_rows);
  // R of a vector on one function is of one function.
  const Ordinal n = p.A.num_rows;
  const Ordinal num_coarse = grid.info().levels[1].rows;
  std::vector<double> coarse[2];
  for (int f = 0; f < 2; ++f) {
    std::vector<double> fine(n, 0.0);
    for (Ordinal i = f; i < n; i += 2)
      fine[i] = 1 + std::sin(i);
    const auto r = to_multivector(this->exec, std::vector<double>(num_coarse), num_coarse, 1);
    grid.levels()[0].R->apply(this->exec, 1, to_multivector(this->exec, fine, n, 1), 0, r);
    coarse[f] = to_host(r);
  }
  Ordinal counts[2] = {0, 0};
  for (Ordinal c = 0; c < num_coarse; ++c) {
    EXPECT_TRUE(coarse[0][c] == 0 || coarse[1][c] == 0) << c;
    for (int f = 0; f < 2; ++f)
      counts[f] += coarse[f][c] != 0 ? 1 : 0;
  }
  EXPECT_GT(counts[0], num_coarse / 4);
  EXPECT_GT(counts[1], num_coarse / 4);
}

TYPED_TEST(ClassicalCoarsening, SolvesElasticityByUnknowns) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 40});
  SolveParameters parameters = classical();
  parameters.amg.classical.strength_threshold = 0.5;
  Solver<double, Space> solver(parameters);
  solver.setup(this->exec, p.A, p.near_nullspace, p.block_size);
  const auto result = solve_waves(this->exec, solver, p.A.num_rows);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 60);
}

/// Functions of rows make the levels that the same rows make as nodes.
TYPED_TEST(ClassicalCoarsening, TakesFunctionsOfRows) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 24});
  std::vector<Ordinal> functions(static_cast<std::size_t>(p.A.num_rows));
  for (std::size_t i = 0; i < functions.size(); ++i)
    functions[i] = static_cast<Ordinal>(i % 2);
  SolveParameters parameters = classical();
  parameters.amg.classical.strength_threshold = 0.5;
  parameters.amg.coarse_size = 30;
  Solver<double, Space> by_nodes(parameters);
  by_nodes.setup(this->exec, p.A, {}, 2);
  Solver<double, Space> by_rows(parameters);
  by_rows.set_functions(to_device(this->exec, functions));
  by_rows.setup(this->exec, p.A, {}, 1);
  const auto& levels = by_nodes.hierarchy().levels;
  ASSERT_GE(levels.size(), 3U);
  const auto expect_levels = [&] {
    ASSERT_EQ(by_rows.hierarchy().levels.size(), levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
      EXPECT_EQ(by_rows.hierarchy().levels[l].rows, levels[l].rows) << l;
  };
  expect_levels();
  by_rows.update_values(this->exec);  // by a setup of all
  expect_levels();
  const auto setup_in_nodes = [&](int block_size) {
    return message_of(ErrorKind::precondition,
                      [&] { by_rows.setup(this->exec, p.A, {}, block_size); });
  };
  EXPECT_NE(setup_in_nodes(2).find("block_size is 2"), std::string::npos);
  functions.pop_back();
  by_rows.set_functions(to_device(this->exec, functions));
  EXPECT_NE(setup_in_nodes(1).find("the matrix has 1200 rows"), std::string::npos);
  by_rows.set_functions({});
  by_rows.setup(this->exec, p.A, {}, 1);
  EXPECT_NE(by_rows.hierarchy().levels[1].rows, levels[1].rows);
}

/// A node's unknowns are coarse together, so that levels keep their nodes.
TYPED_TEST(ClassicalCoarsening, SplitsNodesWhereAskedTo) {
  using Space = typename TypeParam::Space;
  for (const auto& how : all_ways()) {
    const auto p =
        make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 40});
    SolveParameters parameters = classical();
    parameters.amg.classical = how;
    parameters.amg.classical.systems = amg::SystemSplitting::nodes;
    parameters.amg.coarse_size = 30;
    Solver<double, Space> solver(parameters);
    solver.setup(this->exec, p.A, p.near_nullspace, p.block_size);
    const auto& levels = solver.hierarchy().levels;
    ASSERT_GE(levels.size(), 3U);
    for (const auto& level : levels) {
      EXPECT_EQ(level.unknowns_per_node, 2);
      EXPECT_EQ(level.rows % 2, 0);
    }
    EXPECT_LT(levels[1].rows, 0.6 * p.A.num_rows);
    const auto result = solve_waves(this->exec, solver, p.A.num_rows);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 150);
  }
}

/// Relaxation solves nodes that penalties fix: by nodes as by points they are interpolated from
/// nothing, unless rows of any sum may depend on others.
TYPED_TEST(ClassicalCoarsening, LeavesPenalisedNodesOut) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 24});
  const Ordinal n = p.A.num_rows;
  const auto is_penalised = [](Ordinal i) { return i / 2 % 9 == 4; };
  const auto A = with_diagonal(to_host(p.A), [&](Ordinal i, double& value) {
    if (is_penalised(i)) value *= 1e6;
  });
  for (const double max_row_sum : {0.9, 1.0}) {
    amg::Parameters parameters = classical().amg;
    parameters.coarse_size = 30;
    parameters.classical.systems = amg::SystemSplitting::nodes;
    parameters.classical.max_row_sum = max_row_sum;
    amg::Multigrid<double, Space> grid(parameters);
    grid.setup(this->exec, make_csr(this->exec, A), p.near_nullspace, 2);
    ASSERT_GE(grid.info().levels.size(), 2U);
    const auto num_coarse = static_cast<std::size_t>(grid.info().levels[1].rows);
    const auto interpolated = zeros<double>(this->exec, n);
    const std::vector<double> ones(num_coarse, 1.0);
    grid.levels()[0].P->apply(this->exec, 1, to_multivector(this->exec, ones, num_coarse), 0,
                              interpolated);
    const auto x = to_host(interpolated);
    int num_left_out = 0, num_penalised = 0;
    for (Ordinal i = 0; i < n; ++i) {
      num_penalised += is_penalised(i) ? 1 : 0;
      num_left_out += is_penalised(i) && x[i] == 0 ? 1 : 0;
    }
    if (max_row_sum < 1) {
      EXPECT_EQ(num_left_out, num_penalised);
    } else {
      EXPECT_LT(num_left_out, num_penalised);
    }
  }
}

/// Of one unknown per node there is nothing else.
TYPED_TEST(ClassicalCoarsening, NodesOfOneUnknownArePoints) {
  SolveParameters parameters = classical();
  const auto A = poisson<double>(40, 40);
  auto by_points = this->solver_of(A, parameters);
  parameters.amg.classical.systems = amg::SystemSplitting::nodes;
  auto by_nodes = this->solver_of(A, parameters);
  EXPECT_EQ(preconditioned_waves(this->exec, by_points, 1600),
            preconditioned_waves(this->exec, by_nodes, 1600));
}

TYPED_TEST(ClassicalCoarsening, NewValuesOfASystem) {
  using Space = typename TypeParam::Space;
  const auto p =
      make_problem<double, Space>(this->exec, {.problem = ProblemKind::elasticity2d, .n = 24});
  for (const auto systems : {amg::SystemSplitting::unknowns, amg::SystemSplitting::nodes}) {
    SolveParameters parameters = classical();
    parameters.amg.reuse = amg::Reuse::symbolic;
    parameters.amg.coarse_size = 30;
    parameters.amg.classical.systems = systems;
    const auto A = make_csr(this->exec, to_host(p.A));
    Solver<double, Space> solver(parameters);
    solver.setup(this->exec, A, p.near_nullspace, p.block_size);
    expect_follows_eightfold_values(this->exec, solver, A, 1e-12);
  }
}

/// On the first two levels, and on no other.
TYPED_TEST(ClassicalCoarsening, IsAggressiveWhereAskedTo) {
  amg::Parameters p = classical().amg;
  p.coarse_size = 5;
  const auto A = poisson<double>(60, 60);
  const auto before = this->levels_of(A, p);
  for (const auto how :
       {amg::AggressiveInterpolation::two_stage, amg::AggressiveInterpolation::multipass}) {
    p.classical.aggressive_levels = 2;
    p.classical.aggressive_interpolation = how;
    const auto info = this->levels_of(A, p);
    ASSERT_GE(info.levels.size(), 3U);
    EXPECT_EQ(info.levels[0].aggregation, "pmis, twice");
    EXPECT_EQ(info.levels[1].aggregation, "pmis, twice");
    EXPECT_NE(info.levels[2].aggregation, "pmis, twice");
    EXPECT_LT(info.levels[1].rows * 2, before.levels[1].rows);
    EXPECT_LT(info.operator_complexity, 1.6);
  }
}

TYPED_TEST(ClassicalCoarsening, RefusesTwoStagesOfRangeOne) {
  const std::pair<amg::Interpolation, const char*> all[] = {
      {amg::Interpolation::direct, "interpolation = direct does not reach"},
      {amg::Interpolation::classical_modified,
       "interpolation = classical_modified does not reach"}};
  for (const auto& [how, refusal] : all) {
    SolveParameters parameters = classical();
    parameters.amg.coarse_size = 30;
    parameters.amg.classical.interpolation = how;
    parameters.amg.classical.aggressive_levels = 1;
    const auto error = [&] {
      return error_of([&] { this->solver_of(poisson<double>(30, 30), parameters); });
    };
    expect_error(error(), ErrorKind::configuration,
                 {refusal, "aggressive_interpolation = multipass"});
    parameters.amg.classical.aggressive_interpolation = amg::AggressiveInterpolation::multipass;
    EXPECT_FALSE(error().has_value());
  }
}

TYPED_TEST(ClassicalCoarsening, NewValuesAreThoseOfANewSetup) {
  using Space = typename TypeParam::Space;
  // Perturbed so little that points stay coarse or fine, and no weights are dropped.
  const auto A = poisson<double>(40, 30);
  const auto d = spread(A.num_rows, 1e-3);
  const auto changed = scaled(A, d, d);
  for (const auto& how : all_ways()) {
    for (const auto products : {amg::Products::csr, amg::Products::mbsr}) {
      SolveParameters parameters = classical();
      parameters.amg.reuse = amg::Reuse::symbolic;
      parameters.amg.products = products;
      parameters.amg.max_levels = 2;
      parameters.amg.max_dense_size = 1000;
      parameters.amg.classical = how;
      parameters.amg.classical.max_row_entries = 0;
      const auto device = make_csr(this->exec, A);
      auto solver = set_up(this->exec, device, parameters);
      ASSERT_EQ(solver.hierarchy().levels.size(), 2U);
      const auto before = preconditioned_waves(this->exec, solver, A.num_rows);
      Kokkos::deep_copy(this->exec, device.values, to_device(this->exec, changed.values));
      this->exec.fence("tessera::test: new values");
      solver.update_values(this->exec);
      const auto updated = preconditioned_waves(this->exec, solver, A.num_rows);
      Solver<double, Space> fresh = this->solver_of(changed, parameters);
      ASSERT_EQ(fresh.hierarchy().levels[1].entries, solver.hierarchy().levels[1].entries);
      const auto expected = preconditioned_waves(this->exec, fresh, A.num_rows);
      EXPECT_LT(relative_difference(updated, expected), 1e-12);
      EXPECT_GT(relative_difference(updated, before), 1e-5);
    }
  }
}

TYPED_TEST(ClassicalCoarsening, NewValuesOnAllLevels) {
  const auto p = gallery_problem(this->exec, ProblemKind::jump2d, 80);
  for (const auto& [reuse, how] :
       {std::pair(amg::Reuse::symbolic, 0), std::pair(amg::Reuse::interpolation, 0),
        std::pair(amg::Reuse::symbolic, 3), std::pair(amg::Reuse::interpolation, 3),
        std::pair(amg::Reuse::symbolic, 4)}) {
    SolveParameters parameters = classical();
    parameters.amg.reuse = reuse;
    parameters.amg.classical = all_ways()[how];
    const auto A = make_csr(this->exec, to_host(p.A));
    auto solver = set_up(this->exec, A, parameters);
    const std::size_t num_levels = solver.hierarchy().levels.size();
    expect_follows_eightfold_values(this->exec, solver, A, 1e-12);
    EXPECT_EQ(solver.hierarchy().levels.size(), num_levels);
  }
}

TYPED_TEST(ClassicalCoarsening, OnOneLevelAndPairsBelow) {
  amg::Parameters p;
  p.coarse_size = 30;
  p.levels.assign(2, amg::uniform_choice(p));
  p.levels[0].coarsening.type = amg::CoarseningKind::classical;
  p.levels[0].coarsening.classical.max_row_entries = 2;
  p.levels[1].coarsening.type = amg::CoarseningKind::pairwise;
  amg::Multigrid<double, typename TypeParam::Space> grid(p);
  grid.setup(this->exec, make_csr(this->exec, poisson<double>(30, 30)));
  const auto& levels = grid.info().levels;
  EXPECT_EQ(levels[0].coarsening, "classical");
  EXPECT_EQ(levels[1].coarsening, "pairwise");
  EXPECT_LE(grid.levels()[0].P->num_entries(), 1800U);
  EXPECT_GT(grid.levels()[0].P->num_entries(), 1200U) << "two entries in many rows";
}

}  // namespace tessera::test::classical_coarsening_test
