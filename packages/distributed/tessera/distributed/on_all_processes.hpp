// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work of each process by itself that succeeds on all of them or fails on all.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <functional>

namespace tessera::distributed {

/// Calls `work` on every process; none of them communicates in it. Where it throws on one, all
/// throw, so that no process waits for one that has left: an `Error` that names the first process
/// that failed and has its message. On one process what was thrown goes on as it is. A
/// `StepMemoryLimit` of the thread holds in it. Collective.
void on_all_processes(const Communicator& processes, const std::function<void()>& work);

}  // namespace tessera::distributed
