// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace tessera::app {

namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

extern "C" void request_stop(int) { stop_requested.store(true); }

}  // namespace

InterruptGuard::InterruptGuard() {
  stop_requested.store(false);
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

}  // namespace tessera::app
