// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command from end to end.

#include <nlohmann/json.hpp>

#include "app/command_fixture.hpp"

namespace tessera::app::command_test {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CommandTest, SolvesAProblemOfTheGallery) {
  const Outcome outcome = run("solve --problem poisson2d --n 50");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "") << "no progress in a pipe";
  for (const char* part : {"2,500 unknowns", "level", "nonzeros", "operator complexity",
                           "iteration", "residual", "converged", "setup"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << part << " is not in\n" << outcome.out;
  }
}

TEST_F(CommandTest, TheReportHoldsWhatWasDone) {
  const Outcome outcome = run(
      "solve --problem poisson2d --n 40 -p solver.tolerance=1e-10 --config c.json --report r.json "
      "--html r.html -o x.mtx --repeat 2");
  EXPECT_EQ(outcome.exit_code, 78) << "c.json is not there yet";
  EXPECT_FALSE(std::filesystem::exists(file("r.json")));
  write("c.json", R"({"solver": {"tolerance": 1e-4, "max_iterations": 77}})");
  const Outcome second = run(
      "solve --problem poisson2d --n 40 -p solver.tolerance=1e-10 --config c.json --report r.json "
      "--html r.html -o x.mtx --repeat 2");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const Json report = Json::parse(read("r.json"));
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["parameters"]["solver"]["tolerance"], 1e-10) << "-p wins over the file";
  EXPECT_EQ(report["parameters"]["solver"]["max_iterations"], 77);
  EXPECT_LE(report["true_relative_residual"].get<double>(), 1e-10);
  EXPECT_EQ(report["residual_history"].size(), report["iterations"].get<std::size_t>() + 1);
  EXPECT_EQ(report["levels"][0]["rows"], 1600);
  EXPECT_GE(report["levels"].size(), 1u);
  EXPECT_EQ(report["repeats"]["solve_ms"].size(), 2u);
  EXPECT_FALSE(report["kernels"]["solve"].empty());
  EXPECT_TRUE(contains(read("r.html"), "</html>"));
  EXPECT_TRUE(contains(read("x.mtx"), "1600 1"));
}

TEST_F(CommandTest, ThePreferencesOfAReportAreAConfiguration) {
  ASSERT_EQ(
      run("solve --problem poisson2d --n 20 -p solver.max_iterations=55 --report r.json").exit_code,
      0);
  write("again.json", Json::parse(read("r.json"))["parameters"].dump());
  ASSERT_EQ(run("solve --problem poisson2d --n 20 --config again.json --report s.json").exit_code,
            0);
  EXPECT_EQ(Json::parse(read("r.json"))["parameters"], Json::parse(read("s.json"))["parameters"]);
}

TEST_F(CommandTest, ChoicesByLevelReachTheHierarchyAndItsReport) {
  write("c.json", R"({"amg": {"coarse_size": 30, "levels": [
      {"A": {"format": "mbsr"}, "smoother": {"type": "jacobi"}},
      {"A": {"format": "csr", "scalar": "half"}, "smoother": {"type": "chebyshev"}}]}})");
  const Outcome outcome =
      run("solve --problem poisson2d --n 60 --precision double --config c.json "
          "-p amg.levels.1.smoother.chebyshev.degree=3 -p amg.levels.2.A.scalar=float "
          "--report r.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "smoothers from level 0 on: jacobi, chebyshev of degree 3"))
      << outcome.out;
  const Json report = Json::parse(read("r.json"));
  ASSERT_GE(report["levels"].size(), 3U);
  EXPECT_EQ(report["levels"][0]["A"]["format"], "mbsr packed");
  EXPECT_EQ(report["levels"][0]["smoother"], "jacobi");
  EXPECT_EQ(report["levels"][1]["A"]["storage"], "half");
  EXPECT_EQ(report["levels"][1]["smoother"], "chebyshev of degree 3");
  EXPECT_TRUE(report["levels"].back()["smoother"].is_null());
  EXPECT_EQ(report["parameters"]["amg"]["levels"].size(), 3U);
  write("again.json", report["parameters"].dump());
  ASSERT_EQ(run("solve --problem poisson2d --n 60 --config again.json --report s.json").exit_code,
            0);
  const Json again = Json::parse(read("s.json"));
  EXPECT_EQ(again["parameters"], report["parameters"]);
  EXPECT_EQ(again["iterations"], report["iterations"]);
  EXPECT_EQ(again["levels"][1]["A"]["storage"], "half");
}

/// Solves 2 x = 1 in each of three rows.
TEST_F(CommandTest, WritesTheSolutionOfAFile) {
  write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n");
  const Outcome outcome = run("solve a.mtx -o x.mtx");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "all ones, because the file holds none"));
  std::istringstream lines(read("x.mtx"));
  std::vector<double> values;
  bool sized = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("%")) continue;
    if (sized) values.push_back(std::stod(line));
    sized = true;
  }
  ASSERT_EQ(values.size(), 3u);
  for (const double value : values)
    EXPECT_NEAR(value, 0.5, 1e-8);
}

TEST_F(CommandTest, QuietPrintsNothing) {
  const Outcome outcome = run("solve --problem poisson2d --n 20 --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CommandTest, ExitCodesSayHowItEnded) {
  EXPECT_EQ(run("solve --problem poisson2d --n 60 -p solver.max_iterations=1").exit_code, 2);
  write("indefinite.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
  write("b.txt", "1\n-1\n");
  EXPECT_EQ(
      run("solve indefinite.mtx --rhs b.txt -p solver.name=cg -p preconditioner=none").exit_code,
      4);
  EXPECT_EQ(run("solve --problem poisson2d --n 30 -p solver.name=richardson -p preconditioner=none "
                "-p solver.richardson.damping=10")
                .exit_code,
            3);
}

TEST_F(CommandTest, SaysWhatToTryWhereItDidNotConverge) {
  const Outcome outcome =
      run("solve --problem poisson2d --n 60 -p preconditioner=none -p solver.max_iterations=2 "
          "--report r.json");
  const std::string advice = "try preconditioner=amg, or a limit above solver.max_iterations=2";
  EXPECT_TRUE(contains(outcome.out, "\n" + advice + "\n")) << outcome.out;
  EXPECT_EQ(Json::parse(read("r.json"))["advice"], advice);
  ASSERT_EQ(run("solve --problem poisson2d --n 20 --report r.json").exit_code, 0);
  EXPECT_FALSE(Json::parse(read("r.json")).contains("advice"));
}

TEST_F(CommandTest, TheNullspaceIsPickedUnlessItIsGiven) {
  const auto nullspace = [&](const std::string& arguments) {
    run("solve --n 20 --report r.json --problem " + arguments);
    return Json::parse(read("r.json"))["parameters"]["solver"]["nullspace"];
  };
  EXPECT_EQ(nullspace("neumann2d"), "constant");
  EXPECT_EQ(nullspace("poisson2d"), "none");
  EXPECT_EQ(nullspace("neumann2d -p solver.nullspace=none"), "none");
  EXPECT_EQ(nullspace("neumann2d -p solver.nullspace=auto"), "constant");
}

TEST_F(CommandTest, ASystemWithoutASolutionEndsAtTheLeastSquaresSolution) {
  ASSERT_EQ(run("gallery neumann2d --n 20 -o A.mtx").exit_code, 0);
  const Outcome ones = run("solve A.mtx --report r.json");  // b is all nullspace
  EXPECT_EQ(ones.exit_code, 6) << ones.out << ones.err;
  EXPECT_TRUE(contains(ones.out, "LEAST SQUARES")) << ones.out;
  const auto report = Json::parse(read("r.json"));
  EXPECT_EQ(report["status"], "least_squares");
  EXPECT_NEAR(report["outside_range"].get<double>(), 1, 1e-12);
  const Outcome wrong = run("solve --problem poisson2d --n 20 -p solver.nullspace=constant");
  EXPECT_EQ(wrong.exit_code, 78) << wrong.out << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "solver.nullspace=constant: A does not annihilate")) << wrong.err;
}

TEST_F(CommandTest, EveryPrecisionAndSeveralRightHandSides) {
  for (const char* precision : {"auto", "double", "mixed"}) {
    const Outcome outcome =
        run(std::string("solve --problem poisson2d --n 40 --precision ") + precision);
    EXPECT_EQ(outcome.exit_code, 0) << precision << outcome.out << outcome.err;
  }
  const Outcome single =
      run("solve --problem poisson2d --n 40 --precision float -p solver.tolerance=1e-4");
  EXPECT_EQ(single.exit_code, 0) << single.out << single.err;
  const Outcome several = run("solve --problem poisson2d --n 40 --nrhs 3 -o x.mtx");
  EXPECT_EQ(several.exit_code, 0) << several.out << several.err;
  EXPECT_TRUE(contains(read("x.mtx"), "1600 3"));
}

TEST_F(CommandTest, TheSameRandomRightHandSideForTheSameSeed) {
  for (const char* name : {"a", "b"}) {
    const std::string arguments = "solve --problem poisson2d --n 20 --rhs random --seed 3 -o ";
    ASSERT_EQ(run(arguments + name + ".mtx").exit_code, 0);
  }
  ASSERT_EQ(run("solve --problem poisson2d --n 20 --rhs random --seed 4 -o c.mtx").exit_code, 0);
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
  EXPECT_NE(read("a.mtx"), read("c.mtx"));
}

TEST_F(CommandTest, GalleryWritesWhatSolveReads) {
  ASSERT_EQ(run("gallery elasticity3d --n 4 -o A.mtx --rhs b.mtx --near-nullspace modes.mtx "
                "--coordinates places.mtx")
                .exit_code,
            0);
  const Outcome modes =
      run("solve A.mtx --rhs b.mtx --near-nullspace modes.mtx --block-size 3 --report m.json");
  EXPECT_EQ(modes.exit_code, 0) << modes.out << modes.err;
  const Outcome places = run("solve A.mtx --rhs b.mtx --coordinates places.mtx --report p.json");
  EXPECT_EQ(places.exit_code, 0) << places.out << places.err;
  EXPECT_EQ(Json::parse(read("m.json"))["problem"]["near_nullspace_vectors"], 6);
  EXPECT_EQ(Json::parse(read("p.json"))["problem"]["near_nullspace_vectors"], 6);
  ASSERT_EQ(run("gallery poisson2d --n 10 -o B.tsr").exit_code, 0);
  const Outcome binary = run("solve B.tsr");
  EXPECT_EQ(binary.exit_code, 0) << binary.err;
  EXPECT_FALSE(contains(binary.out, "all ones")) << "a binary file brings its right-hand side";
}

TEST_F(CommandTest, GalleryListsAllProblems) {
  const Outcome outcome = run("gallery");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* name :
       {"poisson2d", "poisson3d27", "elasticity3d", "beam", "lshape", "neumann3d"}) {
    EXPECT_TRUE(contains(outcome.out, name)) << name;
  }
}

TEST_F(CommandTest, InfoDescribesAndRecommends) {
  ASSERT_EQ(run("gallery poisson2d --n 12 -o A.mtx").exit_code, 0);
  const Outcome outcome = run("info A.mtx");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "144 x 144"));
  EXPECT_TRUE(contains(outcome.out, "solver.name=cg"));
  const Json json = Json::parse(run("info A.mtx --json").out);
  EXPECT_EQ(json["entries"], 672);
}

TEST_F(CommandTest, ParamsListsWhatSolveTakes) {
  const Outcome table = run("params");
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_TRUE(contains(table.out, "solver.tolerance = "));
  const Json schema = Json::parse(run("params --json-schema").out);
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["max_iterations"]["type"], "integer");
}

TEST_F(CommandTest, AConfigurationMayNameItsSchema) {
  write("c.json", R"({"$schema": "tessera.schema.json", "solver": {"max_iterations": 77}})");
  const Outcome outcome = run("solve --problem poisson2d --n 10 --config c.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json schema = Json::parse(run("params --json-schema").out);
  EXPECT_EQ(schema["properties"]["$schema"]["type"], "string");
}

}  // namespace tessera::app::command_test
