// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's cycle and MueLu's own over the same hierarchy, with the same smoother: the same
/// vectors, however MueLu has distributed its levels over the processes.
#include "hybrid/hybrid_cases.hpp"

#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_CommHelpers.hpp>

#include <string_view>

namespace tessera::test::muelu_levels_test {

/// One sweep of Jacobi with damping 0.6 before and after, a direct solve on the coarsest level.
Teuchos::ParameterList with_jacobi() {
  auto list = small_levels();
  list.set("smoother: type", "RELAXATION");
  auto& relaxation = list.sublist("smoother: params");
  relaxation.set("relaxation: type", "Jacobi");
  relaxation.set("relaxation: sweeps", 1);
  relaxation.set("relaxation: damping factor", 0.6);
  return list;
}

Teuchos::ParameterList same_jacobi() {
  Teuchos::ParameterList list("test");
  auto& smoother = list.sublist("amg").sublist("smoother");
  smoother.set("type", "jacobi");
  smoother.sublist("jacobi").set("omega", 0.6);
  smoother.sublist("jacobi").set("omega_over_radius", false);
  return list;
}

/// Both applied to the same vectors; what Tessera says of its levels.
std::string compare(const TpetraSystem& system, Teuchos::ParameterList muelu, int columns = 2) {
  const Teuchos::RCP<TpetraOperator> A = system.A;
  const auto theirs = MueLu::CreateTpetraPreconditioner(A, muelu);
  const hybrid::Operator<> ours(theirs->GetHierarchy(), same_jacobi());
  const auto b = waves(system.map, columns);
  TpetraVectors z = applied(ours, *b);
  TpetraVectors expected = applied(*theirs, *b);
  EXPECT_LT(relative_difference(z, expected), 1e-9);
  return described(ours);
}

TEST(HybridLevels, GiveTheSameAsMueLusOwnCycle) {
  const std::string text = compare(TpetraSystem(ProblemKind::poisson2d, 40), with_jacobi());
  EXPECT_NE(text.find("level 1 of all processes"), std::string::npos) << text;
}

TEST(HybridLevels, TakeTransposesForRestrictions) {
  auto list = with_jacobi();
  list.set("transpose: use implicit", true);
  compare(TpetraSystem(ProblemKind::poisson3d, 12), list);
}

TEST(HybridLevels, ConsistOfOneWhereTheMatrixIsSmall) {
  compare(TpetraSystem(ProblemKind::poisson2d, 7), with_jacobi());
}

/// Coarse levels on fewer processes, whether MueLu moves vectors beside its transfers or within.
TEST(HybridLevels, FollowRepartitioning) {
  const int n = 40;
  const TpetraSystem system(ProblemKind::poisson2d, n);
  for (const bool rebalances_transfers : {false, true}) {
    for (const bool implicit : {false, true}) {
      auto list = with_jacobi();
      list.set("repartition: enable", true);
      list.set("repartition: start level", 1);
      list.set("repartition: min rows per proc", 100);
      list.set("repartition: target rows per proc", 100);
      list.set("repartition: max imbalance", 1.1);
      list.set("repartition: rebalance P and R", rebalances_transfers);
      list.set("transpose: use implicit", implicit);
      list.sublist("user data").set("Coordinates", coordinates_2d(system.map, n));
      const std::string text = compare(system, list);
      SCOPED_TRACE(rebalances_transfers);
      SCOPED_TRACE(implicit);
      // Each process lists the levels that it has a share in, on "1 process" or "2 processes".
      int levels = 0;
      for (const std::string_view where : {"process: ", "processes: "}) {
        for (auto at = text.find(where); at != std::string::npos; at = text.find(where, at + 1))
          ++levels;
      }
      int fewest = 0;
      int most = 0;
      Teuchos::reduceAll(*system.map->getComm(), Teuchos::REDUCE_MIN, levels,
                         Teuchos::outArg(fewest));
      Teuchos::reduceAll(*system.map->getComm(), Teuchos::REDUCE_MAX, levels,
                         Teuchos::outArg(most));
      EXPECT_TRUE(num_processes() == 1 || fewest < most) << text;
    }
  }
}

}  // namespace tessera::test::muelu_levels_test
