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
/// An iteration of CG is the same work each time. One of a restarted method is not that of the
/// iteration before, but comes again in the next cycle: work of one key has a recording for each
/// `position` in the cycle.
///
/// Who gives one to a method promises that the operator and the preconditioner of its solves queue
/// all their work on the instance they are given, the same work on the same memory each time, until
/// `forget` is called: see kernels/execution/launch_graph.hpp. Where that does not hold, work is
/// run as it is, and `failure()` says why.
template <class Space>
class IterationRunner {
 public:
  using Work = std::function<void(const Space&)>;
  /// What tells work from other work: addresses and numbers.
  using Key = std::vector<std::uintptr_t>;

  virtual ~IterationRunner() = default;

  /// Queues on `exec` what `work` queues on the instance that it is given, kernel by kernel.
  /// `unrecorded` queues the same, and is called where there is no recording and none is about to
  /// be made: it may for instance replay a recording of a part.
  /// @throws what either throws; Error of kind `device` where a launch fails.
  virtual void run(const Space& exec, const Key& key, int position, const Work& work,
                   const Work& unrecorded) = 0;
  /// A solve begins: what came before it is taken to come in each.
  virtual void begin_solve() = 0;
  /// Drops what was recorded: memory or coefficients that it has to do with have changed.
  virtual void forget() = 0;

  /// How often work was recorded, and a recording launched.
  virtual std::size_t num_captures() const = 0;
  virtual std::size_t num_launches() const = 0;
  /// Why all further work is run as it is; empty where it is not.
  virtual const std::string& failure() const = 0;
};

/// A runner that records the work that has come `runs_before` times, at least 1, at its position,
/// and replays it by one launch; null where the space has no graphs. Work that came in an earlier
/// solve is recorded as soon as that of all positions has come that often. The first 64 positions
/// have recordings, which are kept until they are forgotten or the key changes.
template <class Space>
std::unique_ptr<IterationRunner<Space>> make_recording_runner(int runs_before);

}  // namespace tessera
