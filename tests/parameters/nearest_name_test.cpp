// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/parameters/nearest_name.hpp"

#include <gtest/gtest.h>

namespace tessera::parameters::nearest_name_test {

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

TEST(NearestName, KnowsAbbreviations) {
  const std::vector<std::string> known{"solver.tiles", "solver.time_limit_s", "solver.tolerance",
                                       "solver.max_iterations", "solver.gmres.restart"};
  EXPECT_EQ(nearest_name("solver.tol", known), "solver.tolerance") << "nearer to solver.tiles";
  EXPECT_EQ(nearest_name("SOLVER.Tol", known), "solver.tolerance");
  EXPECT_EQ(nearest_name("tol", known), "solver.tolerance");
  EXPECT_EQ(nearest_name("max_iter", known), "solver.max_iterations");
  EXPECT_EQ(nearest_name("sol.gm.rest", known), "solver.gmres.restart");
  EXPECT_EQ(nearest_name("to", known), "") << "two letters begin too many names";
  EXPECT_EQ(nearest_name("solver", known), "") << "a section, of two parts";
  const std::vector<std::string> options{"--repeat", "--tolerance", "--nrhs", "--n"};
  EXPECT_EQ(nearest_name("--tol", options), "--tolerance");
  const std::vector<std::string> nested{"poisson3d27", "poisson3d", "poisson3d9"};
  EXPECT_EQ(nearest_name("poisson", nested), "poisson3d") << "the shortest";
}

TEST(NearestName, KnowsASectionThatIsLeftOut) {
  const std::vector<std::string> known{"amg.coarsening",
                                       "amg.coarse_size",
                                       "amg.smoothed_aggregation.aggregation",
                                       "amg.smoothed_aggregation.strength_threshold",
                                       "amg.levels.0.coarsening.smoothed_aggregation.aggregation",
                                       "amg.levels.0.A.scalar"};
  EXPECT_EQ(nearest_name("amg.strength_threshold", known), known[3]);
  EXPECT_EQ(nearest_name("strength_threshold", known), known[3]);
  EXPECT_EQ(nearest_name("amg.aggregation", known), known[2]);
  EXPECT_EQ(nearest_name("amg.levels.0.coarsening.aggregation", known), known[4]);
  EXPECT_EQ(nearest_name("amg.levels.0.aggregation", known), known[4]);
  EXPECT_EQ(nearest_name("amg.coarsning", known), known[0]) << "a misspelt one";
  EXPECT_EQ(nearest_name("amg.scalar", known), "") << "all levels', not the first one's";
  const std::vector<std::string> alike{"a.name.name"};
  EXPECT_EQ(nearest_name("a.name", alike), alike[0]);
}

}  // namespace tessera::parameters::nearest_name_test
