// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One process has no memory for one array while Tessera takes MueLu's levels over: all end with an
/// error, none waits for another. The test's limit of time makes a hang a failure.
#include "hybrid/hybrid_cases.hpp"
#include "support/refused_on_last_process.hpp"

#include <MueLu_CreateTpetraPreconditioner.hpp>

namespace tessera::test::muelu_refused_arrays_test {

class HybridRefusedArrays : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (num_processes() == 1) GTEST_SKIP() << "one process passes on what an allocation throws";
  }
};

/// With levels on fewer processes whose vectors MueLu moves beside its transfers or within.
TEST_P(HybridRefusedArrays, EndSetupsAndProductsOfAll) {
  const int n = 24;
  const TpetraSystem system(ProblemKind::poisson2d, n);
  auto muelu = small_levels();
  muelu.set("repartition: enable", true);
  muelu.set("repartition: start level", 1);
  muelu.set("repartition: min rows per proc", 100);
  muelu.set("repartition: target rows per proc", 100);
  muelu.set("repartition: max imbalance", 1.1);
  muelu.set("repartition: rebalance P and R", GetParam());
  muelu.sublist("user data").set("Coordinates", coordinates_2d(system.map, n));
  const Teuchos::RCP<TpetraOperator> A = system.A;
  const auto theirs = MueLu::CreateTpetraPreconditioner(A, muelu);
  const Teuchos::ParameterList list("test");
  const auto b = waves(system.map, 1);
  const auto by_us = [&] { return applied(hybrid::Operator<>(theirs->GetHierarchy(), list), *b); };
  const TpetraVectors expected = by_us();
  expect_out_of_memory_by_all(system, "setup and product", 100, by_us);
  TpetraVectors z = by_us();
  EXPECT_LT(relative_difference(z, expected), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(RebalancesTransfers, HybridRefusedArrays, ::testing::Bool());

}  // namespace tessera::test::muelu_refused_arrays_test
