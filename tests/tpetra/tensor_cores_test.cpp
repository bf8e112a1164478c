// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How products on each process are planned: as parameters say, on distributed levels as on one
/// process.
#include "support/planned_products.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/tpetra/matrix_operator.hpp"
#include "tpetra/operator_cases.hpp"

namespace tessera::test::tensor_cores_test {

using Space = TpetraMap::node_type::execution_space;

void expect_refused(const std::optional<Error>& error) {
  if (kernels::has_tensor_core_spmv<Space>()) {
    EXPECT_FALSE(error.has_value());
  } else {
    expect_error(error, ErrorKind::configuration, {"tensor_cores = on", Space::name()});
  }
}

TEST(TensorCores, AreUsedOnDistributedLevelsAsAsked) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid(100);
  list.set("amg.reuse", "symbolic");
  list.set("amg.storage.format", "mbsr");
  list.set("tensor_cores", "off");
  list.set("column_patterns", false);
  const PlannedProducts plans(TensorCoreUse::off);
  const auto M = CreateTesseraPreconditioner(system.A, list);
  const int at_setup = plans.count();
  EXPECT_GT(at_setup, 0);
  ReuseTesseraPreconditioner(system.A, *M);
  if (num_processes() > 1) {
    EXPECT_GT(plans.count(), at_setup);
  }
  EXPECT_EQ(plans.others(), 0) << "of " << plans.count();
  EXPECT_EQ(plans.with_patterns(), 0) << "of " << plans.count();
  list.set("tensor_cores", "on");
  expect_refused(error_of([&] { CreateTesseraPreconditioner(system.A, list); }));
}

TEST(TensorCores, AreUsedByMatrixOperatorsAsAsked) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  Teuchos::ParameterList list("test");
  list.set("storage.format", "mbsr");
  list.set("transpose", true);
  list.set("tensor_cores", "off");
  const PlannedProducts plans(TensorCoreUse::off);
  const auto A = tpetra::CreateTesseraMatrixOperator(system.A, list);
  const int at_setup = plans.count();
  EXPECT_GT(at_setup, 0);
  A->update(system.A);
  EXPECT_GT(plans.count(), at_setup);
  EXPECT_EQ(plans.others(), 0) << "of " << plans.count();
  list.set("tensor_cores", "on");
  expect_refused(error_of([&] { tpetra::CreateTesseraMatrixOperator(system.A, list); }));
}

}  // namespace tessera::test::tensor_cores_test
