// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Failures of a command that several processes run together, and how it ends by one.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/exit_code.hpp"

namespace tessera::app {

/// The failure of a step, the same on all processes.
class CommandError : public std::runtime_error {
 public:
  explicit CommandError(const Failure& failure)
      : std::runtime_error(failure.message), m_code(failure.code) {}
  ExitCode code() const { return m_code; }

 private:
  ExitCode m_code;
};

/// What `work` throws on this process, if it does; of a CommandError its own code.
std::optional<Failure> failure_in(const std::function<void()>& work);

/// Runs a command on the process of a rank and returns what that process returns to the shell. What
/// all processes know of, a CommandError or a UsageError, is printed by the first. Of anything else
/// other processes know nothing, and may be waiting: it is printed here, and `abort` gets its code,
/// to end them all.
int run_agreed(const std::string& command, int rank, const std::function<ExitCode()>& run,
               const std::function<void(int)>& abort);

}  // namespace tessera::app
