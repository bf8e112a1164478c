// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera compare` from end to end.

#include "app/command_fixture.hpp"
#include "app/saved_run.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::app::compare_test {

using Json = nlohmann::json;

/// The text with one blank where there are several.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

class CompareTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    succeeds("solve --problem poisson2d --n 40 --quiet --report a.json");
    succeeds(
        "solve --problem poisson2d --n 40 --quiet --report b.json --repeat 3 "
        "-p amg.smoother.type=chebyshev");
  }
};

TEST_F(CompareTest, TwoReportsSideBySide) {
  const Outcome outcome = succeeds("compare a.json b.json");
  EXPECT_EQ(outcome.err, "");
  expect_parts(squeezed(outcome.out),
               {"A a.json\nB b.json\n", "\nunknowns 1,600\n", "\nstatus converged converged\n",
                "\niterations ", "\ntrue residual ", "\nsetup ", "\n its extremes one run ",
                " ms to ", " ms x", "\namg.smoother.type ", " chebyshev\n",
                "\nsetup: ", "x: times that of A\n", "A: times of one run"});
  EXPECT_FALSE(contains(outcome.out, "WARNING")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "\033")) << "no colours in a pipe";
}

TEST_F(CompareTest, FiguresAreThoseOfTheReports) {
  succeeds("compare a.json b.json --quiet --json c.json --html c.html");
  const Json a = report("a.json"), b = report("b.json"), c = report("c.json");
  EXPECT_EQ(c["runs"][0]["iterations"], a["iterations"]);
  EXPECT_EQ(c["runs"][1]["iterations"], b["iterations"]);
  EXPECT_EQ(c["runs"][1]["true_relative_residual"], b["true_relative_residual"]);
  EXPECT_EQ(c["runs"][1]["setup"]["ms"], b["setup_ms"]);
  EXPECT_EQ(c["runs"][1]["solve"]["runs"], 3);
  EXPECT_DOUBLE_EQ(c["runs"][1]["solve"]["ratio_to_first"].get<double>(),
                   b["solve_ms"].get<double>() / a["solve_ms"].get<double>());
  EXPECT_EQ(c["runs"][1]["levels"], b["levels"].size());
  EXPECT_EQ(c["runs"][0]["operator_complexity"], a["operator_complexity"]);
  EXPECT_EQ(c["runs"][0]["command_line"], a["command_line"]);
  EXPECT_EQ(c["parameters"]["amg.smoother.type"][1], "chebyshev");
  EXPECT_EQ(c["setup_phases_ms"]["aggregation"][0], a["setup_phases_ms"]["aggregation"]);
  EXPECT_TRUE(contains(read("c.html"), "</html>"));
}

TEST_F(CompareTest, WarnsPlainlyOfOtherSystemsAndEndsWell) {
  const int code = run("solve --problem poisson2d --n 50 --quiet --report d.json "
                       "-p solver.max_iterations=1")
                       .exit_code;
  EXPECT_EQ(code, 2);
  const Outcome outcome = succeeds("compare a.json b.json d.json");
  expect_parts(squeezed(outcome.out),
               {"WARNING: C solves another system than A (poisson2d, 2,500 unknowns",
                "WARNING: C did not converge (max_iterations)", "\nunknowns 1,600 1,600 2,500\n"});
}

TEST_F(CompareTest, WithoutMultigridThereAreNoLevels) {
  succeeds("solve --problem poisson2d --n 40 --quiet --report n.json -p preconditioner=none");
  const Outcome outcome = succeeds("compare n.json n.json");
  EXPECT_TRUE(contains(squeezed(outcome.out), "\nlevels - -\n")) << outcome.out;
}

TEST_F(CompareTest, AReportComesThroughAPipe) {
  if (!std::filesystem::exists("/dev/stdin")) GTEST_SKIP() << "no /dev/stdin without /proc";
  const Outcome outcome = succeeds("compare - b.json --quiet --json -", "cat a.json |");
  EXPECT_EQ(Json::parse(outcome.out)["runs"][0]["file"], "/dev/stdin");
  EXPECT_EQ(run("compare - -", "cat a.json |").exit_code, 64);
}

TEST_F(CompareTest, AReportIsNeverOverwritten) {
  const std::string before = read("a.json");
  std::filesystem::create_symlink("a.json", file("link.html"));
  for (const char* output : {"--json a.json", "--html ./a.json", "--html link.html"}) {
    const Outcome outcome = run(std::string("compare b.json a.json ") + output);
    EXPECT_EQ(outcome.exit_code, 64) << output;
    EXPECT_TRUE(contains(outcome.err, "it would overwrite the report (a.json)")) << outcome.err;
  }
  EXPECT_EQ(read("a.json"), before);
  EXPECT_EQ(run("compare a.json b.json --json c --html ./c").exit_code, 64);
}

TEST_F(CompareTest, UpToEightReports) {
  const std::string seven = "compare a.json a.json a.json a.json a.json a.json a.json";
  succeeds(seven + " b.json");
  const Outcome outcome = run(seven + " b.json b.json");
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_TRUE(contains(outcome.err, "9 reports; at most 8")) << outcome.err;
}

TEST_F(CompareTest, AFullStandardOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  // The number sign hides where the fixture sends the output.
  EXPECT_EQ(run("compare a.json b.json >/dev/full 2>.err #").exit_code, 74);
}

TEST_F(CompareTest, FilesThatAreNoReports) {
  write("page.json", "<!doctype html><html></html>");
  write("half.json", read("a.json").substr(0, read("a.json").size() / 2));
  write("deep.json", std::string(100000, '['));
  write("deeper.json", std::string(100000, '[') + std::string(100000, ']'));
  write("huge.json", "{\"status\": 1e999}");
  const std::pair<const char*, const char*> files[] = {
      {"page.json", "page.json: this is a page of --html; give the JSON"},
      {"half.json", ": this is not JSON, or only a part of it; 'tessera solve"},
      {"deep.json", "deep.json:1: this is not JSON, or only a part of it"},
      {"deeper.json", "deeper.json: JSON, but no report of a solve: it holds array; "},
      {"huge.json", "huge.json: it holds a number that no double holds"}};
  for (const auto& [name, message] : files) {
    const Outcome outcome = run(std::string("compare a.json ") + name);
    EXPECT_EQ(outcome.exit_code, 65) << name;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
    EXPECT_EQ(outcome.out, "") << name;
  }
}

/// The places in a report, those in lists but for the first left out.
void collect_places(const Json& value, const Json::json_pointer& here,
                    std::vector<Json::json_pointer>& places) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      places.push_back(here / key);
      collect_places(member, here / key, places);
    }
  } else if (value.is_array() && !value.empty()) {
    places.push_back(here / 0);
    collect_places(value[0], here / 0, places);
  }
}

/// Each value of a report in turn is another one: it is taken, or refused by an error that names
/// the file.
TEST_F(CompareTest, AnyValueInAnyPlace) {
  Json a = report("a.json");
  a["parameters"].erase("amg");  // which are many, and like the others
  std::vector<Json::json_pointer> places;
  collect_places(a, Json::json_pointer(), places);
  ASSERT_GT(places.size(), 80U);
  const Json nested = Json::parse(std::string(40, '[') + std::string(40, ']'));
  const Json others[] = {nullptr,
                         true,
                         -1,
                         1e300,
                         "\x1b text",
                         Json::array({-1.5}),
                         Json::object(),
                         Json::array(),
                         nested,
                         18446744073709551615U};
  int refused = 0;
  for (const Json::json_pointer& place : places) {
    for (const Json& other : others) {
      Json changed = a;
      changed[place] = other;
      try {
        const SavedRun run = parse_saved_run(changed.dump(), "file.json");
        EXPECT_EQ(run.file, "file.json");
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_TRUE(std::string(error.what()).starts_with("file.json: ")) << error.what();
      }
    }
  }
  EXPECT_GT(refused, 200);
  Json endless = a;
  endless["solve_ms"] = 1e308;
  EXPECT_THROW(parse_saved_run(endless.dump(), "file.json"), Error) << "sums would be infinite";
}

TEST_F(CompareTest, EachMemberThatIsNeededIsMissed) {
  const Json a = report("a.json");
  for (const char* key : {"status", "iterations", "true_relative_residual", "residual_history",
                          "solver", "preconditioner", "precision", "problem", "device", "repeats",
                          "setup_ms", "solve_ms", "setup_phases_ms", "operator_complexity",
                          "levels", "hierarchy_bytes", "build", "parameters"}) {
    Json without = a;
    without.erase(key);
    try {
      parse_saved_run(without.dump(), "file.json");
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), std::string("no report of a solve: it has no '") + key))
          << error.what();
    }
  }
  Json older = a;
  for (const char* key : {"date", "command_line", "peak_memory_bytes"})
    older.erase(key);
  EXPECT_EQ(parse_saved_run(older.dump(), "file.json").date, "");
}

}  // namespace tessera::app::compare_test
