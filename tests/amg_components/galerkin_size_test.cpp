// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/galerkin_size.hpp"

#include "support/device.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"

#include <limits>

namespace tessera::test::galerkin_size_test {

TESSERA_TEST_SUITE(GalerkinSizeTest, Matrices, TypeNames);

constexpr std::size_t any_length = std::numeric_limits<std::size_t>::max();

/// n by n / 3 * m: row i has the m columns of aggregate i / 3, and those of `further` others.
template <class Scalar>
HostMatrix<Scalar> prolongator(Ordinal n, Ordinal m, Ordinal further) {
  return by_rows<Scalar>(n, n / 3 * m, [&](auto& P, Ordinal i) {
    const Ordinal aggregates = std::min(n / 3, further + 1);
    for (Ordinal k = 0; k < aggregates; ++k) {
      for (Ordinal b = 0; b < m; ++b)
        P.push((i / 3 + 7 * k) % (n / 3) * m + b, Scalar(1));
    }
  });
}

TESSERA_TYPED_TEST(GalerkinSizeTest, EstimatesTheEntriesOfTheProduct) {
  for (const Ordinal m : {1, 3}) {
    for (const Ordinal further : {0, 2, 9}) {
      const auto A = make_csr<Offset>(exec, poisson<Scalar>(30, 30));
      const auto P = make_csr<Offset>(exec, prolongator<Scalar>(900, m, further));
      const auto R = kernels::transpose(exec, P.view());
      const auto exact = kernels::galerkin_product(exec, R.view(), A.view(), P.view());
      const auto entries = static_cast<double>(exact.num_entries());
      EXPECT_NEAR(amg::estimate_galerkin_entries(exec, A.view(), P.view(), m), entries,
                  0.25 * entries)
          << m << ", " << further;
    }
  }
}

TESSERA_TYPED_TEST(GalerkinSizeTest, DecidesByWorkAndSize) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(30, 30));
  const auto fits = [&](Ordinal m, Ordinal further, double max_entries) {
    const auto P = make_csr<Offset>(exec, prolongator<Scalar>(900, m, further));
    return amg::galerkin_product_fits(exec, A.view(), P.view(), m, any_length,
                                      static_cast<double>(A.num_entries()), max_entries);
  };
  EXPECT_TRUE(fits(1, 7, 1)) << "easy, and left to the product";
  EXPECT_TRUE(fits(3, 7, 1)) << "m columns are one aggregate";
  EXPECT_TRUE(fits(1, 11, 90000)) << "300 by 300 at the most";
  EXPECT_FALSE(fits(1, 11, 5000));
  EXPECT_FALSE(fits(1, 40, 90000)) << "hard";
}

}  // namespace tessera::test::galerkin_size_test
