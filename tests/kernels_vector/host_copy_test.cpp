// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a host can read is not copied to it.
#include "tessera/kernels/execution/host_copy.hpp"
#include "support/device.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::host_copy_test {

TESSERA_TEST_SUITE(HostCopy, Spaces, TypeNames);

TESSERA_TYPED_TEST(HostCopy, HoldsTheValuesAndIsTheViewItselfOnAHost) {
  const auto values = to_device(exec, std::vector<double>{3, 1, 2});
  const ArrayView<const double, Space> constants = values;
  const auto copy = kernels::copy_to_host(exec, constants);
  EXPECT_EQ(std::vector<double>(copy.data(), copy.data() + copy.extent(0)),
            (std::vector<double>{3, 1, 2}));
  constexpr bool is_readable =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;
  EXPECT_EQ(copy.data() == constants.data(), is_readable);
}

}  // namespace tessera::test::host_copy_test
