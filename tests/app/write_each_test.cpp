// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One output that fails takes no other with it.
#include <gtest/gtest.h>

#include <new>
#include <string>

#include "app/exit_code.hpp"
#include "app/output_file.hpp"

namespace tessera::app {
namespace write_each_test {

TEST(WriteEach, GoesOnToTheLastAndThrowsTheFirstFailure) {
  std::string calls;
  const auto fail = [&calls](const char* name) {
    return [&calls, name] {
      calls += name;
      throw OutputError(name);
    };
  };
  try {
    write_each({[&] { calls += "a"; }, fail("b"), fail("c"), [&] { calls += "d"; }});
    FAIL() << "no failure";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "b");
  }
  EXPECT_EQ(calls, "abcd");
  EXPECT_NO_THROW(write_each({[] {}}));
  // What is no matter of the output ends it at once.
  EXPECT_THROW(write_each({[] { throw std::bad_alloc(); }, [&] { calls += "e"; }}), std::bad_alloc);
  EXPECT_EQ(calls, "abcd");
}

}  // namespace write_each_test
}  // namespace tessera::app
