// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A program run to its end, to a crash or to a limit of time.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tessera::perf {

/// How a program ended.
struct ChildEnd {
  int status = 0;  ///< as waitpid gives it
  bool overran = false;  ///< killed by `run_child`

  bool succeeded() const { return !overran && WIFEXITED(status) && WEXITSTATUS(status) == 0; }
  bool crashed() const { return WIFSIGNALED(status); }
  bool timed_out() const { return overran || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM); }
  /// "exit 70", "signal 11".
  std::string text() const {
    return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit " + std::to_string(WEXITSTATUS(status));
  }
};

/// Runs `command`, all it prints going to the file `log`; after `limit_s` seconds it and what it
/// started are killed. Throws where it cannot be started.
inline ChildEnd run_child(const std::vector<std::string>& command, const std::string& log,
                          double limit_s) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own
  pid_t child = 0;
  const int error =
      posix_spawn(&child, command.front().c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw std::runtime_error(command.front() + " cannot be started: " + std::strerror(error));
  }

  const auto start = std::chrono::steady_clock::now();
  ChildEnd end;
  for (;;) {
    const pid_t ended = waitpid(child, &end.status, WNOHANG);
    if (ended == child) break;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!end.overran && elapsed.count() > limit_s) {
      end.overran = true;
      kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(-child, SIGKILL);  // what it left behind
  return end;
}

/// The last line of a log that has more than blanks in it.
inline std::string last_line(const std::string& log) {
  std::ifstream in(log);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace tessera::perf
