// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace tessera::app {

namespace {

std::atomic<bool> stop_requested = false;
std::atomic<bool> says_when = false;  ///< unless --quiet
std::atomic<bool> stops_soon = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

/// Calls nothing that is not async-signal-safe.
extern "C" void request_stop(int) {
  stop_requested.store(true);
  if (!says_when.load() || stops_soon.load()) return;
  // The line begins again behind the terminal's "^C" and behind the progress.
  static constexpr std::string_view notice =
      "\ntessera: stopping after the setup; a second Ctrl-C ends the program at once\n";
  const int error = errno;
  const ssize_t written = ::write(STDERR_FILENO, notice.data(), notice.size());
  static_cast<void>(written);  // nobody is left to be told
  errno = error;
}

}  // namespace

InterruptGuard::InterruptGuard(bool quiet) {
  stop_requested.store(false);
  says_when.store(!quiet);
  stops_soon.store(false);
  struct sigaction action = {};
  action.sa_handler = request_stop;
  // SA_RESETHAND gives the second signal its default meaning; SA_RESTART keeps reads whole.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() noexcept { return stop_requested.load(); }

void InterruptGuard::set_stoppable(bool stoppable) noexcept { stops_soon.store(stoppable); }

}  // namespace tessera::app
