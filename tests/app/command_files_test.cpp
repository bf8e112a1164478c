// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command reads and writes: files, pipes, standard output.

#include <nlohmann/json.hpp>

#include "app/command_fixture.hpp"

namespace tessera::app::command_files_test {

using CommandFilesTest = CommandTest;
using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CommandFilesTest, AFullStandardOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  ASSERT_EQ(run("gallery poisson2d --n 4 -o A.mtx").exit_code, 0);
  for (const char* arguments :
       {"solve A.mtx", "info A.mtx", "params", "params --json-schema", "gallery",
        "gallery poisson2d --n 4 -o B.mtx", "--version", "--help", "solve --help"}) {
    // The number sign hides where the fixture sends the output.
    const Outcome outcome = run(std::string(arguments) + " 2>.err >/dev/full #");
    EXPECT_EQ(outcome.exit_code, 74) << arguments;
    EXPECT_EQ(outcome.err, "tessera: standard output: cannot be written: No space left on device\n")
        << arguments;
  }
}

TEST_F(CommandFilesTest, OutputsArePackedWhereTheirNamesSaySo) {
  ASSERT_EQ(run("gallery poisson2d --n 12 -o A.mtx.gz --rhs b.mtx.gz").exit_code, 0);
  const Outcome outcome = run("solve A.mtx.gz --rhs b.mtx.gz -o x.mtx.gz");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"A.mtx.gz", "b.mtx.gz", "x.mtx.gz"}) {
    EXPECT_TRUE(read(name).starts_with("\x1f\x8b")) << name;
  }
  ASSERT_EQ(run("solve A.mtx.gz --rhs b.mtx.gz -o x.mtx").exit_code, 0);
  EXPECT_EQ(run("solve A.mtx.gz --rhs x.mtx.gz -o a.mtx").exit_code, 0);
  EXPECT_EQ(run("solve A.mtx.gz --rhs x.mtx -o b.mtx").exit_code, 0);
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
}

TEST_F(CommandFilesTest, AMatrixComesThroughAPipe) {
  if (!std::filesystem::exists("/dev/stdin")) GTEST_SKIP() << "no /dev/stdin without /proc";
  const Outcome written = run("gallery poisson2d --n 12 -o -");
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_TRUE(contains(written.err, "144 rows")) << "not among the matrix";
  write("A.mtx", written.out);
  EXPECT_TRUE(written.out.starts_with("%%MatrixMarket"));
  const Outcome solved = run("solve /dev/stdin -o x.mtx", "cat A.mtx |");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_TRUE(contains(solved.out, "144 unknowns")) << solved.out;
  ASSERT_EQ(run("solve A.mtx -o y.mtx").exit_code, 0);
  EXPECT_EQ(read("x.mtx"), read("y.mtx"));
  EXPECT_EQ(run("info /dev/stdin", "cat A.mtx |").exit_code, 0);
}

TEST_F(CommandFilesTest, AnInputIsNeverOverwritten) {
  ASSERT_EQ(run("gallery poisson2d --n 10 -o A.mtx").exit_code, 0);
  const std::string before = read("A.mtx");
  std::filesystem::create_symlink("A.mtx", file("link.mtx"));
  std::filesystem::create_hard_link(file("A.mtx"), file("twin.mtx"));
  for (const char* output : {"A.mtx", "./A.mtx", "link.mtx", "twin.mtx"}) {
    EXPECT_EQ(run(std::string("solve A.mtx -o ") + output).exit_code, 64) << output;
    EXPECT_EQ(run(std::string("solve A.mtx --report ") + output).exit_code, 64) << output;
    EXPECT_EQ(run(std::string("solve A.mtx --html ") + output).exit_code, 64) << output;
  }
  EXPECT_EQ(read("A.mtx"), before);
  EXPECT_EQ(run("solve A.mtx -o /dev/null --report /dev/null").exit_code, 0) << "no file at all";
}

TEST_F(CommandFilesTest, AnOutputReplacesTheOldFileWhole) {
  if (!std::filesystem::exists("/dev/stdin")) GTEST_SKIP() << "no /dev/stdout without /proc";
  write("r.json", "old");
  ASSERT_EQ(run("solve --problem poisson2d --n 10 --report r.json").exit_code, 0);
  EXPECT_TRUE(Json::accept(read("r.json")));
  for (const char* name : {"/dev/stdout", "-"}) {
    EXPECT_EQ(
        run(std::string("solve --problem poisson2d --n 10 --quiet --report ") + name).exit_code, 0);
    EXPECT_TRUE(Json::accept(read(".out"))) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(file("-")));
  ASSERT_EQ(run("solve --problem poisson2d --n 10 -o -").exit_code, 0);
  EXPECT_TRUE(contains(read(".out"), "converged")) << "what was printed before stays";
  EXPECT_TRUE(contains(read(".out"), "%%MatrixMarket matrix array real general\n100 1\n"));
}

}  // namespace tessera::app::command_files_test
