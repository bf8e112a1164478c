// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is left of a guess by a launch that was lost on the way.
#include "tessera/solver/detail/kept_guess.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "support/device.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::test::kept_guess_test {

using Space = DeviceSpace;

class KeptGuessTest : public ::testing::Test {
 protected:
  Space exec;
  Array<double, Space> x{"x", 5};
  Array<double, Space> kept;
};

TEST_F(KeptGuessTest, IsThereAgainAfterAnError) {
  Kokkos::deep_copy(x, 3);
  const ArrayView<double, Space> view(x.data(), 5);
  EXPECT_THROW(detail::with_guess_kept(exec, kept, view,
                                       [&] {
                                         Kokkos::deep_copy(exec, view, 7);
                                         throw std::runtime_error("lost");
                                       }),
               std::runtime_error);
  EXPECT_EQ(to_host(x), std::vector<double>(5, 3));
}

TEST_F(KeptGuessTest, GivesWayToTheAnswer) {
  const ArrayView<double, Space> view(x.data(), 5);
  const int answer = detail::with_guess_kept(exec, kept, view, [&] {
    Kokkos::deep_copy(exec, view, 7);
    return 42;
  });
  EXPECT_EQ(answer, 42);
  EXPECT_EQ(to_host(x), std::vector<double>(5, 7));
}

TEST_F(KeptGuessTest, ItsRoomServesShorterOnes) {
  detail::with_guess_kept(exec, kept, ArrayView<double, Space>(x.data(), 5), [] {});
  const double* const room = kept.data();
  detail::with_guess_kept(exec, kept, ArrayView<double, Space>(x.data(), 2), [] {});
  detail::with_guess_kept(exec, kept, ArrayView<double, Space>(x.data(), 0), [] {});
  EXPECT_EQ(kept.data(), room);
}

}  // namespace tessera::test::kept_guess_test
