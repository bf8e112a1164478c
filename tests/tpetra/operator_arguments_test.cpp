// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::tpetra::Operator`'s user data, and what it refuses.
#include "support/own_coarsening.hpp"
#include "support/own_smoother.hpp"
#include "tpetra/operator_cases.hpp"

namespace tessera::test::operator_arguments_test {

TEST(TpetraOperatorArguments, RefusesAnotherPatternOrMap) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const TpetraSystem other(ProblemKind::poisson2d9, 20);
  const TpetraSystem larger(ProblemKind::poisson2d, 21);
  const auto M = CreateTesseraPreconditioner(system.A, with_block_jacobi());
  expect_error(error_of([&] { ReuseTesseraPreconditioner(larger.A, *M); }), ErrorKind::precondition,
               {"row map", "441 against 400"});
  EXPECT_TRUE(error_of([&] { ReuseTesseraPreconditioner(other.A, *M); }).has_value());
}

TEST(TpetraOperatorArguments, TakesANearNullspaceAndCoordinates) {
  const TpetraSystem system(ProblemKind::elasticity3d, 14);
  ASSERT_EQ(system.problem.block_size, 3);
  const auto b = waves(system.map);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  auto list = with_multigrid();
  list.set("block_size", 3);
  list.set("amg.smoother.type", "chebyshev");  // the same with vectors and without
  const int without =
      solve_by_belos("CG", system.A, CreateTesseraPreconditioner(system.A, list), x, b).iterations;

  auto modes = list;
  modes.sublist("user data")
      .set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  const auto M = CreateTesseraPreconditioner(system.A, modes);
  const int with_modes = solve_by_belos("CG", system.A, M, x, b).iterations;
  if (num_processes() == 1) {
    EXPECT_LT(with_modes, without);
  } else {
    EXPECT_LE(with_modes, without);
  }

  const auto nodes = contiguous_map(system.problem.A.num_rows / 3);
  auto places = with_multigrid();
  places.set("rigid_body_modes", true);
  const Teuchos::RCP<const TpetraVectors> coordinates =
      distribute(system.problem.coordinates, nodes);
  places.sublist("user data").set("Coordinates", coordinates);
  const auto by_places = CreateTesseraPreconditioner(system.A, places);
  const int with_places = solve_by_belos("CG", system.A, by_places, x, b).iterations;
  EXPECT_LE(std::abs(with_places - with_modes), 1);
}

/// Also those that each process has for its own rows alone, a registered one among them.
TEST(TpetraOperatorArguments, HasEverySmoother) {
  own_local();
  own_l1_jacobi();
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto b = waves(system.map);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  for (const char* key : {"amg.smoother.type", "amg.levels.0.smoother.type"}) {
    for (const char* name : {"ilu", "gauss_seidel", "own_local", "own_l1_jacobi"}) {
      auto list = with_multigrid(100);
      list.set("amg.coarse_size", 30);
      list.set(key, std::string(name));
      x->putScalar(0);
      const auto M = CreateTesseraPreconditioner(system.A, list);
      EXPECT_TRUE(solve_by_belos("CG", system.A, M, x, b).converged) << key << ' ' << name;
    }
  }
}

/// One process has it; several have it in block Jacobi alone, and are told so.
TEST(TpetraOperatorArguments, NamesARegisteredCoarseningThatCannotBeDistributed) {
  own_groups();
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto b = waves(system.map);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  auto list = with_multigrid(100);
  list.set("amg.coarse_size", 30);
  list.set("amg.own_groups.length", 4);
  for (const char* name : {"amg.coarsening", "amg.levels.0.coarsening.type"}) {
    auto chosen = list;
    chosen.set(name, std::string("own_groups"));
    if (num_processes() > 1) {
      expect_error(
          error_of([&] { CreateTesseraPreconditioner(system.A, chosen); }),
          ErrorKind::configuration,
          {"on several processes '" + std::string(name == std::string("amg.coarsening")
                                                      ? "amg.coarsening' is smoothed_aggregation"
                                                      : "amg.levels.*.coarsening.type' is same"),
           "not own_groups", "on one process", "block_jacobi"});
      chosen.set("distributed", "block_jacobi");
    }
    const auto M = CreateTesseraPreconditioner(system.A, chosen);
    EXPECT_TRUE(solve_by_belos("CG", system.A, M, x, b).converged);
  }
}

TEST(TpetraOperatorArguments, RefusesWrongUserData) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto create = [&](const char* name, const auto& value, bool modes = false) {
    return error_of([&] {
      Teuchos::ParameterList list("test");
      list.set("rigid_body_modes", modes);
      list.sublist("user data").set(name, value);
      CreateTesseraPreconditioner(system.A, list);
    });
  };
  const auto vectors = waves(system.map);
  const auto shorter = waves(contiguous_map(399));
  expect_error(create("Nulspace", vectors), ErrorKind::configuration,
               {"unknown user data 'Nulspace'", "did you mean 'Nullspace'?"});
  expect_error(create("Material", vectors), ErrorKind::configuration,
               {"'Material'", "Nullspace, Coordinates"});
  expect_error(create("Nullspace", shorter), ErrorKind::precondition,
               {"'Nullspace'", "399 against 400"});
  expect_error(create("Nullspace", 3), ErrorKind::configuration,
               {"has the type int", "MultiVector"});
  expect_error(create("Nullspace", Teuchos::RCP<TpetraVectors>()), ErrorKind::configuration,
               {"null"});
  expect_error(create("Nullspace", vectors, true), ErrorKind::configuration, {"one of them"});
  expect_error(create("Coordinates", vectors, true), ErrorKind::precondition, {"1 columns"});
  expect_error(create("Coordinates", waves(system.map, 2), true), ErrorKind::precondition,
               {"on this process", "block size 2"});
  Teuchos::ParameterList list("test");
  list.set("rigid_body_modes", true);
  expect_error(error_of([&] { CreateTesseraPreconditioner(system.A, list); }),
               ErrorKind::configuration, {"needs user data 'Coordinates'"});
}

TEST(TpetraOperatorArguments, RefusesWrongMatricesAndVectors) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const TpetraSystem other(ProblemKind::poisson2d, 10);
  expect_error(error_of([] { CreateTesseraPreconditioner(Teuchos::RCP<TpetraMatrix>()); }),
               ErrorKind::precondition, {"null"});
  const auto filling = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  expect_error(error_of([&] { CreateTesseraPreconditioner(filling); }), ErrorKind::precondition,
               {"fillComplete"});
  const auto wide = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  wide->fillComplete(other.map, system.map);
  expect_error(error_of([&] { CreateTesseraPreconditioner(wide); }), ErrorKind::precondition,
               {"domain map", "100 against 400"});
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const Teuchos::RCP<const TpetraOperator> no_matrix = M;
  expect_error(error_of([&] { CreateTesseraPreconditioner(no_matrix); }), ErrorKind::precondition,
               {"must be a Tpetra::CrsMatrix", "tessera::tpetra::Operator"});
  const auto x = waves(system.map, 2);
  TpetraVectors y(system.map, 1);
  TpetraVectors z(other.map, 2);
  expect_error(error_of([&] { M->apply(*x, y); }), ErrorKind::precondition,
               {"X has 2 columns, Y has 1"});
  expect_error(error_of([&] { M->apply(*x, z); }), ErrorKind::precondition,
               {"Y is over another map", "100 against 400"});
}

}  // namespace tessera::test::operator_arguments_test
