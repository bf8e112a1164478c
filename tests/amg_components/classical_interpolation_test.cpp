// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The factors of classical interpolation beside its formulas, dense and in double.
#include "amg_components/interpolation_reference.hpp"
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::test::classical_interpolation_test {

using namespace interpolation_reference;

TESSERA_TEST_SUITE(ClassicalInterpolation, Matrices, TypeNames);

/// A system's factors on a device, and what they were made from on the host.
template <class Scalar, class Space, class Offset>
struct Made {
  kernels::Csr<Scalar, Space, Offset> A;
  amg::InterpolationFactors<Scalar, Space, Offset> factors;
  HostSplitting splitting;
  Ordinal num_coarse = 0;

  Made(const Space& exec, const HostMatrix<Scalar>& host, bool by_sign, Interpolation how)
      : A(make_csr<Offset>(exec, host)) {
    const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 0.9, by_sign});
    const auto is_coarse = to_host(kernels::pmis(exec, found.strong, found.stays));
    const auto offsets = to_host(found.strong.offsets);
    const auto columns = to_host(found.strong.columns);
    for (std::size_t i = 0; i < is_coarse.size(); ++i) {
      splitting.number.push_back(is_coarse[i] != 0 ? num_coarse++ : -1);
      splitting.strong.emplace_back(columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
    }
    factors = amg::interpolation_pattern<Scalar, Space, Offset>(
        exec, found.strong, to_device(exec, splitting.number), num_coarse, how);
    amg::fill_interpolation(exec, A.view(), how, factors);
  }

  Dense weights() const { return product(dense(to_host(factors.M)), dense(to_host(factors.N))); }
};

TESSERA_TYPED_TEST(ClassicalInterpolation, IsThatOfTheFormulas) {
  const double tolerance = sizeof(Scalar) == 8 ? 1e-11 : 2e-3;
  for (const auto& A :
       {odd_matrix<Scalar>(1), odd_matrix<Scalar>(2), poisson<Scalar>(9, 7),
        poisson<Scalar>(5, 4, 6), without_entries<Scalar>(3), without_entries<Scalar>(0)}) {
    for (const bool by_sign : {true, false}) {
      for (const auto how : {Interpolation::extended_i, Interpolation::extended_e}) {
        const Made<Scalar, Space, Offset> made(exec, A, by_sign, how);
        expect_near(made.weights(),
                    expected_extended(dense(A), made.splitting, made.num_coarse, how), tolerance);
      }
      const Made<Scalar, Space, Offset> made(exec, A, by_sign, Interpolation::classical_modified);
      expect_near(made.weights(), expected_modified(dense(A), made.splitting, made.num_coarse),
                  tolerance);
    }
    const Made<Scalar, Space, Offset> made(exec, A, true, Interpolation::direct);
    expect_near(made.weights(), expected_direct(dense(A), made.splitting, made.num_coarse),
                tolerance);
  }
}

/// All rows sum to zero, and weights to one.
TESSERA_TYPED_TEST(ClassicalInterpolation, InterpolatesConstants) {
  const auto A = without_a_ground<Scalar>();
  const double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 1e-3;
  for (const auto how :
       {Interpolation::extended_i, Interpolation::extended_e, Interpolation::classical_modified}) {
    const Made<Scalar, Space, Offset> made(exec, A, true, how);
    EXPECT_GT(made.num_coarse, 40);
    const Dense W = made.weights();
    std::size_t rows = 0;
    for (std::size_t i = 0; i < W.size(); ++i) {
      double sum = 0;
      for (const double weight : W[i])
        sum += weight;
      if (made.splitting.strong[i].empty() || sum == 0) continue;
      EXPECT_NEAR(sum, 1, tolerance) << i;
      ++rows;
    }
    EXPECT_GT(rows, 350U);
  }
}

/// Points 0 to 3 on a line, of which 0 and 3 are coarse: linear interpolation.
TESSERA_TYPED_TEST(ClassicalInterpolation, IsLinearOnALine) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(4));
  const auto found = kernels::strong_dependences(exec, A.view(), {0.25, 1.0});
  auto factors = amg::interpolation_pattern<Scalar, Space, Offset>(
      exec, found.strong, to_device(exec, std::vector<Ordinal>{0, -1, -1, 1}), 2,
      Interpolation::extended_i);
  amg::fill_interpolation(exec, A.view(), Interpolation::extended_i, factors);
  const Dense W = product(dense(to_host(factors.M)), dense(to_host(factors.N)));
  expect_near(W, {{1, 0}, {2. / 3, 1. / 3}, {1. / 3, 2. / 3}, {0, 1}}, 1e-6);
}

TESSERA_TYPED_TEST(ClassicalInterpolation, TakesNewValues) {
  const auto A = poisson<Scalar>(9, 8);
  for (const auto how : {Interpolation::extended_i, Interpolation::extended_e,
                         Interpolation::direct, Interpolation::classical_modified}) {
    Made<Scalar, Space, Offset> made(exec, A, true, how);
    const auto d = spread(A.num_rows, 0.05);
    const auto changed = scaled(A, d, d);
    const auto again = make_csr<Offset>(exec, changed);
    amg::fill_interpolation(exec, again.view(), how, made.factors);
    const auto expected = [&](const Dense& B) {
      switch (how) {
        case Interpolation::direct:
          return expected_direct(B, made.splitting, made.num_coarse);
        case Interpolation::classical_modified:
          return expected_modified(B, made.splitting, made.num_coarse);
        default:
          return expected_extended(B, made.splitting, made.num_coarse, how);
      }
    };
    expect_near(made.weights(), expected(dense(changed)), sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
  }
}

}  // namespace tessera::test::classical_interpolation_test
