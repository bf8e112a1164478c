// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with Tessera's cycle over MueLu's levels.
#include "hybrid/hybrid_cases.hpp"
#include "support/planned_products.hpp"
#include "support/tpetra_magnitudes.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace tessera::test::hybrid_test {

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
       {std::pair("CG", 11), std::pair("GMRES", 11), std::pair("BICGSTAB", 7)}) {
    const auto outcome = waves_by_belos(method, system.A, M);
    EXPECT_LE(outcome.iterations, most) << method;
    EXPECT_LT(outcome.residual, 1.1e-8) << method;
    EXPECT_LT(outcome.residual, 1.1e-8) << method;
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
  EXPECT_LE(waves_by_belos("CG", system.A, M).iterations, 12);
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
  EXPECT_LE(waves_by_belos("GMRES", system.A, M).iterations, 42);
}

/// Smoothers, formats, scalars and shapes of Tessera's own.
TEST(Hybrid, HasTesserasChoices) {
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  struct Case {
    std::vector<std::pair<const char*, const char*>> choices;
    int most;
  };
  for (const Case& c :
       {Case{{{"amg.smoother.type", "chebyshev"}}, 8},
        Case{{{"amg.smoother.type", "l1_jacobi"}}, 14}, Case{{{"amg.smoother.type", "spai0"}}, 11},
        Case{{{"amg.cycle", "w"}}, 11}, Case{{{"amg.cycle", "f"}}, 11},
        Case{{{"amg.cycle", "k"}}, 11}, Case{{{"precision", "float"}}, 11},
        Case{{{"precision", "float"}, {"amg.storage.scalar", "half"}}, 11},
        Case{{{"amg.storage.format", "mbsr"}}, 11},
        Case{{{"amg.storage.format", "least_bytes"}}, 11},
        Case{{{"amg.levels.0.vectors", "double"},
              {"amg.levels.1.vectors", "float"},
              {"amg.levels.1.A.scalar", "half"}},
             11}}) {
    auto list = with(small_levels());
    std::string shown;
    for (const auto& [name, value] : c.choices) {
      list.set(name, std::string(value));
      shown += std::string(name) + "=" + value + " ";
    }
    const auto M = CreateTesseraPreconditioner(system.A, list);
    SCOPED_TRACE(shown);
    EXPECT_LE(waves_by_belos("CG", system.A, M, 2).iterations, c.most);
  }
}

TEST(Hybrid, UsesTensorCoresAsAsked) {
  using Space = TpetraMap::node_type::execution_space;
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with(small_levels());
  list.set("amg.storage.format", "mbsr");
  list.set("tensor_cores", "off");
  const PlannedProducts plans(TensorCoreUse::off);
  const auto M = CreateTesseraPreconditioner(system.A, list);
  const int at_setup = plans.count();
  EXPECT_GT(at_setup, 0);
  hybrid::ReuseTesseraPreconditioner(system.A, *M);
  EXPECT_GT(plans.count(), at_setup);
  EXPECT_EQ(plans.others(), 0) << "of " << plans.count();
  list.set("tensor_cores", "on");
  const auto error = error_of([&] { CreateTesseraPreconditioner(system.A, list); });
  if (kernels::has_tensor_core_spmv<Space>()) {
    EXPECT_FALSE(error.has_value());
  } else {
    expect_error(error, ErrorKind::configuration, {"tensor_cores = on", Space::name()});
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
    scale_in_place(*A, 2);
    hybrid::ReuseTesseraPreconditioner(A, *M);
    M->apply(*b, after);
    const bool keeps_all = std::string(reuse) == "full";
    after.scale(keeps_all ? 1 : 2);
    if (!keeps_all) {
      EXPECT_LT(relative_difference(after, before), 1e-9) << reuse;
    }
    SCOPED_TRACE(reuse);
    EXPECT_LE(waves_by_belos("CG", A, M).iterations, keeps_all ? 18 : 12);
  }
}

TEST(Hybrid, TakesProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const auto& map : {map_on_last(900), map_with_gaps(900)}) {
    const auto A = distribute(system.problem.A, map);
    const auto M = CreateTesseraPreconditioner(A, with(small_levels()));
    EXPECT_LE(waves_by_belos("CG", A, M).iterations, 11);
  }
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

TEST(Hybrid, CyclesAreLinearOverMagnitudes) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const char* precision : {"same", "float"}) {
    SCOPED_TRACE(precision);
    auto list = with(small_levels());
    list.set("precision", precision);
    expect_linear_over_magnitudes(*CreateTesseraPreconditioner(system.A, list));
  }
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
  expect_error(error_with("amg.smoothed_aggregation.strength_threshold", "0.1"),
               ErrorKind::configuration, {"amg.smoothed_aggregation.strength_threshold"});
  auto list = with(small_levels());
  list.sublist("MueLu").set("multigrid algorithm", "magic");
  expect_error(error_of([&] { CreateTesseraPreconditioner(system.A, list); }),
               ErrorKind::configuration, {"MueLu", "magic"});
  // Near-nullspace vectors of another length, of const and not, and of the right one on other
  // processes.
  const auto error_by = [&](const auto& nullspace) {
    auto given = with(small_levels());
    given.sublist("user data").set("Nullspace", nullspace);
    return error_of([&] { CreateTesseraPreconditioner(system.A, given); });
  };
  expect_error(error_by(waves(contiguous_map(399), 2)), ErrorKind::precondition,
               {"'Nullspace'", "399 against 400 rows in all", "rows on this process"});
  expect_error(error_by(Teuchos::RCP<const TpetraVectors>(waves(contiguous_map(401)))),
               ErrorKind::precondition, {"'Nullspace'", "401 against 400"});
  expect_error(error_by(Teuchos::RCP<TpetraVectors>()), ErrorKind::configuration, {"null"});
  if (num_processes() > 1)
    expect_error(error_by(waves(map_on_last(400))), ErrorKind::precondition,
                 {"'Nullspace'", "400 against 400"});
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

}  // namespace tessera::test::hybrid_test
