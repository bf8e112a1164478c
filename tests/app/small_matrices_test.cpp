// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command on the files of tests/matrices: what it says of them, and their solutions.
#include <filesystem>
#include <string>

#include "app/command_fixture.hpp"

namespace tessera::app::small_matrices_test {

class SmallMatrices : public CommandTest {
 protected:
  static std::string path_of(const std::string& name) {
    return "'" + (std::filesystem::path(TESSERA_SOURCE_FOLDER) / "tests/matrices" / name).string() +
           "'";
  }
  void info_says(const std::string& name, std::initializer_list<const char*> parts) const {
    SCOPED_TRACE(name);
    expect_parts(succeeds("info " + path_of(name)).out, parts);
  }
};

TEST_F(SmallMatrices, InfoSaysWhatTheyAre) {
  info_says("grid.mtx", {"64 x 64, 484 entries", "symmetric, exactly", "no zeros, none negative",
                         "solver.name=cg"});
  info_says("flow.mtx", {"64 x 64, 288 entries", "pattern symmetric, values not",
                         "100.0% of the rows, 43.8% strictly", "solver.name=gmres"});
  info_says("solid.mtx.gz", {"54 x 54, 1764 entries", "symmetric, exactly", "solver.name=cg"});
  info_says("central_flow.mtx", {"64 x 64, 224 entries", "pattern symmetric, values not",
                                 "64 zero or missing", "solver.name=gmres"});
  info_says("triangles.mtx",
            {"64 x 64, 386 entries", "from 1.000e+00 to 1.000e+00", "symmetric, exactly"});
  info_says("edges.mtx", {"112 x 64, 224 entries", "mean 2.00, from 2 to 2", "not square"});
}

TEST_F(SmallMatrices, AreSolved) {
  for (const char* name : {"grid.mtx", "flow.mtx", "solid.mtx.gz"}) {
    for (const char* settings : {"", " -p amg.coarse_size=8", " -p precision=float"}) {
      SCOPED_TRACE(name + std::string(settings));
      succeeds("solve " + path_of(name) + settings + " --report r.json");
      EXPECT_EQ(report("r.json")["status"], "converged");
    }
  }
  succeeds("solve " + path_of("central_flow.mtx"));
}

TEST_F(SmallMatrices, OthersAreRefused) {
  const Outcome outcome = run("solve " + path_of("edges.mtx"));
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_TRUE(contains(outcome.err, "the matrix is 112 x 64; expected a square one"))
      << outcome.err;
}

}  // namespace tessera::app::small_matrices_test
