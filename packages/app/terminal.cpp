// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string_view>

namespace tessera::app {

namespace {

/// The first of the variables that is set and not empty decides, as in setlocale(3).
std::string_view character_set() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

bool terminal_shows_unicode() {
  const std::string_view set = character_set();
  for (const char* name : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
    if (set.find(name) != std::string_view::npos) return true;
  }
  return false;
}

void guard_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free is this one.
    static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

OutputError standard_output_error(const std::string& reason) {
  return OutputError("standard output: cannot be written: " + reason);
}

void flush_standard_output() {
  // Text longer than the buffer has failed before it comes here, and errno says why.
  if (std::ferror(stdout) == 0 && std::cout) errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return;
  throw standard_output_error(errno != 0 ? std::strerror(errno) : "an earlier write failed");
}

Progress::Progress(bool wanted) : m_shown(wanted && isatty(STDERR_FILENO) == 1) {
  if (m_shown) m_thread = std::thread(&Progress::draw_until_stopped, this);
}

Progress::~Progress() {
  if (!m_shown) return;
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
    clear();
  }
  m_wake.notify_one();
  m_thread.join();
}

void Progress::start(const std::string& step) {
  const std::lock_guard lock(m_mutex);
  m_step = step;
  m_detail.clear();
  m_start = std::chrono::steady_clock::now();
}

void Progress::detail(const std::string& text) {
  if (!m_shown) return;
  const std::lock_guard lock(m_mutex);
  m_detail = text;
}

void Progress::finish() {
  const std::lock_guard lock(m_mutex);
  m_step.clear();
  clear();
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(m_mutex);
  while (!m_stop) {
    m_wake.wait_for(lock, std::chrono::milliseconds(100));
    if (!m_stop && !m_step.empty()) draw();
  }
}

void Progress::draw() {
  static constexpr std::array<std::string_view, 8> dots{"⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"};
  static constexpr std::array<std::string_view, 4> ascii{"|", "/", "-", "\\"};
  static const bool unicode = terminal_shows_unicode();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
  // What is over in a blink needs no line.
  if (elapsed.count() < 0.3) return;
  const std::string_view mark =
      unicode ? dots[m_frame % dots.size()] : ascii[m_frame % ascii.size()];
  ++m_frame;
  fmt::print(stderr, "\r\033[K{} {} ({:.1f} s){}{}", mark, m_step, elapsed.count(),
             m_detail.empty() ? "" : "  ", m_detail);
  std::fflush(stderr);
  m_drawn = true;
}

void Progress::clear() {
  if (!m_drawn) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  m_drawn = false;
}

}  // namespace tessera::app
