// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How an iteration over several processes gets onto an instance: kernel by kernel, or recorded.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

/// Runs work that comes again and again, messages and sums included, as it is or by a recording of
/// it: on all processes the same way, since they replay what they have recorded together.
/// `tessera::IterationRunner` is its like for one process.
///
/// Who calls it promises that the work queues all it does on the instance that it is given, on the
/// same memory each time until the key changes or `forget` is called, and that it has run before.
template <class Space>
class IterationRecorder {
 public:
  using Work = kernels::InstanceWork<Space>;
  /// What tells work from other work: this process's addresses and numbers.
  using Key = std::vector<std::uintptr_t>;

  virtual ~IterationRecorder() = default;

  /// Runs of one work follow. Collective; a reduction of the host.
  virtual void begin(const Space& exec, const Key& key) = 0;
  /// Queues on `exec` what `work` queues on the instance that it is given. Collective.
  /// @throws what `work` throws; Error of kind `device` where a launch fails.
  virtual void run(const Space& exec, const Work& work) = 0;
  /// Drops what was recorded: memory or coefficients have changed. On all processes.
  virtual void forget() = 0;

  /// How often work was recorded, and a recording launched.
  virtual std::size_t num_captures() const = 0;
  virtual std::size_t num_launches() const = 0;
  /// Why all further work is run as it is; empty where it is not.
  virtual const std::string& failure() const = 0;
};

/// One that records work when it has come `runs_before` times, at least 1; null where the space has
/// no graphs or what the processes send each other cannot be recorded.
template <class Space>
std::shared_ptr<IterationRecorder<Space>> make_iteration_recorder(
    std::shared_ptr<const Communicator> processes, int runs_before);

}  // namespace tessera::distributed
