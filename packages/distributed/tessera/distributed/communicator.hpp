// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the processes of a distributed matrix have between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tessera::distributed {

/// Messages and sums between processes. All but `rank`, `size` and `takes_device_pointers` is
/// collective, in the same order on all processes. One thread at a time uses a communicator.
///
/// Numbers in reductions are on the host; they are few. Messages lie in the host's memory, or in
/// a device's where `takes_device_pointers`.
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

  virtual ~Communicator() = default;

  /// From 0 on.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual bool takes_device_pointers() const = 0;

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
};

/// One process by itself, whatever others there are: no MPI is needed.
std::shared_ptr<const Communicator> alone();

}  // namespace tessera::distributed
