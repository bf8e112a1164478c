// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a Krylov method's iterations, which all queue the same work, get onto an instance.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// Runs work that comes again and again, as it is or by a recording of it.
///
/// Who gives one to a method promises that the operator and the preconditioner of its solves queue
/// all their work on the instance they are given, the same work on the same memory each time, until
/// `forget` is called: see kernels/launch_graph.hpp. Where that does not hold, work is run as it
/// is, and `failure()` says why.
template <class Space>
class IterationRunner {
 public:
  using Work = std::function<void(const Space&)>;
  /// What tells work from other work: addresses and numbers.
  using Key = std::vector<std::uintptr_t>;

  virtual ~IterationRunner() = default;

  /// Queues on `exec` what `work` queues on the instance that it is given.
  /// @throws what `work` throws; Error of kind `device` where a launch fails.
  virtual void run(const Space& exec, const Key& key, const Work& work) = 0;
  /// Drops what was recorded: memory or coefficients that it has to do with have changed.
  virtual void forget() = 0;

  /// How often work was recorded, and a recording launched.
  virtual std::size_t num_captures() const = 0;
  virtual std::size_t num_launches() const = 0;
  /// Why all further work is run as it is; empty where it is not.
  virtual const std::string& failure() const = 0;
};

/// A runner that records the work that comes for the time after `runs_before`, at least 1, and
/// replays it by one launch; null where the space has no graphs.
template <class Space>
std::unique_ptr<IterationRunner<Space>> make_recording_runner(int runs_before);

}  // namespace tessera
