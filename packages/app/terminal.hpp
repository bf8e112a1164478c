// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the terminal can show, and progress on it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/exit_code.hpp"

namespace tessera::app {

/// True where the locale says that the terminal shows UTF-8.
bool terminal_shows_unicode();

/// What is thrown where standard output fails for `reason`.
OutputError standard_output_error(const std::string& reason);

/// Takes the numbers of standard input, output and error where the caller has closed them, so that
/// no file gets one, and what is printed with it; reading and printing fail as before. A write past
/// the limit of a file's size (ulimit -f) fails from then on, too, instead of ending the program.
void guard_standard_streams();

/// Sends on what was printed, by stdout or by std::cout.
/// @throws OutputError where it is lost, such as on a full disk
void flush_standard_output();

/// A line on standard error that says what is being done and for how long; nothing unless standard
/// error is a terminal. A thread of its own redraws it.
class Progress {
 public:
  /// Shows nothing where `wanted` is false.
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts a step: its clock begins again.
  void start(const std::string& step);
  /// Adds to the step's line, such as the iteration's number.
  void detail(const std::string& text);
  /// Ends the step and clears the line, so that output may follow.
  void finish();

 private:
  void draw_until_stopped();
  void draw();
  void clear();

  const bool m_shown;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::string m_step;
  std::string m_detail;
  std::chrono::steady_clock::time_point m_start;
  std::size_t m_frame = 0;
  bool m_drawn = false;
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace tessera::app
