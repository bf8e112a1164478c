// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/nearest_name.hpp"

#include <gtest/gtest.h>

namespace tessera::parameters {
namespace {

TEST(NearestName, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ab", "ba"), 1u) << "a swap is one edit";
  EXPECT_EQ(edit_distance("CG", "cg"), 0u);
}

TEST(NearestName, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> known{"poisson2d", "poisson3d", "beam"};
  EXPECT_EQ(nearest_name("poison3d", known), "poisson3d");
  EXPECT_EQ(nearest_name("bean", known), "beam");
  EXPECT_EQ(nearest_name("elasticity", known), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace tessera::parameters
