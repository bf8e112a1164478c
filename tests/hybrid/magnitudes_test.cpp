// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's cycle over MueLu's levels for vectors of any magnitude.
#include "hybrid/hybrid_cases.hpp"
#include "support/tpetra_magnitudes.hpp"

namespace tessera::test::magnitudes_test {

TEST(HybridMagnitudes, CyclesAreLinearOverThem) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const char* precision : {"same", "float"}) {
    SCOPED_TRACE(precision);
    Teuchos::ParameterList list("test");
    list.sublist("MueLu") = small_levels();
    list.set("precision", precision);
    expect_linear_over_magnitudes(*hybrid::CreateTesseraPreconditioner(system.A, list));
  }
}

}  // namespace tessera::test::magnitudes_test
