// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products are rounded before they are added to anything.
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/rounded_product.hpp"

#include <vector>

namespace tessera::test::rounded_product_test {

TESSERA_TEST_SUITE(RoundedProduct, Spaces, TypeNames);

template <class Space>
struct AddProducts {
  Array<const double, Space> a, b;
  Array<double, Space> sums;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    sums(i) += kernels::rounded_product(a(i), b(i));
  }
};

/// (1 + 2^-30) (1 - 2^-30) is 1 - 2^-60, of which one operation would leave the last part.
TESSERA_TYPED_TEST(RoundedProduct, IsRoundedBeforeItIsAdded) {
  const auto a = to_device(exec, std::vector<double>{1 + 0x1p-30, 3, 0x1p-1000});
  const auto b = to_device(exec, std::vector<double>{1 - 0x1p-30, -5, 0x1p-1000});
  const auto sums = to_device(exec, std::vector<double>{-1, 15, 2});
  Kokkos::parallel_for("add_products", Kokkos::RangePolicy<Space>(exec, 0, sums.extent(0)),
                       AddProducts<Space>{a, b, sums});
  EXPECT_EQ(to_host(sums), (std::vector<double>{0, 0, 2}));
}

}  // namespace tessera::test::rounded_product_test
