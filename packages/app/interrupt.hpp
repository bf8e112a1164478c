// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Ctrl-C: the first asks for an orderly stop, the second ends the program at once.
#pragma once

namespace tessera::app {

/// While it lives, the first SIGINT or SIGTERM sets a flag and restores the signal's default, so
/// that a second one ends the program. One at a time.
class InterruptGuard {
 public:
  /// `quiet`: a signal during what cannot be stopped says nothing.
  explicit InterruptGuard(bool quiet);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal came.
  static bool requested() noexcept;

  /// False from here on while what runs goes on to its end, such as a setup: a signal then says on
  /// standard error when the stop will come. It starts as false.
  static void set_stoppable(bool stoppable) noexcept;
};

}  // namespace tessera::app
