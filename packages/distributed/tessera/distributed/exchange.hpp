// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of vectors, along a plan.
#pragma once

#include "tessera/distributed/communication_plan.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <memory>

namespace tessera::distributed {

/// Whether messages of `Space` are copied to the host, for nobody reads the device's memory.
template <class Space>
bool goes_through_host(const Communicator& processes) {
  return !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible &&
         !processes.takes_device_pointers();
}

/// The messages of a plan, for vectors of `Scalar` in plain Views. Its source is what the processes
/// have, its target what they want of each other besides.
///
/// Where a communicator does not take a device's memory, messages go through pinned memory of the
/// host. One transfer is under way at a time.
template <class Scalar, class Space>
class Exchange {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  using Received = ArrayView<const Scalar, Space>;

  /// Nothing is sent.
  Exchange() = default;
  /// `plan` may be null: nothing is sent then, either.
  explicit Exchange(const Plan& plan);

  bool is_empty() const { return m_plan == nullptr; }
  Ordinal num_source() const { return is_empty() ? 0 : m_plan->num_source; }  ///< rows here
  Ordinal num_target() const { return is_empty() ? 0 : m_plan->num_target; }
  /// The target's rows that come from others.
  Ordinal num_remote() const { return static_cast<Ordinal>(m_remotes.extent(0)); }

  /// Sends what others want of `x`, the source's rows. Waits for `exec` and not for the messages:
  /// there is time for other work. Collective.
  void begin(const Space& exec, const ConstVectors& x);
  /// Waits for what has come: for each remote row, in the order of the plan's `remotes`, its values
  /// of all columns. Valid until the next transfer.
  Received end(const Space& exec);

  /// y, over the target's rows, is x, over the source's. Collective.
  void forward(const Space& exec, const ConstVectors& x, const Vectors& y);
  /// x, over the source's rows, is y, over the target's: where the plan has each row once, the way
  /// back. Collective.
  void backward(const Space& exec, const ConstVectors& y, const Vectors& x);

 private:
  using Rows = Array<Ordinal, Space>;
  using Buffer = Array<Scalar, Space>;
  using HostBuffer = kernels::Report<Scalar, Space>;  // pinned where Space is a device
  using Neighbours = std::vector<CommunicationPlan::Neighbour>;

  void send(const Space& exec, const ConstVectors& x, const Rows& rows, const Neighbours& to,
            const Neighbours& from, Ordinal num_received);
  void receive(const Space& exec);

  Plan m_plan;
  Rows m_from;  ///< rows that stay here under other numbers
  Rows m_to;
  Rows m_exports;  ///< of the source
  Rows m_remotes;  ///< of the target
  Buffer m_sent;
  Buffer m_received;
  HostBuffer m_sent_by_host;
  HostBuffer m_received_by_host;
  std::size_t m_num_expected = 0;
  std::shared_ptr<Communicator::Transfer> m_transfer;
};

}  // namespace tessera::distributed
