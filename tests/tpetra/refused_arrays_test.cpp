// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One process has no memory for one array, or was given what the others were not: all end with an
/// error, none waits for another. The test's limit of time makes a hang a failure.
#include "support/refused_on_last_process.hpp"
#include "tpetra/operator_cases.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tessera::test::tpetra_refused_arrays_test {

class TpetraRefusedArrays : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_processes() == 1) GTEST_SKIP() << "one process passes on what an allocation throws";
  }
};

TEST_F(TpetraRefusedArrays, EndSetupsUpdatesAndProductsOfAll) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  auto list = with_multigrid(60);
  list.set("amg.reuse", "symbolic");
  list.set("amg.pool_memory", false);
  const auto b = waves(system.map, 2);
  expect_out_of_memory_by_all(system, "setup and product", 80,
                              [&] { applied(*CreateTesseraPreconditioner(system.A, list), *b); });
  const auto M = CreateTesseraPreconditioner(system.A, list);
  expect_out_of_memory_by_all(system, "update", 40,
                              [&] { ReuseTesseraPreconditioner(system.A, *M); });
  ReuseTesseraPreconditioner(system.A, *M);
  const TpetraVectors expected = applied(*CreateTesseraPreconditioner(system.A, list), *b);
  TpetraVectors z = applied(*M, *b);
  EXPECT_LT(relative_difference(z, expected), 1e-10);
}

TEST_F(TpetraRefusedArrays, EndSetupsAndProductsByBlocksOfAll) {
  const TpetraSystem system(ProblemKind::poisson2d, 24);
  auto list = with_block_jacobi();
  list.set("amg.pool_memory", false);
  const auto b = waves(system.map, 2);
  // What Belos does with every product, a sum over all processes.
  const auto work = [&] {
    std::vector<double> norms(2);
    applied(*CreateTesseraPreconditioner(system.A, list), *b)
        .norm2(Teuchos::arrayViewFromVector(norms));
  };
  expect_out_of_memory_by_all(system, "setup and product", 80, work);
}

TEST_F(TpetraRefusedArrays, EndThoseOfRigidBodyModes) {
  const TpetraSystem system(ProblemKind::elasticity3d, 4);
  auto list = with_multigrid(30);
  list.set("block_size", 3);
  list.set("amg.pool_memory", false);
  list.sublist("user data").set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  expect_out_of_memory_by_all(system, "setup", 40,
                              [&] { CreateTesseraPreconditioner(system.A, list); });
}

/// One process alone gives vectors, or such of another type.
TEST_F(TpetraRefusedArrays, WhatOneProcessAloneGivesIsRefusedByAll) {
  const TpetraSystem system(ProblemKind::elasticity3d, 3);
  const auto vectors = distribute(system.problem.near_nullspace, system.map);
  const bool is_last = process() == num_processes() - 1;
  for (const auto& change : {std::function([&](Teuchos::ParameterList& data) {
                               if (!is_last) data.set("Nullspace", vectors);
                             }),
                             std::function([&](Teuchos::ParameterList& data) {
                               if (is_last) {
                                 data.set("Nullspace", 1.0);
                               } else {
                                 data.set("Nullspace", vectors);
                               }
                             }),
                             std::function([&](Teuchos::ParameterList& data) {
                               data.set("Nullspace", vectors);
                               if (is_last) data.set("Nullspaces", vectors);
                             })}) {
    auto list = with_multigrid(30);
    list.set("block_size", 3);
    change(list.sublist("user data"));
    const auto error = error_of([&] { CreateTesseraPreconditioner(system.A, list); });
    ASSERT_TRUE(error.has_value());
    EXPECT_NE(std::string(error->what()).find("Nullspace"), std::string::npos) << error->what();
  }
}

}  // namespace tessera::test::tpetra_refused_arrays_test
