// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/parameters/words.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/solve/parameters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::parameters::words_test {

TEST(Words, AreWhatIsBetweenWhiteSpace) {
  EXPECT_EQ(words_of(" a=1\t\n b \r c=d=e "), (std::vector<std::string>{"a=1", "b", "c=d=e"}));
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" \n").empty());
}

TEST(Words, AreSplitAtTheFirstEqualsSign) {
  const auto word = split_word("a.b=c=d");
  ASSERT_TRUE(word);
  EXPECT_EQ(word->key, "a.b");
  EXPECT_EQ(word->value, "c=d");
  const auto empty = split_word("a=");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->value, "");
  const auto blanks = split_word(" a.b = c d ");
  ASSERT_TRUE(blanks);
  EXPECT_EQ(blanks->key, "a.b");
  EXPECT_EQ(blanks->value, "c d");
  EXPECT_FALSE(split_word(" =a"));
  EXPECT_FALSE(split_word("a"));
  EXPECT_FALSE(split_word("=a"));
  EXPECT_FALSE(split_word(""));
}

TEST(Words, SetParameters) {
  SolveParameters parameters;
  ParameterTree tree(parameters);
  set_from_words(tree, "solver.tolerance=1e-3\n solver.max_iterations=7 solver.max_iterations=8");
  EXPECT_EQ(parameters.solver.tolerance, 1e-3);
  EXPECT_EQ(parameters.solver.max_iterations, 8);
}

TEST(Words, ThatAreNoneAreErrorsThatShowThem) {
  SolveParameters parameters;
  ParameterTree tree(parameters);
  const auto message = [&](const char* text) -> std::string {
    try {
      set_from_words(tree, text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::configuration);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(message("verbose"), "verbose: expected key=value, in one word");
  EXPECT_NE(message("solver.tolerence=1").find("solver.tolerence=1"), std::string::npos);
  EXPECT_NE(message("solver.tolerence=1").find("did you mean 'solver.tolerance'"),
            std::string::npos);
}

}  // namespace tessera::parameters::words_test
