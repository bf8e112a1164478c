// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command says of itself.

#include <algorithm>

#include "app/command_fixture.hpp"

namespace tessera::app::help_test {

using HelpTest = CommandTest;

TEST_F(HelpTest, HelpTeaches) {
  for (const char* arguments : {"--help", "solve --help", "gallery --help", "info --help",
                                "compare --help", "params --help"}) {
    const Outcome outcome = succeeds(arguments);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(contains(outcome.out, "--help")) << arguments;
  }
  EXPECT_TRUE(contains(run("--help").out, "tessera solve --problem poisson3d --n 100"));
  EXPECT_TRUE(contains(run("solve --help").out, "--poisson-ratio"));
}

TEST_F(HelpTest, HelpKeepsTheColumnsOfItsExamples) {
  EXPECT_TRUE(contains(run("--help").out,
                       "\n  tessera info matrix.mtx                       what kind of matrix is "
                       "this?\n"));
  EXPECT_TRUE(contains(run("solve --help").out,
                       "\n      settings.json: {\"solver\": {\"name\": "
                       "\"gmres\"}, \"amg.max_levels\": 10}; -p wins over "
                       "the file.\n"));
}

TEST_F(HelpTest, EachCommandHasItsOwnExamples) {
  for (const std::string command : {"solve", "info", "gallery", "compare", "params"}) {
    const std::string help = run(command + " --help").out;
    const std::string examples = help.substr(std::min(help.find("Examples:"), help.size()));
    EXPECT_TRUE(contains(examples, "\n  tessera " + command)) << help;
    for (const std::string other : {"solve", "info", "gallery", "compare", "params"}) {
      EXPECT_EQ(contains(examples, "\n  tessera " + other), other == command) << help;
    }
  }
}

TEST_F(HelpTest, HelpNamesTheDefaults) {
  expect_parts(run("solve --help").out, {"[problem]", "[auto]", "[as many", "[1]", "[0.3]"});
}

TEST_F(HelpTest, VersionNamesKokkosAndTheSpaces) {
  const Outcome outcome = succeeds("--version");
  expect_parts(outcome.out, {"tessera ", "Kokkos ", "execution spaces: ", "compiled by "});
}

}  // namespace tessera::app::help_test
