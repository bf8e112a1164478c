// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command from end to end.

#include "app/command_fixture.hpp"

namespace tessera::app::command_test {

using Json = nlohmann::json;

TEST_F(CommandTest, SolvesAProblemOfTheGallery) {
  const Outcome outcome = succeeds("solve --problem poisson2d --n 50");
  EXPECT_EQ(outcome.err, "") << "no progress in a pipe";
  expect_parts(outcome.out, {"2,500 unknowns", "level", "nonzeros", "operator complexity",
                             "iteration", "residual", "converged", "setup"});
}

TEST_F(CommandTest, TheReportHoldsWhatWasDone) {
  const std::string arguments =
      "solve --problem poisson2d --n 40 -p solver.tolerance=1e-10 --config c.json --report r.json "
      "--html r.html -o x.mtx --repeat 2";
  EXPECT_EQ(run(arguments).exit_code, 78) << "c.json is not there yet";
  EXPECT_FALSE(std::filesystem::exists(file("r.json")));
  write("c.json", R"({"solver": {"tolerance": 1e-4, "max_iterations": 77}})");
  succeeds(arguments);
  const Json r = report("r.json");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["parameters"]["solver"]["tolerance"], 1e-10) << "-p wins over the file";
  EXPECT_EQ(r["parameters"]["solver"]["max_iterations"], 77);
  EXPECT_LE(r["true_relative_residual"].get<double>(), 1e-10);
  EXPECT_EQ(r["residual_history"].size(), r["iterations"].get<std::size_t>() + 1);
  EXPECT_EQ(r["levels"][0]["rows"], 1600);
  EXPECT_GE(r["levels"].size(), 1u);
  EXPECT_EQ(r["repeats"]["solve_ms"].size(), 2u);
  EXPECT_FALSE(r["kernels"]["solve"].empty());
  int in_steps = 0;
  for (const Json& kernel : r["kernels"]["setup"]) {
    if (kernel["step"] == "") continue;
    ++in_steps;
    EXPECT_TRUE(kernel["level"].is_number()) << kernel;
  }
  EXPECT_GT(in_steps, 0);
  EXPECT_TRUE(contains(read("r.html"), "</html>"));
  EXPECT_TRUE(contains(read("x.mtx"), "1600 1"));
}

TEST_F(CommandTest, ThePreferencesOfAReportAreAConfiguration) {
  succeeds("solve --problem poisson2d --n 20 -p solver.max_iterations=55 --report r.json");
  write("again.json", report("r.json")["parameters"].dump());
  succeeds("solve --problem poisson2d --n 20 --config again.json --report s.json");
  EXPECT_EQ(report("r.json")["parameters"], report("s.json")["parameters"]);
}

TEST_F(CommandTest, ChoicesByLevelReachTheHierarchyAndItsReport) {
  write("c.json", R"({"amg": {"coarse_size": 30, "levels": [
      {"A": {"format": "mbsr"}, "smoother": {"type": "jacobi"}},
      {"A": {"format": "csr", "scalar": "half"}, "smoother": {"type": "chebyshev"}}]}})");
  const Outcome outcome = succeeds(
      "solve --problem poisson2d --n 60 --precision double --config c.json "
      "-p amg.levels.1.smoother.chebyshev.degree=3 -p amg.levels.2.A.scalar=float "
      "--report r.json");
  EXPECT_TRUE(contains(outcome.out, "smoothers from level 0 on: jacobi, chebyshev of degree 3"))
      << outcome.out;
  const Json r = report("r.json");
  ASSERT_GE(r["levels"].size(), 3U);
  EXPECT_EQ(r["levels"][0]["A"]["format"], "mbsr packed");
  EXPECT_EQ(r["levels"][0]["smoother"], "jacobi");
  EXPECT_EQ(r["levels"][1]["A"]["storage"], "half");
  EXPECT_EQ(r["levels"][1]["smoother"], "chebyshev of degree 3");
  EXPECT_TRUE(r["levels"].back()["smoother"].is_null());
  EXPECT_EQ(r["parameters"]["amg"]["levels"].size(), 3U);
  write("again.json", r["parameters"].dump());
  succeeds("solve --problem poisson2d --n 60 --config again.json --report s.json");
  const Json again = report("s.json");
  EXPECT_EQ(again["parameters"], r["parameters"]);
  EXPECT_EQ(again["iterations"], r["iterations"]);
  EXPECT_EQ(again["levels"][1]["A"]["storage"], "half");
}

/// Solves 2 x = 1 in each of three rows.
TEST_F(CommandTest, WritesTheSolutionOfAFile) {
  write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n");
  const Outcome outcome = succeeds("solve a.mtx -o x.mtx");
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
  const Outcome outcome = succeeds("solve --problem poisson2d --n 20 --quiet");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CommandTest, TheReportSaysWhenAndByWhichCommand) {
  succeeds("solve --problem poisson2d --n 20 --report 'r 1.json'");
  const auto json = report("r 1.json");
  const std::string date = json["date"];
  EXPECT_EQ(date.size(), 20u) << date;
  EXPECT_TRUE(date.starts_with("2") && date[10] == 'T' && date.ends_with("Z")) << date;
  const std::string line = json["command_line"];
  EXPECT_TRUE(line.ends_with("solve --problem poisson2d --n 20 --report 'r 1.json'")) << line;
  EXPECT_GT(json["peak_memory_bytes"], 1000000);
}

TEST_F(CommandTest, ToleranceIsShortForTheParameter) {
  write("c.json", R"({"solver": {"tolerance": 1e-4}})");
  const auto tolerance = [&](const std::string& arguments) {
    succeeds("solve --problem poisson2d --n 20 --report r.json " + arguments);
    return report("r.json")["parameters"]["solver"]["tolerance"].get<double>();
  };
  EXPECT_EQ(tolerance("--tolerance 1e-3"), 1e-3);
  succeeds(
      "solve --problem poisson2d --n 20 --tolerance 0 -p solver.absolute_tolerance=1e-3 "
      "--report r.json");
  EXPECT_EQ(report("r.json")["columns"][0]["by_absolute_tolerance"], true);
  EXPECT_LE(report("r.json")["true_relative_residual"], 1e-3 / 20);
  EXPECT_EQ(tolerance("--config c.json"), 1e-4);
  EXPECT_EQ(tolerance("--config c.json --tolerance 1e-5"), 1e-5);
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
  EXPECT_EQ(report("r.json")["advice"], advice);
  succeeds("solve --problem poisson2d --n 20 --report r.json");
  EXPECT_FALSE(report("r.json").contains("advice"));
}

TEST_F(CommandTest, TheNullspaceIsPickedUnlessItIsGiven) {
  const auto nullspace = [&](const std::string& arguments) {
    run("solve --n 20 --report r.json --problem " + arguments);
    return report("r.json")["parameters"]["solver"]["nullspace"];
  };
  EXPECT_EQ(nullspace("neumann2d"), "constant");
  EXPECT_EQ(nullspace("poisson2d"), "none");
  EXPECT_EQ(nullspace("neumann2d -p solver.nullspace=none"), "none");
  EXPECT_EQ(nullspace("neumann2d -p solver.nullspace=auto"), "constant");
}

TEST_F(CommandTest, ASystemWithoutASolutionEndsAtTheLeastSquaresSolution) {
  succeeds("gallery neumann2d --n 20 -o A.mtx");
  const Outcome ones = run("solve A.mtx --report r.json");  // b is all nullspace
  EXPECT_EQ(ones.exit_code, 6) << ones.out << ones.err;
  EXPECT_TRUE(contains(ones.out, "LEAST SQUARES")) << ones.out;
  const auto r = report("r.json");
  EXPECT_EQ(r["status"], "least_squares");
  EXPECT_NEAR(r["outside_range"].get<double>(), 1, 1e-12);
  const Outcome wrong = run("solve --problem poisson2d --n 20 -p solver.nullspace=constant");
  EXPECT_EQ(wrong.exit_code, 78) << wrong.out << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "solver.nullspace=constant: A does not annihilate")) << wrong.err;
}

TEST_F(CommandTest, EveryPrecisionAndSeveralRightHandSides) {
  for (const char* precision : {"auto", "double", "mixed"}) {
    succeeds(std::string("solve --problem poisson2d --n 40 --precision ") + precision);
  }
  succeeds("solve --problem poisson2d --n 40 --precision float -p solver.tolerance=1e-4");
  succeeds("solve --problem poisson2d --n 40 --nrhs 3 -o x.mtx");
  EXPECT_TRUE(contains(read("x.mtx"), "1600 3"));
}

TEST_F(CommandTest, TheSameRandomRightHandSideForTheSameSeed) {
  for (const char* name : {"a", "b"}) {
    const std::string arguments = "solve --problem poisson2d --n 20 --rhs random --seed 3 -o ";
    succeeds(arguments + name + ".mtx");
  }
  succeeds("solve --problem poisson2d --n 20 --rhs random --seed 4 -o c.mtx");
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
  EXPECT_NE(read("a.mtx"), read("c.mtx"));
}

TEST_F(CommandTest, GalleryWritesWhatSolveReads) {
  succeeds(
      "gallery elasticity3d --n 4 -o A.mtx --rhs b.mtx --near-nullspace modes.mtx "
      "--coordinates places.mtx");
  const Outcome modes =
      succeeds("solve A.mtx --rhs b.mtx --near-nullspace modes.mtx --block-size 3 --report m.json");
  const Outcome places =
      succeeds("solve A.mtx --rhs b.mtx --coordinates places.mtx --report p.json");
  EXPECT_EQ(report("m.json")["problem"]["near_nullspace_vectors"], 6);
  EXPECT_EQ(report("p.json")["problem"]["near_nullspace_vectors"], 6);
  succeeds("gallery poisson2d --n 10 -o B.tsr");
  const Outcome binary = succeeds("solve B.tsr");
  EXPECT_FALSE(contains(binary.out, "all ones")) << "a binary file brings its right-hand side";
}

TEST_F(CommandTest, GalleryListsAllProblems) {
  const Outcome outcome = succeeds("gallery");
  expect_parts(outcome.out,
               {"poisson2d", "poisson3d27", "unstructured_elasticity3d  linear", "beam", "lshape"});
}

TEST_F(CommandTest, SolvesAtTheEndOfAllDigits) {
  // Of a single vertex nothing turns.
  succeeds("solve --problem unstructured_elasticity3d --n 1");
  const char* const at_round_off[] = {
      "--problem neumann2d --n 5 --precision float",
      "--problem poisson2d --n 4 -p solver.name=cg -p solver.tolerance=0"};
  for (const std::string problem : at_round_off) {
    EXPECT_EQ(run("solve " + problem + " --report r.json").exit_code, 2) << problem;
    EXPECT_EQ(report("r.json")["status"], "stagnated") << problem;
    EXPECT_LT(report("r.json")["iterations"], 150) << problem;
  }
}

TEST_F(CommandTest, InfoDescribesAndRecommends) {
  succeeds("gallery poisson2d --n 12 -o A.mtx");
  const Outcome outcome = succeeds("info A.mtx");
  EXPECT_TRUE(contains(outcome.out, "144 x 144"));
  EXPECT_TRUE(contains(outcome.out, "solver.name=cg"));
  const Json json = Json::parse(run("info A.mtx --json").out);
  EXPECT_EQ(json["entries"], 672);
}

TEST_F(CommandTest, ParamsListsWhatSolveTakes) {
  const Outcome table = succeeds("params");
  EXPECT_TRUE(contains(table.out, "solver.tolerance = "));
  const Json schema = Json::parse(run("params --json-schema").out);
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["max_iterations"]["type"], "integer");
}

TEST_F(CommandTest, AConfigurationMayNameItsSchema) {
  write("c.json", R"({"$schema": "tessera.schema.json", "solver": {"max_iterations": 77}})");
  succeeds("solve --problem poisson2d --n 10 --config c.json");
  const Json schema = Json::parse(run("params --json-schema").out);
  EXPECT_EQ(schema["properties"]["$schema"]["type"], "string");
}

}  // namespace tessera::app::command_test
