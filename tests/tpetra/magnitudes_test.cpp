// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioners for vectors and matrices of any magnitude, on any number of processes.
#include "tpetra/operator_cases.hpp"

#include "support/tpetra_magnitudes.hpp"

namespace tessera::test::magnitudes_test {

Teuchos::ParameterList in(const char* precision, bool by_levels) {
  auto list = by_levels ? with_multigrid() : with_block_jacobi();
  list.set("precision", precision);
  list.set("gather_rows", 100);
  list.sublist("amg").set("coarse_size", 40);
  return list;
}

TEST(TpetraMagnitudes, PreconditionersAreLinearOverThem) {
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    const TpetraSystem system(kind, 30);
    for (const char* precision : {"same", "float"}) {
      for (const bool by_levels : {true, false}) {
        SCOPED_TRACE(std::string(precision) + (by_levels ? ", levels" : ", blocks"));
        expect_linear_over_magnitudes(
            *CreateTesseraPreconditioner(system.A, in(precision, by_levels)));
      }
    }
  }
}

TEST(TpetraMagnitudes, SoAreTheKCycleAndOtherKinds) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const char* precision : {"same", "float"}) {
    auto list = in(precision, false);
    list.sublist("amg").set("cycle", "k");
    expect_linear_over_magnitudes(*CreateTesseraPreconditioner(system.A, list));
  }
  for (const char* kind : {"jacobi", "block_jacobi", "ilu", "direct"}) {
    SCOPED_TRACE(kind);
    auto list = with_block_jacobi();
    list.set("preconditioner", kind);
    expect_linear_over_magnitudes(*CreateTesseraPreconditioner(system.A, list));
  }
}

TEST(TpetraMagnitudes, MatricesOfOtherMagnitudesArePreconditionedAsWell) {
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    const TpetraSystem system(kind, 30);
    const auto x = waves(system.map, 2);
    for (const char* precision : {"same", "float"}) {
      for (const bool by_levels : {true, false}) {
        const auto list = in(precision, by_levels);
        TpetraVectors plain(system.map, 2);
        CreateTesseraPreconditioner(system.A, list)->apply(*x, plain);
        for (const int exponent : {-300, -60, 60, 300}) {
          SCOPED_TRACE(std::string(precision) + (by_levels ? ", levels, 2^" : ", blocks, 2^") +
                       std::to_string(exponent));
          const auto A = distribute(system.problem.A, system.map, std::ldexp(1.0, exponent));
          const auto M = CreateTesseraPreconditioner(A, list);
          TpetraVectors scaled = applied(*M, *x);
          tpetra::multiply_columns(scaled, {exponent, exponent}, 1);
          EXPECT_LT(relative_difference(scaled, plain), precision[0] == 's' ? 1e-12 : 1e-5);
        }
      }
    }
  }
}

/// In float, whether or not the powers of two of setup would do for them.
TEST(TpetraMagnitudes, NewValuesBringTheirOwn) {
  for (const bool by_levels : {true, false}) {
    const TpetraSystem system(ProblemKind::poisson2d, 30);
    const auto x = waves(system.map);
    auto list = in("float", by_levels);
    list.sublist("amg").set("reuse", "symbolic");
    const auto M = CreateTesseraPreconditioner(system.A, list);
    TpetraVectors plain = applied(*M, *x);
    int before = 0;
    for (const int exponent : {300, 0, -300, -290, 300}) {
      SCOPED_TRACE(std::to_string(exponent) + (by_levels ? ", levels" : ", blocks"));
      const double factor = std::ldexp(1.0, exponent - before);
      before = exponent;
      const auto values = system.A->getLocalMatrixHost().values;
      for (std::size_t e = 0; e < values.extent(0); ++e)
        values(e) *= factor;
      ReuseTesseraPreconditioner(system.A, *M);
      TpetraVectors scaled = applied(*M, *x);
      tpetra::multiply_columns(scaled, {exponent}, 1);
      EXPECT_LT(relative_difference(scaled, plain), 1e-5);
    }
  }
}

}  // namespace tessera::test::magnitudes_test
