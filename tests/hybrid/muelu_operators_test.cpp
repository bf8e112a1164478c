// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's products as the operators of a MueLu::Hierarchy whose setup is done.
#include "tessera/tpetra/matrix_operator.hpp"

#include "hybrid/hybrid_cases.hpp"

#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Xpetra_CrsMatrixWrap.hpp>
#include <Xpetra_TpetraOperator.hpp>

namespace tessera::test::muelu_operators_test {

/// MueLu's cycle measures its residuals by what a level has under "A".
TEST(MueLuWithTesserasProducts, CyclesAsBefore) {
  using OnTiles = tpetra::MatrixOperator<>;
  using Any = Xpetra::Operator<double, int, TpetraOrdinal, OnTiles::node_type>;
  using Matrix = Xpetra::Matrix<double, int, TpetraOrdinal, OnTiles::node_type>;
  using Wrapped = Xpetra::TpetraOperator<double, int, TpetraOrdinal, OnTiles::node_type>;
  const TpetraSystem system(ProblemKind::poisson3d, 12);
  auto list = small_levels();
  const auto M = MueLu::CreateTpetraPreconditioner(Teuchos::RCP<TpetraOperator>(system.A), list);
  const auto b = waves(system.map);
  TpetraVectors expected(system.map, 1);
  TpetraVectors z(system.map, 1);
  M->apply(*b, expected);
  const auto hierarchy = M->GetHierarchy();
  ASSERT_GT(hierarchy->GetNumLevels(), 1);
  std::vector<Teuchos::RCP<OnTiles>> ours;
  //! [levels]
  Teuchos::ParameterList storage;
  storage.sublist("storage").set("format", "mbsr");
  for (int l = 0; l < hierarchy->GetNumLevels(); ++l) {
    MueLu::Level& level = *hierarchy->GetLevel(l);
    const auto A = level.Get<Teuchos::RCP<Any>>("A");
    const auto matrix = Xpetra::toTpetra(Teuchos::rcp_dynamic_cast<Matrix>(A));
    ours.push_back(tpetra::CreateTesseraMatrixOperator(matrix, storage));
    level.Set("A", Teuchos::RCP<Any>(new Wrapped(ours.back())));
  }
  //! [levels]
  M->apply(*b, z);
  EXPECT_LT(relative_difference(z, expected), 1e-12);
  // They are what is multiplied by: without their values the cycle is another one.
  const auto zero = distribute(system.problem.A, system.map, 0);
  ours.front()->update(zero);
  M->apply(*b, z);
  EXPECT_GT(relative_difference(z, expected), 1e-3);
}

}  // namespace tessera::test::muelu_operators_test
