// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of vectors, along a plan.
#pragma once

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::distributed {

/// The messages of a plan, for vectors of `Scalar` in plain Views. Its source is what the processes
/// have, its target what they want of each other besides.
///
/// Messages go as `ArrayMessages` do. One transfer is under way at a time.
template <class Scalar, class Space>
class Exchange {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  using Received = ArrayView<const Scalar, Space>;

  /// Nothing is sent.
  Exchange() = default;
  /// `plan` may be null: nothing is sent then, either.
  explicit Exchange(const Plan<Space>& plan);

  bool is_empty() const { return m_plan == nullptr; }
  const Plan<Space>& plan() const { return m_plan; }
  Ordinal num_source() const { return is_empty() ? 0 : m_plan->num_source; }  ///< rows here
  Ordinal num_target() const { return is_empty() ? 0 : m_plan->num_target; }
  /// The target's rows that come from others.
  Ordinal num_remote() const {
    return is_empty() ? 0 : static_cast<Ordinal>(m_plan->remotes.extent(0));
  }

  /// Makes room for vectors of k columns, so that transfers of as many allocate nothing: forward
  /// and, where it `goes_back`, backward.
  void reserve(std::size_t k, bool goes_back = false);

  /// Sends what others want of `x`, the source's rows. Waits for `exec` unless messages are ordered
  /// by its stream, and not for the messages: there is time for other work. Collective.
  void begin(const Space& exec, const ConstVectors& x);
  /// What has come, for what is queued on `exec` from now on: for each remote row, in the order of
  /// the plan's `remotes`, its values of all columns. Valid until the next transfer.
  Received end(const Space& exec);

  /// y, over the target's rows, is x, over the source's. Collective.
  void forward(const Space& exec, const ConstVectors& x, const Vectors& y);
  /// x, over the source's rows, is y, over the target's: where the plan has each row once, the way
  /// back. Collective.
  void backward(const Space& exec, const ConstVectors& y, const Vectors& x);

 private:
  using Rows = typename CommunicationPlan<Space>::List;
  using Buffer = Array<Scalar, Space>;
  using Neighbours = std::vector<HaloLists::Neighbour>;

  void send(const Space& exec, const ConstVectors& x, const Rows& rows, const Neighbours& to,
            const Neighbours& from, Ordinal num_received);

  Plan<Space> m_plan;
  Buffer m_sent;
  Buffer m_received;
  ArrayMessages<Scalar, Space> m_messages;
};

}  // namespace tessera::distributed
