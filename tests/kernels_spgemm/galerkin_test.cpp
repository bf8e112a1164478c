// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product, and its values again.

#include "tessera/kernels/spgemm/galerkin.hpp"
#include "kernels_spgemm/grid_matrix.hpp"
#include "kernels_spgemm/spgemm_test.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::kernels::test::galerkin_test {

template <class T>
struct GalerkinProduct : ::testing::Test {
  TESSERA_TEST_TYPES(T);
  using Matrix = Csr<Scalar, Space, Offset>;

  Space exec;
  HostMatrix R = random_matrix(60, 400, [](Ordinal row) { return 10 + row % 30; }, 1);
  HostMatrix A = random_matrix(400, 400, [](Ordinal row) { return row % 9; }, 2);
  HostMatrix P = random_matrix(400, 60, [](Ordinal row) { return row % 4; }, 3);

  /// A P as `expect_product` takes it.
  template <class Plan>
  Matrix sorted_AP(const Plan& plan) {
    return sort_rows(exec, plan.AP.view());
  }

  Matrix upload(const HostMatrix& matrix) { return to_space<Scalar, Space, Offset>(exec, matrix); }
};
TYPED_TEST_SUITE(GalerkinProduct, Matrices, TypeNames);

TYPED_TEST(GalerkinProduct, IsTheProductOfProducts) {
  const auto R = this->upload(this->R), A = this->upload(this->A), P = this->upload(this->P);
  GalerkinPlan<typename TestFixture::Scalar, typename TestFixture::Space,
               typename TestFixture::Offset>
      plan;
  const auto Ac = galerkin_product(this->exec, R.view(), A.view(), P.view(), plan);
  expect_product(this->sorted_AP(plan), this->A, this->P);
  expect_product(Ac, this->R, in_double(this->sorted_AP(plan)));
  expect_same_bits(Ac, galerkin_product(this->exec, R.view(), A.view(), P.view()));
}

TYPED_TEST(GalerkinProduct, NewValuesInTheOldPattern) {
  using Scalar = typename TestFixture::Scalar;
  const auto R = this->upload(this->R), A = this->upload(this->A), P = this->upload(this->P);
  GalerkinPlan<Scalar, typename TestFixture::Space, typename TestFixture::Offset> plan;
  const auto Ac = galerkin_product(this->exec, R.view(), A.view(), P.view(), plan);
  HostMatrix changed = this->A;
  for (std::size_t k = 0; k < changed.values.size(); ++k)
    changed.values[k] *= 1.0 + k % 8;
  const auto new_A = this->upload(changed);
  galerkin_numeric(this->exec, plan, R.view(), new_A.view(), P.view(), Ac);
  this->exec.fence();
  expect_product(this->sorted_AP(plan), changed, this->P);
  expect_product(Ac, this->R, in_double(this->sorted_AP(plan)));
  const auto first = to_host(Ac.values);
  galerkin_numeric(this->exec, plan, R.view(), new_A.view(), P.view(), Ac);
  this->exec.fence();
  EXPECT_EQ(first, to_host(Ac.values));
  release_intermediate(plan);
  EXPECT_EQ(plan.AP.values.extent(0), 0U);
  galerkin_numeric(this->exec, plan, R.view(), A.view(), P.view(), Ac);
  this->exec.fence();
  EXPECT_EQ(to_host(Ac.values),
            to_host(galerkin_product(this->exec, R.view(), A.view(), P.view()).values));
}

/// Sums over 4 by 4 patches of a 5-point stencil, and the transpose as restriction: every row of
/// the coarse matrix sums to the row sums of A over its patch.
TYPED_TEST(GalerkinProduct, AggregatesOfAGrid) {
  constexpr Ordinal n = 64;
  const auto A = grid_matrix<typename TestFixture::Scalar, typename TestFixture::Space,
                             typename TestFixture::Offset>(this->exec, {n, false});
  const auto P = by_rows<double>(
      n * n, n * n / 16, [](auto& P, Ordinal i) { P.push(i % n / 4 + i / n / 4 * (n / 4), 1); });
  const auto R = ::tessera::test::transpose(P);
  const auto Ac = in_double(
      galerkin_product(this->exec, this->upload(R).view(), A.view(), this->upload(P).view()));
  EXPECT_EQ(Ac.columns.size(), 5u * 16 * 16 - 4 * 16);
  for (Ordinal i = 0; i < Ac.num_rows; ++i)
    for (auto k = Ac.offsets[i]; k < Ac.offsets[i + 1]; ++k)
      EXPECT_EQ(Ac.values[k], Ac.columns[k] == i ? 16 : -4) << i << ", " << Ac.columns[k];
}

TYPED_TEST(GalerkinProduct, ShapesThatDoNotFit) {
  const auto R = this->upload(this->R), A = this->upload(this->A), P = this->upload(this->P);
  const auto expect_refused = [](const auto& call, const char* part) {
    using namespace ::tessera::test;
    expect_error(error_of(call), ErrorKind::precondition, {part});
  };
  for (const auto algorithm : {SpgemmAlgorithm::automatic, SpgemmAlgorithm::hash}) {
    expect_refused([&] { spgemm(this->exec, P.view(), A.view(), algorithm); },
                   "A is 400 by 60 and B is 400 by 400");
  }
  expect_refused([&] { spgemm_numeric(this->exec, A.view(), P.view(), A); },
                 "C is to be 400 by 60, but is 400 by 400");
  expect_refused([&] { galerkin_product(this->exec, P.view(), A.view(), R.view()); },
                 "A is 400 by 400 and B is 60 by 400");
}

}  // namespace tessera::kernels::test::galerkin_test
