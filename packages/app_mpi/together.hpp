// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Steps of a command that end on all processes in the same way.
#pragma once

#include "app/exit_code.hpp"
#include "tessera/distributed/communicator.hpp"

#include <functional>
#include <stdexcept>

namespace tessera::app_mpi {

using distributed::Communicator;

/// The failure of a step, the same on all processes.
class CommandError : public std::runtime_error {
 public:
  explicit CommandError(const app::Failure& failure)
      : std::runtime_error(failure.message), m_code(failure.code) {}
  app::ExitCode code() const { return m_code; }

 private:
  app::ExitCode m_code;
};

/// Calls `work` on every process. Where it throws on one, all throw a CommandError with what the
/// first of them had to say. `work` does not communicate, or throws on all processes that it does
/// so with. Collective.
void together(const Communicator& processes, const std::function<void()>& work);

}  // namespace tessera::app_mpi
