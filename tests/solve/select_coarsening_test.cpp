// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which coarsening is picked for which matrix, what is said of it, and that one that was named is
/// what it is.
#include "solve/matrix_facts.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/own_coarsening.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/inspect.hpp"

#include <gtest/gtest.h>

namespace tessera::test::select_coarsening_test {

using Space = DeviceSpace;
using amg::CoarseningKind;

constexpr bool on_host = kernels::is_host_space<Space>;

MatrixFacts facts_of_mesh_in_the_plane() {
  MatrixFacts facts = facts_of_grid(10000);
  facts.on_host = true;
  facts.entries = 70000;
  facts.positive_couplings = 0.15;
  return facts;
}

/// What is picked where multigrid is asked for.
CoarseningKind picked_for(const MatrixFacts& facts, SolveParameters p = {}, int block_size = 1) {
  p.preconditioner = PreconditionerKind::amg;
  select_parameters(p, facts, true, block_size);
  return p.amg.coarsening;
}

TEST(SelectCoarsening, MeshesInThePlaneAreSplitIntoPoints) {
  const MatrixFacts mesh = facts_of_mesh_in_the_plane();
  EXPECT_EQ(picked_for(mesh), CoarseningKind::classical);
  MatrixFacts with_hubs = mesh;
  with_hubs.has_hubs = true;
  EXPECT_EQ(picked_for(with_hubs), CoarseningKind::smoothed_aggregation);
  const auto others_are_aggregated = [&](auto change) {
    MatrixFacts other = mesh;
    change(other);
    return picked_for(other) == CoarseningKind::smoothed_aggregation;
  };
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.symmetric = false; }))
      << "discontinuous elements";
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_diagonal = false; }))
      << "saddle points";
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.has_vectors = true; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.repeated_rows = 0.9; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_couplings = 0.05; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.entries = 14.0 * f.rows; }));
  EXPECT_EQ(picked_for(mesh, {}, 2), CoarseningKind::smoothed_aggregation);
}

TEST(SelectCoarsening, UnknownsThatReactAreOnGridsToo) {
  MatrixFacts facts = facts_of_grid(10000);
  facts.on_host = true;
  facts.repeated_rows = 0.9;
  EXPECT_EQ(picked_for(facts), CoarseningKind::smoothed_aggregation);
  facts.reacting_unknowns = 3;
  EXPECT_EQ(picked_for(facts), CoarseningKind::classical);
  facts.on_host = false;
  EXPECT_EQ(picked_for(facts), CoarseningKind::smoothed_aggregation);
}

TEST(SelectCoarsening, WithoutSymmetryUnknownsOffGridsAre) {
  MatrixFacts facts = facts_of_mesh_in_the_plane();
  facts.symmetric = false;
  facts.positive_couplings = 0;
  EXPECT_EQ(picked_for(facts), CoarseningKind::classical);
  MatrixFacts other = facts;
  other.positive_diagonal = false;
  EXPECT_EQ(picked_for(other), CoarseningKind::smoothed_aggregation);
  other = facts;
  other.repeated_rows = 0.6;
  EXPECT_EQ(picked_for(other), CoarseningKind::smoothed_aggregation);
  EXPECT_EQ(picked_for(facts, {}, 2), CoarseningKind::smoothed_aggregation);
}

/// What is picked on one GPU for such facts, once `change` has been made to them.
template <class Change>
CoarseningKind picked_on_a_device(MatrixFacts facts, Change change, int block_size = 1) {
  facts.on_host = false;
  facts.is_whole = true;
  change(facts);
  return picked_for(facts, {}, block_size);
}

TEST(SelectCoarsening, OnADeviceMeshesInThePlaneAre) {
  const MatrixFacts mesh = facts_of_mesh_in_the_plane();
  const auto as_it_is = [](MatrixFacts&) {};
  EXPECT_EQ(picked_on_a_device(mesh, as_it_is), CoarseningKind::classical);
  const auto others_are_aggregated = [&](auto change) {
    return picked_on_a_device(mesh, change) == CoarseningKind::smoothed_aggregation;
  };
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.is_whole = false; }))
      << "over processes, where nobody looks at the numbering";
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.has_hubs = true; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.repeated_rows = 0.9; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.has_vectors = true; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_couplings = 0.05; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.entries = 14.0 * f.rows; }));
  EXPECT_EQ(picked_on_a_device(mesh, as_it_is, 2), CoarseningKind::smoothed_aggregation);
}

TEST(SelectCoarsening, OnADeviceUnknownsWithoutSymmetryOffGridsAre) {
  MatrixFacts facts = facts_of_mesh_in_the_plane();
  facts.symmetric = false;
  facts.positive_couplings = 0;
  facts.skew_share = 0.3;
  const auto as_it_is = [](MatrixFacts&) {};
  EXPECT_EQ(picked_on_a_device(facts, as_it_is), CoarseningKind::classical);
  const auto others_are_aggregated = [&](auto change) {
    return picked_on_a_device(facts, change) == CoarseningKind::smoothed_aggregation;
  };
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.is_whole = false; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.repeated_rows = 0.9; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.full_blocks = 3; })) << "cells";
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_diagonal = false; }));
}

TEST(SelectCoarsening, OnADeviceFlowsThatCarryMostAre) {
  MatrixFacts facts = facts_of_mesh_in_the_plane();
  facts.on_host = facts.symmetric = false;
  facts.positive_couplings = 0;
  facts.skew_share = 0.6;
  facts.repeated_rows = 0;  // which is not looked at there
  EXPECT_EQ(picked_for(facts), CoarseningKind::classical);
  const auto others_are_aggregated = [&](auto change) {
    MatrixFacts other = facts;
    change(other);
    return picked_for(other) == CoarseningKind::smoothed_aggregation;
  };
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.skew_share = 0.4; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_couplings = 0.3; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.has_vectors = true; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_diagonal = false; }));
  EXPECT_EQ(picked_for(facts, {}, 2), CoarseningKind::smoothed_aggregation);
}

TEST(SelectCoarsening, OnAHostFlowsThatGoRoundAreOnGridsToo) {
  MatrixFacts facts = facts_of_grid(100000);
  facts.on_host = true;
  facts.symmetric = false;
  facts.repeated_rows = 0.9;
  facts.skew_share = 0.8;
  facts.long_streamlines = 0.75;
  EXPECT_EQ(picked_for(facts), CoarseningKind::classical);
  const auto others_are_aggregated = [&](auto change) {
    MatrixFacts other = facts;
    change(other);
    return picked_for(other) == CoarseningKind::smoothed_aggregation;
  };
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.long_streamlines = 0.25; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_couplings = 0.3; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.has_vectors = true; }));
  EXPECT_TRUE(others_are_aggregated([](MatrixFacts& f) { f.positive_diagonal = false; }));
  EXPECT_EQ(picked_for(facts, {}, 2), CoarseningKind::smoothed_aggregation);
}

TEST(SelectCoarsening, SaysWhatWasPickedAndWhatWouldHaveComeNext) {
  const auto said_of = [](const MatrixFacts& facts) -> std::string {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    for (const Selection& pick : select_parameters(p, facts, true, 1))
      if (pick.setting.starts_with("amg.coarsening=")) return pick.setting + "; " + pick.note();
    return {};
  };
  MatrixFacts facts = facts_of_mesh_in_the_plane();
  EXPECT_EQ(
      said_of(facts),
      "amg.coarsening=classical; coarsening classical, runner-up smoothed_aggregation: 15 % of "
      "the couplings are positive, in short rows that do not repeat each other: a mesh in "
      "the plane");
  facts.repeated_rows = 0.9;
  EXPECT_EQ(said_of(facts),
            "amg.coarsening=smoothed_aggregation; coarsening smoothed_aggregation, runner-up "
            "classical: rows repeat each other as on a grid");
  facts.symmetric = false;
  facts.skew_share = 0.4;
  EXPECT_EQ(said_of(facts),
            "amg.coarsening=smoothed_aggregation; coarsening smoothed_aggregation, runner-up "
            "pairwise: 40 % of the couplings are of one direction, on a grid");
  facts.repeated_rows = 0;
  facts.positive_couplings = 0;
  EXPECT_EQ(said_of(facts),
            "amg.coarsening=classical; coarsening classical, runner-up reduction: the matrix is "
            "not symmetric, and its rows do not repeat each other");
  facts.rows = 100;
  EXPECT_EQ(said_of(facts), "") << "one dense level";
}

TEST(SelectCoarsening, WhatWasNamedIsNotChanged) {
  const MatrixFacts mesh = facts_of_mesh_in_the_plane();
  for (const auto kind : {CoarseningKind::smoothed_aggregation, CoarseningKind::pairwise,
                          CoarseningKind::classical, CoarseningKind::reduction, own_groups()}) {
    SolveParameters p;
    p.amg.coarsening = kind;
    EXPECT_EQ(picked_for(mesh, p), kind);
  }
  SolveParameters p;
  p.amg.smoothed_aggregation.strength_threshold = 0.25;
  EXPECT_EQ(picked_for(mesh, p), CoarseningKind::smoothed_aggregation) << "its parameters";
  p = {};
  p.amg.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
  EXPECT_EQ(picked_for(mesh, p), CoarseningKind::smoothed_aggregation);
  p = {};
  p.amg.levels = {amg::uniform_choice(p.amg)};
  EXPECT_EQ(picked_for(mesh, p), CoarseningKind::smoothed_aggregation) << "choices by level";
  p = {};
  p.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& given) {
    return given;
  };
  EXPECT_EQ(picked_for(mesh, p), CoarseningKind::smoothed_aggregation);
}

MatrixFacts facts_of(const HostMatrix<double>& A) {
  const Space exec;
  const CrsMatrix<double, Space> stored(exec, make_csr(exec, A));
  return inspect(exec, stored.view(), stored.plan());
}

HostMatrix<double> gallery(const GalleryParameters& parameters) {
  return to_host(make_problem<double, Space>(Space(), parameters).A);
}

TEST(SelectCoarsening, GridsRepeatTheirRowsAndMeshesDoNot) {
  if (!on_host) GTEST_SKIP() << "looked at on hosts, on devices where it matters";
  for (const auto problem : {ProblemKind::poisson2d, ProblemKind::anisotropic2d,
                             ProblemKind::poisson3d27, ProblemKind::jump3d})
    EXPECT_GT(facts_of(gallery({.problem = problem, .n = 24})).repeated_rows, 0.75)
        << to_string(problem);
  for (const auto problem :
       {ProblemKind::unstructured2d, ProblemKind::unstructured3d, ProblemKind::graph})
    EXPECT_LT(facts_of(gallery({.problem = problem, .n = 24})).repeated_rows, 0.05)
        << to_string(problem);
  EXPECT_EQ(facts_of(HostMatrix<double>{0, 0, {0}, {}, {}}).repeated_rows, 0);
  EXPECT_EQ(facts_of(poisson<double>(1, 1)).repeated_rows, 0);
}

TEST(SelectCoarsening, ADeviceLooksWhereThatDecides) {
  const auto repeated = [](ProblemKind problem) {
    GalleryParameters asked{.problem = problem, .n = 24};
    asked.epsilon = 1e-2;
    asked.peclet = 10;
    return facts_of(gallery(asked)).repeated_rows;
  };
  EXPECT_GT(repeated(ProblemKind::anisotropic2d), 0.75);
  EXPECT_LT(repeated(ProblemKind::unstructured2d), 0.05);
  EXPECT_GT(repeated(ProblemKind::convdiff2d), 0.75) << "little convection";
  if (on_host) return;
  EXPECT_EQ(repeated(ProblemKind::poisson2d), 0) << "aggregated in any case";
}

struct Outcome {
  SolveResult result;
  SolveParameters picked;
  HierarchyInfo hierarchy;
};

Outcome solve(const HostMatrix<double>& A, const MultiVector<double, Space>& near_nullspace = {}) {
  const Space exec;
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  auto solver = set_up(exec, make_csr(exec, A), p, near_nullspace);
  const auto x = zeros<double>(exec, A.num_rows);
  auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  return {std::move(result), solver.parameters(), solver.hierarchy()};
}

TEST(SelectCoarsening, EachProblemHasItsOwn) {
  struct Case {
    GalleryParameters gallery;
    CoarseningKind expected;
    int most;
  };
  const auto aggregation = CoarseningKind::smoothed_aggregation;
  const auto on_mesh = CoarseningKind::classical;
  const auto of_flow = on_host ? aggregation : CoarseningKind::classical;
  for (const Case& c :
       {Case{{.problem = ProblemKind::poisson2d, .n = 60}, aggregation, 15},
        {{.problem = ProblemKind::anisotropic2d, .n = 60, .epsilon = 1e-2}, aggregation, 20},
        {{.problem = ProblemKind::unstructured2d, .n = 60, .epsilon = 1}, aggregation, 17},
        {{.problem = ProblemKind::unstructured2d, .n = 80, .epsilon = 1e-2}, on_mesh, 32},
        {{.problem = ProblemKind::unstructured3d, .n = 14, .epsilon = 1e-2}, aggregation, 20},
        {{.problem = ProblemKind::convdiff2d, .n = 60, .peclet = 1e4}, of_flow, 30}}) {
    SCOPED_TRACE(to_string(c.gallery.problem));
    const Outcome outcome = solve(gallery(c.gallery));
    EXPECT_EQ(outcome.picked.amg.coarsening, c.expected);
    EXPECT_EQ(outcome.hierarchy.levels.at(0).coarsening, amg::coarsening_name(c.expected));
    EXPECT_TRUE(noted(outcome.hierarchy,
                      "coarsening " + amg::coarsening_name(c.expected) + ", runner-up "));
    EXPECT_TRUE(outcome.result.converged());
    EXPECT_LE(outcome.result.iterations, c.most);
  }
}

TEST(SelectCoarsening, VectorsBeyondTheConstantAreForAggregation) {
  const Space exec;
  const auto A = gallery({.problem = ProblemKind::unstructured2d, .n = 60, .epsilon = 1e-2});
  const std::size_t n = A.num_rows;
  const auto with = [&](const std::vector<double>& vector) {
    return solve(A, to_multivector(exec, vector, n)).picked.amg.coarsening;
  };
  EXPECT_EQ(with(std::vector<double>(n, 3.0)), CoarseningKind::classical);
  std::vector<double> other(n, 1.0);
  other.back() = 2;
  EXPECT_EQ(with(other), CoarseningKind::smoothed_aggregation);
}

/// A bad solve whose smoother became incomplete factors.
std::optional<Fallback> after_factors(const BadSolve& bad, SolveParameters& picked) {
  picked = bad.asked;
  picked.preconditioner = PreconditionerKind::amg;
  picked.solver.name = SolverName::gmres;
  picked.amg.smoother.type = SmootherType::ilu;
  return next_fallback(bad, picked);
}

TEST(SelectCoarsening, AReductionFollowsWhereIncompleteFactorsFailAtAFlow) {
  SolveParameters asked, picked;
  MatrixFacts flow = facts_of_grid(10000);
  flow.symmetric = false;
  flow.on_host = true;
  flow.skew_share = 0.5;
  SolveResult result;
  result.status = SolveStatus::interrupted;
  result.iterations = 40;
  result.columns.push_back({.status = result.status, .iterations = 40});
  BadSolve bad{.asked = asked, .facts = flow, .result = result, .slow = true, .further = 200};
  const auto fallback = after_factors(bad, picked);
  ASSERT_TRUE(fallback);
  EXPECT_TRUE(fallback->rebuilds);
  EXPECT_EQ(picked.amg.coarsening, CoarseningKind::reduction);
  EXPECT_EQ(picked.amg.max_operator_complexity, 12);
  EXPECT_EQ(fallback->note,
            "coarsening reduction: after 40 iterations more than 200 further ones were estimated");
  const auto after_reduction = next_fallback(bad, picked);
  ASSERT_TRUE(after_reduction);
  EXPECT_EQ(picked.amg.coarsening, CoarseningKind::smoothed_aggregation);
  EXPECT_EQ(picked.amg.smoother.type, SmootherType::jacobi);
  EXPECT_EQ(picked.amg.max_operator_complexity, amg::Parameters{}.max_operator_complexity);
  EXPECT_TRUE(after_reduction->note.starts_with(
      "coarsening smoothed_aggregation, smoother jacobi: after 40 iterations"));
  bad.block_size = 2;
  const auto with_nodes = after_factors(bad, picked);
  ASSERT_TRUE(with_nodes);
  EXPECT_EQ(picked.amg.coarsening, CoarseningKind::automatic);
  EXPECT_EQ(picked.amg.smoother.type, SmootherType::jacobi);
  EXPECT_TRUE(with_nodes->note.starts_with("smoother jacobi: "));
  bad.block_size = 1;
  flow.skew_share = 0.1;
  after_factors(bad, picked);
  EXPECT_EQ(picked.amg.coarsening, CoarseningKind::automatic);
  flow.skew_share = 0.5;
  asked.amg.coarsening = CoarseningKind::smoothed_aggregation;
  after_factors(bad, picked);
  EXPECT_EQ(picked.amg.coarsening, CoarseningKind::smoothed_aggregation) << "it was named";
}

}  // namespace tessera::test::select_coarsening_test
