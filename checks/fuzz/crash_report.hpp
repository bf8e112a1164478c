// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The last words of a fuzzer: what it was at when a signal, a sanitizer or its own alarm ended it.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace tessera::fuzz {

/// Async-signal-safe.
inline void say(const char* text) {
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text, std::strlen(text));
}

namespace detail {

inline void (*write_report)() = nullptr;
inline std::array<struct ::sigaction, NSIG> previous_actions;

/// Leaves the signal to whom it belonged, such as a sanitizer: the instruction faults once more.
inline void on_crash(int signal) {
  write_report();
  ::sigaction(signal, &previous_actions[static_cast<std::size_t>(signal)], nullptr);
}

inline void on_alarm(int) {
  say("out of time: ");
  write_report();
  ::_exit(1);
}

}  // namespace detail

/// Calls `report`, async-signal-safe and perhaps called twice, where the program crashes, or where
/// an `alarm` goes off, which ends it. To be called after whoever has handlers of his own.
inline void report_crashes(void (*report)()) {
  detail::write_report = report;
  // The stack may be what ran out. A sanitizer has seen to that already.
  static std::array<char, 65536> stack;
  ::stack_t own{};
  if (::sigaltstack(nullptr, &own) == 0 && (own.ss_flags & SS_DISABLE) != 0) {
    own = {};
    own.ss_sp = stack.data();
    own.ss_size = stack.size();
    ::sigaltstack(&own, nullptr);
  }
  struct ::sigaction action{};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = detail::on_crash;
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) {
    ::sigaction(signal, &action, &detail::previous_actions[static_cast<std::size_t>(signal)]);
  }
  action.sa_handler = detail::on_alarm;
  ::sigaction(SIGALRM, &action, nullptr);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(report);
}

}  // namespace tessera::fuzz
