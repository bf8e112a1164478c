// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command reads and writes: files, pipes, standard output.

#include "app/command_fixture.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::app::command_files_test {

using CommandFilesTest = CommandTest;
using Json = nlohmann::json;

TEST_F(CommandFilesTest, AFullStandardOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  succeeds("gallery poisson2d --n 4 -o A.mtx");
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
  succeeds("gallery poisson2d --n 12 -o A.mtx.gz --rhs b.mtx.gz");
  succeeds("solve A.mtx.gz --rhs b.mtx.gz -o x.mtx.gz");
  for (const char* name : {"A.mtx.gz", "b.mtx.gz", "x.mtx.gz"}) {
    EXPECT_TRUE(read(name).starts_with("\x1f\x8b")) << name;
  }
  succeeds("solve A.mtx.gz --rhs b.mtx.gz -o x.mtx");
  succeeds("solve A.mtx.gz --rhs x.mtx.gz -o a.mtx");
  succeeds("solve A.mtx.gz --rhs x.mtx -o b.mtx");
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
}

TEST_F(CommandFilesTest, AMatrixComesThroughAPipe) {
  if (!std::filesystem::exists("/dev/stdin")) GTEST_SKIP() << "no /dev/stdin without /proc";
  const Outcome written = succeeds("gallery poisson2d --n 12 -o -");
  EXPECT_TRUE(contains(written.err, "144 rows")) << "not among the matrix";
  write("A.mtx", written.out);
  EXPECT_TRUE(written.out.starts_with("%%MatrixMarket"));
  const Outcome solved = succeeds("solve /dev/stdin -o x.mtx", "cat A.mtx |");
  EXPECT_TRUE(contains(solved.out, "144 unknowns")) << solved.out;
  succeeds("solve A.mtx -o y.mtx");
  EXPECT_EQ(read("x.mtx"), read("y.mtx"));
  succeeds("info -", "cat A.mtx |");
}

/// Whatever it gives, and whatever memory there is; each ends in a blink.
TEST_F(CommandFilesTest, APipeWithoutEndIsRefused) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  const auto refuses = [&](const char* arguments, const char* before, int code, const char* says) {
    const Outcome outcome = run(arguments, before);
    EXPECT_EQ(outcome.exit_code, code) << before << arguments << outcome.err;
    EXPECT_TRUE(contains(outcome.err, says)) << outcome.err;
  };
  refuses("solve -", "yes |", 65, "/dev/stdin:1: no Matrix Market banner");
  refuses("info /dev/zero", "", 65, "/dev/zero:1: no Matrix Market banner");
  succeeds("gallery poisson2d --n 4 -o A.mtx");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Where addresses are few CUDA finds no device, and HIP none.
  if (!kernels::is_host_space<DeviceSpace>) return;
  const char* few = "ulimit -v 4000000 &&";
  refuses("solve A.mtx --rhs /dev/zero", few, 5, "/dev/zero: no memory for its content");
  refuses("solve - ; }", "yes '%%MatrixMarket' | { ulimit -v 4000000 &&", 5,
          "/dev/stdin: no memory");
#endif
}

TEST_F(CommandFilesTest, AnInputIsNeverOverwritten) {
  succeeds("gallery poisson2d --n 10 -o A.mtx");
  const std::string before = read("A.mtx");
  std::filesystem::create_symlink("A.mtx", file("link.mtx"));
  std::filesystem::create_hard_link(file("A.mtx"), file("twin.mtx"));
  for (const char* output : {"A.mtx", "./A.mtx", "link.mtx", "twin.mtx"}) {
    EXPECT_EQ(run(std::string("solve A.mtx -o ") + output).exit_code, 64) << output;
    EXPECT_EQ(run(std::string("solve A.mtx --report ") + output).exit_code, 64) << output;
    EXPECT_EQ(run(std::string("solve A.mtx --html ") + output).exit_code, 64) << output;
  }
  EXPECT_EQ(read("A.mtx"), before);
  succeeds("solve A.mtx -o /dev/null --report /dev/null");
}

TEST_F(CommandFilesTest, TheLogHasWhatIsPrinted) {
  write("log.txt", "old");
  const Outcome outcome = succeeds("solve --problem poisson2d --n 20 --log log.txt");
  EXPECT_EQ(read("log.txt"), outcome.out);
  EXPECT_EQ(succeeds("solve --problem poisson2d --n 20 --log log.txt --quiet").out, "");
  expect_parts(read("log.txt"), {"400 unknowns", "operator complexity", "converged, "});
}

TEST_F(CommandFilesTest, TheLogHasTheError) {
  for (const char* arguments :
       {"solve missing.mtx", "solve --problem poisson2d -p solver.name=banana",
        "solve --problem poisson2d -o missing/x.mtx"}) {
    const Outcome outcome = run(std::string(arguments) + " --log log.txt");
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_EQ(read("log.txt"), outcome.err) << arguments;
  }
}

/// The log is the lesser loss.
TEST_F(CommandFilesTest, AFullDiskOfTheLogEndsNoSolve) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Outcome outcome = run("solve --problem poisson2d --n 20 -o x.mtx --log /dev/full");
  EXPECT_EQ(outcome.exit_code, 74);
  EXPECT_EQ(outcome.err, "tessera: --log /dev/full: cannot be written: No space left on device\n");
  EXPECT_TRUE(contains(outcome.out, "converged, "));
  EXPECT_TRUE(contains(read("x.mtx"), "400 1"));
}

TEST_F(CommandFilesTest, TheLogOverwritesNoOutput) {
  write("x.mtx", "old");
  EXPECT_EQ(run("solve --problem poisson2d --n 20 -o x.mtx --log ./x.mtx").exit_code, 64);
  EXPECT_EQ(read("x.mtx"), "old");
}

TEST_F(CommandFilesTest, AnOutputReplacesTheOldFileWhole) {
  if (!std::filesystem::exists("/dev/stdin")) GTEST_SKIP() << "no /dev/stdout without /proc";
  write("r.json", "old");
  succeeds("solve --problem poisson2d --n 10 --report r.json");
  EXPECT_TRUE(Json::accept(read("r.json")));
  for (const char* name : {"/dev/stdout", "-"}) {
    succeeds(std::string("solve --problem poisson2d --n 10 --quiet --report ") + name);
    EXPECT_TRUE(Json::accept(read(".out"))) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(file("-")));
  succeeds("solve --problem poisson2d --n 10 -o -");
  EXPECT_TRUE(contains(read(".out"), "converged")) << "what was printed before stays";
  EXPECT_TRUE(contains(read(".out"), "%%MatrixMarket matrix array real general\n100 1\n"));
}

}  // namespace tessera::app::command_files_test
