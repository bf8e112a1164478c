// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by incomplete factors: what its parameters say holds of the factors.
#include "tessera/smoother/ilu_smoother.hpp"
#include "smoother_fixture.hpp"
#include "support/error_of.hpp"

namespace tessera::test::ilu_smoother_test {

TESSERA_TEST_SUITE(IluSmootherTest, Matrices, TypeNames);

SmootherParameters ilu(const IluParameters& p = {}) {
  return {.type = SmootherType::ilu, .ilu = p};
}

/// U^-1 L^-1 b by factors of these parameters.
template <class Scalar, class Space, class Offset>
std::vector<Scalar> preconditioned(const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                                   const IluParameters& p) {
  const Space exec;
  const auto rows = make_csr<Offset>(exec, A);
  IluPreconditioner<Scalar, Space, Offset> factors(p);
  factors.initialize(exec, rows);
  EXPECT_TRUE(factors.compute(exec, rows.view()));
  factors.prepare(exec, 1);
  const auto r = to_multivector(exec, b, A.num_rows, 1);
  const auto z = to_multivector(exec, b, A.num_rows, 1);
  factors.apply(exec, r, z);
  return to_host(z);
}

/// The first sweep from zero is the preconditioner of the same parameters.
TESSERA_TYPED_TEST(IluSmootherTest, HasTheFactorsOfItsParameters) {
  const auto A = poisson<Scalar>(8, 8);
  const auto b = random_vector<Scalar>(A.num_rows, 5);
  const auto relaxed = [&](const IluParameters& p) {
    return Bench<Scalar, Space, Offset>(A, ilu(p), 1).from_zero(b);
  };
  const auto by_default = relaxed({});
  for (const IluParameters& p :
       {IluParameters{}, IluParameters{.method = IluMethod::fixed_point, .sweeps = 1},
        IluParameters{.solve = SptrsvAlgorithm::recursive}, IluParameters{.shift = 0.9}}) {
    const auto expected = preconditioned<Scalar, Space, Offset>(A, b, p);
    const auto found = relaxed(p);
    for (int i = 0; i < A.num_rows; ++i)
      ASSERT_NEAR(found[i], expected[i], rounding<Scalar>) << i;
  }
  EXPECT_NE(relaxed({.method = IluMethod::fixed_point, .sweeps = 1}), by_default);
  EXPECT_NE(relaxed({.shift = 0.9}), by_default);
}

TESSERA_TYPED_TEST(IluSmootherTest, RefusesAZeroPivotWithoutShifts) {
  auto A = poisson<Scalar>(8, 8);
  A.values[0] = 0;
  Bench<Scalar, Space, Offset>(A, ilu(), 1);
  const auto error = error_of([&] { Bench<Scalar, Space, Offset>(A, ilu({.shift = 0}), 1); });
  expect_error(error, ErrorKind::bad_input, {"pivot of row 0", "ilu.shift"});
}

}  // namespace tessera::test::ilu_smoother_test
