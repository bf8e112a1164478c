// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Runs the built command in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace tessera::app {

/// What a command left behind.
struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// The path of the command: the environment's TESSERA_APP, else where it was built; empty where
/// there is none.
inline std::string command_path() {
  if (const char* path = std::getenv("TESSERA_APP")) return path;
#ifdef TESSERA_APP
  if (std::filesystem::exists(TESSERA_APP)) return TESSERA_APP;
#endif
  return {};
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// That each of the parts is in the text.
inline void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_TRUE(contains(text, part)) << part << " is not in\n" << text;
}

/// A test in an empty folder that goes away after it.
class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override {
    if (!m_folder.empty()) std::filesystem::remove_all(m_folder);
  }

  std::filesystem::path file(const std::string& name) const { return m_folder / name; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
  }
  std::string read(const std::string& name) const { return read_file(file(name)); }

 private:
  std::filesystem::path m_folder;
};

/// Skipped where the command was not built.
class CommandTest : public FolderTest {
 protected:
  void SetUp() override {
    if (command_path().empty())
      GTEST_SKIP() << "the command is not built; set TESSERA_APP to its path";
    FolderTest::SetUp();
  }

  /// Runs "BEFORE tessera ARGUMENTS" in the folder, through the shell.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    // The solves here are tiny: one thread is enough, and leaves the machine to others.
    const std::string command = "cd '" + file("").string() + "' && " + before +
                                " OMP_NUM_THREADS=1 '" + command_path() + "' " + arguments +
                                " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }
  /// The same, with the exit code 0.
  Outcome succeeds(const std::string& arguments, const std::string& before = "") const {
    const Outcome outcome = run(arguments, before);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << '\n' << outcome.out << outcome.err;
    return outcome;
  }
  /// What it has written under that name.
  nlohmann::json report(const std::string& name) const { return nlohmann::json::parse(read(name)); }
};

}  // namespace tessera::app
