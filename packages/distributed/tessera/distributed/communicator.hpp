// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the processes of a distributed matrix have between them.
#pragma once

#include "tessera/distributed/surroundings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tessera::distributed {

/// Messages and sums between processes. All but `rank`, `size`, `takes_device_pointers`, `ordered`
/// and `surroundings` is collective, in the same order on all processes. One thread at a time uses
/// a communicator.
///
/// Numbers in reductions are on the host; they are few. Messages lie in the host's memory, or in
/// a device's where `takes_device_pointers`; those of vectors are `ordered` where they can be.
class Communicator {
 public:
  struct Outgoing {
    int process;
    const void* data;
    std::size_t bytes;
  };
  struct Incoming {
    int process;
    void* data;
    std::size_t bytes;
  };
  /// Messages under way, whose memory stays as it is until `wait` has returned.
  class Transfer {
   public:
    virtual ~Transfer() = default;
    virtual void wait() = 0;
  };
  /// Messages and sums in the order of a stream, which is that of an execution space's instance
  /// (null where the space has none). They come behind what is queued there, what is queued later
  /// comes behind them, and the host waits for nothing but in `wait`. Pointers are to the memory of
  /// that space. All is collective as what is below, one thread at a time.
  class Ordered {
   public:
    virtual ~Ordered() = default;
    /// Whether streams and memory are a device's, or a host's.
    virtual bool is_of_device() const = 0;
    /// Begins to send and to receive, as `start` does. Until `end` the memory stays as it is, what
    /// is queued on the stream meanwhile may run beside the messages, and there are no other ones.
    virtual void begin(void* stream, std::span<const Outgoing> outgoing,
                       std::span<const Incoming> incoming) const = 0;
    /// What is queued from now on finds that the messages have come.
    virtual void end(void* stream) const = 0;
    /// Entry by entry the sum of all processes' numbers, on all of them.
    virtual void sum(void* stream, double* numbers, std::size_t count) const = 0;
    /// The host waits for all that is queued on the stream.
    /// @throws Error where something of it has failed, or is not going to end.
    virtual void wait(void* stream) const = 0;

    /// Recordings of what was queued here (kernels/execution/launch_graph.hpp).
    class Recordings {
     public:
      virtual ~Recordings() = default;
      virtual void drop() = 0;
    };
    /// Whether a stream that records takes messages and sums. All processes record the same then
    /// and replay it together, or none does.
    virtual bool can_be_recorded() const { return false; }
    /// Recordings that are dropped before `wait` throws because of a failure: what they hold of the
    /// communicator would keep it from ending.
    virtual void add(std::weak_ptr<Recordings>) const {}
  };

  virtual ~Communicator() = default;

  /// From 0 on.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual bool takes_device_pointers() const = 0;
  /// Null where messages are not ordered by a stream: the host waits for them then.
  virtual const Ordered* ordered() const { return nullptr; }
  /// Whether what is made with it is to have the same bits for any number of processes: inner
  /// products are exact sums then, and rows are summed in the order of all columns.
  virtual bool is_reproducible() const { return false; }
  /// The lowest rank of the processes on this one's host, whose memory they share.
  virtual int first_on_host() const { return rank(); }
  /// Where that is kept which is found out about the processes once; the functions `places` and
  /// `message_cost` fill it.
  virtual SurroundingsBySpace& surroundings() const { return m_surroundings; }

  /// Entry by entry the sum, the least and the greatest of all processes' numbers, on all of them.
  virtual void sum(std::span<double> numbers) const = 0;
  virtual void sum(std::span<std::int64_t> numbers) const = 0;
  virtual void minimum(std::span<double> numbers) const = 0;
  virtual void maximum(std::span<double> numbers) const = 0;

  /// `data` of process `root`, on all of them.
  virtual void broadcast(std::span<std::byte> data, int root) const = 0;
  /// One number of each process, by rank. all: `size()` numbers.
  virtual void all_gather(std::int64_t own, std::span<std::int64_t> all) const = 0;
  /// A number for each process, and one of each. Both: `size()` numbers.
  virtual void all_to_all(std::span<const std::int64_t> given,
                          std::span<std::int64_t> received) const = 0;

  /// Begins to send and to receive. Two processes have as many messages for each other as the
  /// other one expects, of the same lengths and in the same order; none may be for oneself.
  virtual std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                          std::span<const Incoming> incoming) const = 0;

  double sum_of(double number) const {
    sum(std::span(&number, 1));
    return number;
  }
  std::int64_t sum_of(std::int64_t number) const {
    sum(std::span(&number, 1));
    return number;
  }
  double minimum_of(double number) const {
    minimum(std::span(&number, 1));
    return number;
  }
  double maximum_of(double number) const {
    maximum(std::span(&number, 1));
    return number;
  }

 private:
  mutable SurroundingsBySpace m_surroundings;
};

/// One process by itself, whatever others there are: no MPI is needed.
std::shared_ptr<const Communicator> alone();

}  // namespace tessera::distributed
