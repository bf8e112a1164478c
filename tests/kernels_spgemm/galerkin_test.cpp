// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product, and its values again.

#include "tessera/kernels/spgemm/galerkin.hpp"
#include "kernels_spgemm/grid_matrix.hpp"
#include "kernels_spgemm/spgemm_test.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::kernels::test {
namespace galerkin_test {

template <class T>
struct GalerkinProduct : ::testing::Test {
  using Scalar = typename T::Scalar;
  using Space = typename T::Space;
  using Offset = typename T::Offset;
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
  expect_product(Ac, this->R, to_host(this->sorted_AP(plan)));
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
  expect_product(Ac, this->R, to_host(this->sorted_AP(plan)));
  const auto first = to_vector(Ac.values);
  galerkin_numeric(this->exec, plan, R.view(), new_A.view(), P.view(), Ac);
  this->exec.fence();
  EXPECT_EQ(first, to_vector(Ac.values));
  release_intermediate(plan);
  EXPECT_EQ(plan.AP.values.extent(0), 0U);
  galerkin_numeric(this->exec, plan, R.view(), A.view(), P.view(), Ac);
  this->exec.fence();
  EXPECT_EQ(to_vector(Ac.values),
            to_vector(galerkin_product(this->exec, R.view(), A.view(), P.view()).values));
}

/// Sums over 4 by 4 patches of a 5-point stencil, and the transpose as restriction: every row of
/// the coarse matrix sums to the row sums of A over its patch.
TYPED_TEST(GalerkinProduct, AggregatesOfAGrid) {
  constexpr Ordinal n = 64;
  const auto A = grid_matrix<typename TestFixture::Scalar, typename TestFixture::Space,
                             typename TestFixture::Offset>(this->exec, {n, false});
  HostMatrix P, R;
  P.num_rows = R.num_cols = n * n;
  P.num_cols = R.num_rows = n * n / 16;
  for (Ordinal i = 0; i < n * n; ++i) {
    P.columns.push_back(i % n / 4 + i / n / 4 * (n / 4));
    P.values.push_back(1.0);
    P.offsets.push_back(i + 1);
  }
  for (Ordinal aggregate = 0; aggregate < R.num_rows; ++aggregate) {
    const Ordinal corner = aggregate % (n / 4) * 4 + aggregate / (n / 4) * 4 * n;
    for (Ordinal k = 0; k < 16; ++k) {
      R.columns.push_back(corner + k % 4 + k / 4 * n);
      R.values.push_back(1.0);
    }
    R.offsets.push_back(16 * (aggregate + 1));
  }
  const auto Ac = to_host(
      galerkin_product(this->exec, this->upload(R).view(), A.view(), this->upload(P).view()));
  EXPECT_EQ(Ac.columns.size(), 5u * 16 * 16 - 4 * 16);
  for (Ordinal i = 0; i < Ac.num_rows; ++i)
    for (auto k = Ac.offsets[i]; k < Ac.offsets[i + 1]; ++k)
      EXPECT_EQ(Ac.values[k], Ac.columns[k] == i ? 16 : -4) << i << ", " << Ac.columns[k];
}

template <class Function>
std::string message_of(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::precondition);
    return error.what();
  }
  return "nothing was thrown";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TYPED_TEST(GalerkinProduct, ShapesThatDoNotFit) {
  const auto R = this->upload(this->R), A = this->upload(this->A), P = this->upload(this->P);
  for (const auto algorithm : {SpgemmAlgorithm::automatic, SpgemmAlgorithm::hash}) {
    expect_contains(message_of([&] { spgemm(this->exec, P.view(), A.view(), algorithm); }),
                    "A is 400 by 60 and B is 400 by 400");
  }
  expect_contains(message_of([&] { spgemm_numeric(this->exec, A.view(), P.view(), A); }),
                  "C is to be 400 by 60, but is 400 by 400");
  expect_contains(message_of([&] { galerkin_product(this->exec, P.view(), A.view(), R.view()); }),
                  "A is 400 by 400 and B is 60 by 400");
}

}  // namespace galerkin_test
}  // namespace tessera::kernels::test
