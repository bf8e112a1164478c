// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/output_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "app/command_fixture.hpp"
#include "app/exit_code.hpp"
#include "app/interrupt.hpp"

namespace tessera::app::output_file_test {

class OutputFileTest : public FolderTest {
 protected:
  std::string path(const std::string& name) const { return file(name).string(); }
  std::size_t files() const {
    const auto begin = std::filesystem::directory_iterator(file(""));
    return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
  }
};

TEST_F(OutputFileTest, CheckingLeavesNothingBehind) {
  const OutputFile output("-o", path("x"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, WritesAndReplaces) {
  const OutputFile output("-o", path("x"));
  output.write("first, and longer");
  output.write("second");
  EXPECT_EQ(read_file(path("x")), "second");
  EXPECT_EQ(files(), 1u) << "no temporary file is left";
}

TEST_F(OutputFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_THROW(OutputFile("-o", path("missing/x")), OutputError);
  EXPECT_THROW(OutputFile("-o", path("")), OutputError) << "a folder";
  try {
    const OutputFile output("--html", path("missing/x"));
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("--html " + path("missing/x")))
        << error.what();
  }
}

TEST_F(OutputFileTest, KeepsTheOldFileWhereTheNewOneFails) {
  std::filesystem::create_directory(path("folder"));
  const OutputFile output("-o", path("folder/x"));
  output.write("old");
  std::filesystem::rename(path("folder"), path("elsewhere"));
  EXPECT_THROW(output.write("new"), OutputError);
  EXPECT_EQ(read_file(path("elsewhere/x")), "old");
}

TEST_F(OutputFileTest, FollowsALink) {
  std::ofstream(path("target")) << "old";
  std::filesystem::create_symlink(path("target"), path("link"));
  OutputFile("-o", path("link")).write("new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target")), "new");
}

TEST_F(OutputFileTest, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const OutputFile output("--report", "/dev/full");
  EXPECT_THROW(output.write("anything"), OutputError);
}

TEST(Interrupt, TheFirstSignalAsksAndTheSecondHasItsDefault) {
  const InterruptGuard guard(true);
  EXPECT_FALSE(InterruptGuard::requested());
  std::raise(SIGINT);
  EXPECT_TRUE(InterruptGuard::requested());
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(Interrupt, SaysWhenTheStopComesWhereThatIsNotAtOnce) {
  struct Case {
    bool quiet, stoppable, says;
  };
  for (const Case& c : {Case{false, false, true}, Case{false, true, false}, {true, false, false}}) {
    const InterruptGuard guard(c.quiet);
    InterruptGuard::set_stoppable(c.stoppable);
    testing::internal::CaptureStderr();
    std::raise(SIGINT);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("stopping after the setup") != std::string::npos, c.says) << said;
    EXPECT_TRUE(InterruptGuard::requested());
  }
}

TEST_F(OutputFileTest, ReplacesAFileInSharedMemory) {
  const std::filesystem::path folder = "/dev/shm";
  if (::access(folder.c_str(), W_OK) != 0) GTEST_SKIP() << "no /dev/shm here";
  const std::string name = (folder / ("tessera-test-" + std::to_string(::getpid()))).string();
  OutputFile("--report", name).write("old");
  OutputFile("--report", name).write("new");
  EXPECT_EQ(read_file(name), "new");
  std::filesystem::remove(name);
}

TEST_F(OutputFileTest, DashIsStandardOutput) {
  const OutputFile output("--report", "-");
  EXPECT_EQ(output.path(), "/dev/stdout");
  EXPECT_TRUE(output.is_stream());
}

TEST(ExitCodes, FollowTheDocumentation) {
  EXPECT_EQ(static_cast<int>(exit_code(SolveStatus::converged)), 0);
  for (const SolveStatus status : {SolveStatus::max_iterations, SolveStatus::time_limit,
                                   SolveStatus::stagnated, SolveStatus::interrupted}) {
    EXPECT_EQ(static_cast<int>(exit_code(status)), 2);
  }
  EXPECT_EQ(static_cast<int>(exit_code(SolveStatus::diverged)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(SolveStatus::not_a_number)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(SolveStatus::breakdown)), 4);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::out_of_memory)), 5);
  EXPECT_EQ(static_cast<int>(exit_code(SolveStatus::least_squares)), 6);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::bad_input)), 65);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::configuration)), 78);
  EXPECT_EQ(failure_of(std::bad_alloc()).code, ExitCode::out_of_memory);
  EXPECT_EQ(failure_of(std::runtime_error("something else")).code, ExitCode::internal_error);
}

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

}  // namespace tessera::app::output_file_test
