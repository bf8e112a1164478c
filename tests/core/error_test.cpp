// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/error.hpp"

#include "support/error_of.hpp"

#include <string_view>

namespace tessera::test::error_test {

/// Throws as a function of the library with a long signature does.
template <class T>
void refuse_argument(T) {
  require(false, [] { return std::string("x is 1, expected 2"); });
}

TEST(Error, SaysOnePlainSentence) {
  const auto error = error_of([] { refuse_argument(1.5); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()), "x is 1, expected 2");
  EXPECT_EQ(error->kind(), ErrorKind::precondition);
}

TEST(Error, KeepsThePlaceApart) {
  const auto error = error_of([] { refuse_argument(1.5); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string_view(error->where().function_name()).find("refuse_argument"),
            std::string_view::npos);
  EXPECT_NE(std::string_view(error->where().file_name()).find("error_test.cpp"),
            std::string_view::npos);
  EXPECT_GT(error->where().line(), 0U);
}

TEST(Error, ATrueConditionBuildsNoMessage) {
  require(true, []() -> std::string {
    ADD_FAILURE() << "the message was built";
    return "";
  });
}

}  // namespace tessera::test::error_test
