// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with Tessera's cycle over MueLu's levels.
#include "hybrid/hybrid_cases.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

using hybrid::CreateTesseraPreconditioner;

Teuchos::ParameterList with(const Teuchos::ParameterList& muelu) {
  Teuchos::ParameterList list("test");
  list.sublist("MueLu") = muelu;
  return list;
}

TEST(Hybrid, PreconditionsBelosMethods) {
  const TpetraSystem system(ProblemKind::poisson3d, 20);
  const auto M = CreateTesseraPreconditioner(system.A, with(small_levels()));
  EXPECT_TRUE(M->hasTransposeApply());
  for (const auto& [method, most] :
       {std::pair("CG", 20), std::pair("GMRES", 20), std::pair("BICGSTAB", 14)}) {
    const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
    const auto outcome = solve_by_belos(method, system.A, M, x, waves(system.map));
    EXPECT_TRUE(outcome.converged) << method;
    EXPECT_LE(outcome.iterations, most) << method;
    EXPECT_LT(outcome.residual, 1e-7) << method;
  }
}

TEST(Hybrid, TakesTheNearNullspaceOfElasticity) {
  const TpetraSystem system(ProblemKind::elasticity3d, 8);
  const auto vectors = distribute(system.problem.near_nullspace, system.map);
  auto list = with(small_levels());
  list.sublist("MueLu").set("number of equations", 3);
  list.sublist("MueLu").set("coarse: max size", 100);
  list.sublist("user data").set("Nullspace", Teuchos::RCP<const TpetraVectors>(vectors));
  const auto M = CreateTesseraPreconditioner(system.A, list);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  const auto outcome = solve_by_belos("CG", system.A, M, x, waves(system.map));
  EXPECT_TRUE(outcome.converged);
  EXPECT_LE(outcome.iterations, 25);
}

TEST(Hybrid, PreconditionsWhatIsNotSymmetric) {
  const TpetraSystem system(ProblemKind::convdiff2d, 60);
  auto list = with(small_levels());
  list.sublist("MueLu").set("problem: symmetric", false);
  list.sublist("MueLu").set("multigrid algorithm", "unsmoothed");
  const auto M = CreateTesseraPreconditioner(system.A, list);
  EXPECT_FALSE(M->hasTransposeApply());
  TpetraVectors y(system.map, 1);
  expect_error(error_of([&] { M->apply(*waves(system.map), y, Teuchos::TRANS); }),
               ErrorKind::precondition, {"transpose"});
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  const auto outcome = solve_by_belos("GMRES", system.A, M, x, waves(system.map));
  EXPECT_TRUE(outcome.converged);
  EXPECT_LE(outcome.iterations, 60);
}

/// Smoothers, formats, scalars and shapes of Tessera's own.
TEST(Hybrid, HasTesserasChoices) {
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  struct Case {
    std::vector<std::pair<const char*, const char*>> choices;
    int most;
  };
  for (const Case& c : {Case{{{"amg.smoother.type", "chebyshev"}}, 16},
                        Case{{{"amg.smoother.type", "l1_jacobi"}}, 30},
                        Case{{{"amg.smoother.type", "spai0"}}, 25}, Case{{{"amg.cycle", "w"}}, 20},
                        Case{{{"amg.cycle", "f"}}, 20}, Case{{{"precision", "float"}}, 20},
                        Case{{{"precision", "float"}, {"amg.storage.scalar", "half"}}, 21},
                        Case{{{"amg.storage.format", "mbsr"}}, 20},
                        Case{{{"amg.storage.format", "least_bytes"}}, 20},
                        Case{{{"amg.levels.0.vectors", "double"},
                              {"amg.levels.1.vectors", "float"},
                              {"amg.levels.1.A.scalar", "half"}},
                             21}}) {
    auto list = with(small_levels());
    std::string shown;
    for (const auto& [name, value] : c.choices) {
      list.set(name, std::string(value));
      shown += std::string(name) + "=" + value + " ";
    }
    const auto M = CreateTesseraPreconditioner(system.A, list);
    const auto x = Teuchos::rcp(new TpetraVectors(system.map, 2));
    const auto outcome = solve_by_belos("CG", system.A, M, x, waves(system.map, 2));
    EXPECT_TRUE(outcome.converged) << shown;
    EXPECT_LE(outcome.iterations, c.most) << shown;
  }
}

TEST(Hybrid, TakesNewValues) {
  for (const char* reuse : {"none", "tP", "RP", "full"}) {
    const TpetraSystem system(ProblemKind::poisson2d, 40);
    auto list = with(small_levels());
    list.sublist("MueLu").set("reuse: type", reuse);
    const auto A = distribute(system.problem.A, system.map);
    const auto M = CreateTesseraPreconditioner(A, list);
    TpetraVectors before(system.map, 1);
    TpetraVectors after(system.map, 1);
    const auto b = waves(system.map);
    M->apply(*b, before);
    A->resumeFill();
    A->scale(2);
    A->fillComplete();
    hybrid::ReuseTesseraPreconditioner(A, *M);
    M->apply(*b, after);
    const bool keeps_all = std::string(reuse) == "full";
    after.scale(keeps_all ? 1 : 2);
    if (!keeps_all) {
      EXPECT_LT(relative_difference(after, before), 1e-9) << reuse;
    }
    const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
    EXPECT_TRUE(solve_by_belos("CG", A, M, x, b).converged) << reuse;
  }
}

/// All rows on the last process, none on the others.
TEST(Hybrid, BearsProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const bool is_last = process() == num_processes() - 1;
  const Teuchos::RCP<const TpetraMap> map = Teuchos::rcp(new TpetraMap(
      Tpetra::global_size_t(900), is_last ? std::size_t(900) : 0, 0, Tpetra::getDefaultComm()));
  const auto A = distribute(system.problem.A, map);
  const auto M = CreateTesseraPreconditioner(A, with(small_levels()));
  const auto x = Teuchos::rcp(new TpetraVectors(map, 1));
  const auto outcome = solve_by_belos("CG", A, M, x, waves(map));
  EXPECT_TRUE(outcome.converged);
  EXPECT_LE(outcome.iterations, 20);
}

TEST(Hybrid, FollowsAlphaAndBeta) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto M = CreateTesseraPreconditioner(system.A, with(small_levels()));
  const auto b = waves(system.map, 3);
  TpetraVectors z(system.map, 3);
  z.putScalar(std::numeric_limits<double>::quiet_NaN());
  M->apply(*b, z);
  TpetraVectors y(*b, Teuchos::Copy);
  M->apply(y, y, Teuchos::NO_TRANS, 2, 3);
  TpetraVectors expected(*b, Teuchos::Copy);
  expected.update(2, z, 3);
  EXPECT_LT(relative_difference(y, expected), 1e-13);
}

TEST(Hybrid, NamesWhatIsWrong) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto error_with = [&](const char* name, const char* value) {
    auto list = with(small_levels());
    list.set(name, std::string(value));
    return error_of([&] { CreateTesseraPreconditioner(system.A, list); });
  };
  expect_error(error_with("amg.smother.type", "jacobi"), ErrorKind::configuration,
               {"amg.smother.type", "amg.smoother.type"});
  expect_error(error_with("amg.strength_threshold", "0.1"), ErrorKind::configuration,
               {"amg.strength_threshold"});
  expect_error(error_with("amg.cycle", "k"), ErrorKind::configuration, {"amg.cycle", "v, w or f"});
  auto list = with(small_levels());
  list.sublist("MueLu").set("multigrid algorithm", "magic");
  expect_error(error_of([&] { CreateTesseraPreconditioner(system.A, list); }),
               ErrorKind::configuration, {"MueLu", "magic"});
  expect_error(error_of([&] {
                 hybrid::Operator<> M(Teuchos::RCP<hybrid::Operator<>::Hierarchy>(Teuchos::null));
               }),
               ErrorKind::precondition, {"null pointer"});
  const auto M = CreateTesseraPreconditioner(system.A, with(small_levels()));
  const auto other = contiguous_map(399);
  const TpetraVectors X(other, 1);
  TpetraVectors Y(system.map, 1);
  expect_error(error_of([&] { M->apply(X, Y); }), ErrorKind::precondition,
               {"X is over another map", "399 against 400"});
  const TpetraSystem larger(ProblemKind::poisson2d, 21);
  expect_error(error_of([&] { hybrid::ReuseTesseraPreconditioner(larger.A, *M); }),
               ErrorKind::precondition, {"441 against 400"});
}

}  // namespace
}  // namespace tessera::test
