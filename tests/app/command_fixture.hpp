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

/// A test in an empty folder that goes away after it; skipped where the command was not built.
class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (command_path().empty())
      GTEST_SKIP() << "the command is not built; set TESSERA_APP to its path";
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

  /// Runs "BEFORE tessera ARGUMENTS" in the folder, through the shell.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    // The solves here are tiny: one thread is enough, and leaves the machine to others.
    const std::string command = "cd '" + m_folder.string() + "' && " + before +
                                " OMP_NUM_THREADS=1 '" + command_path() + "' " + arguments +
                                " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }

 private:
  std::filesystem::path m_folder;
};

}  // namespace tessera::app
