// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_exchange.hpp"

#include "tessera/distributed/entries_at.hpp"
#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/neighbours.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// The global numbers of columns of the rows that are sent.
template <class Space>
void globalise(const Space& exec, const ArrayView<const Ordinal, Space>& here,
               const ColumnNumbers<Space>& numbers, const ArrayView<Offset, Space>& columns) {
  const auto& others = numbers.others();
  const Offset first = numbers.first();
  const Ordinal own = numbers.num_own();
  Kokkos::parallel_for(
      "tessera::distributed::RowExchange::columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, here.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        columns(e) = here(e) < own ? first + here(e) : others(here(e) - own);
      });
  exec.fence("tessera::distributed::RowExchange");
}

/// Where the entries of each neighbour's rows lie; `total` becomes the number of all.
template <class Parts, class Space, class Neighbours>
Parts parts_of_entries(const Space& exec, const Neighbours& neighbours,
                       const Array<Offset, Space>& starts, std::size_t& total) {
  std::vector<Ordinal> ends{static_cast<Ordinal>(starts.extent(0)) - 1};
  for (const auto& n : neighbours)
    ends.insert(ends.end(), {n.first, n.first + n.length});
  const auto at = entries_at<Offset, Space>(exec, starts, ends);
  total = static_cast<std::size_t>(at.front());
  Parts parts;
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    parts.push_back({neighbours[i].process, static_cast<std::size_t>(at[2 * i + 1]),
                     static_cast<std::size_t>(at[2 * i + 2] - at[2 * i + 1])});
  return parts;
}

}  // namespace

template <class Space>
RowExchange<Space>::RowExchange(const Plan<Space>& plan, Direction direction)
    : m_plan(plan), m_is_backward(direction == Direction::backward) {
  if (plan == nullptr) return;
  const Space exec;
  const char* const label = "tessera::distributed::RowExchange::lengths";
  m_lengths = allocate<Offset>(exec, label, sent_rows().extent(0));
  m_received_lengths = allocate<Offset>(exec, label, received_rows().extent(0));
  m_messages.reserve(*plan->processes, m_lengths.extent(0) * sizeof(Offset),
                     m_received_lengths.extent(0) * sizeof(Offset));
}

template <class Space>
auto RowExchange<Space>::received_rows() const -> typename CommunicationPlan<Space>::List {
  if (m_plan == nullptr) return {};
  return m_is_backward ? m_plan->exports : m_plan->remotes;
}

/// From the lengths of rows that are sent and come, where their entries lie: room for these, and
/// the numbers of columns that are sent. Sends nothing.
template <class Space>
void RowExchange<Space>::place_entries(const Space& exec, const Rows& rows,
                                       const ColumnNumbers<Space>& numbers, Received& received) {
  m_starts = starts_of<Space>(exec, m_lengths);
  received.offsets = starts_of<Space>(exec, m_received_lengths);
  std::size_t num_sent = 0, num_received = 0;
  m_sent_parts = parts_of_entries<Parts>(exec, receivers(), m_starts, num_sent);
  m_received_parts = parts_of_entries<Parts>(exec, senders(), received.offsets, num_received);
  const std::string label = "tessera::distributed::RowExchange::columns";
  received.columns = allocate<Offset>(exec, label, num_received);
  m_room = allocate<Offset>(exec, label, num_sent);
  m_messages.reserve(*m_plan->processes, num_sent * sizeof(Offset), num_received * sizeof(Offset));
  const auto here = allocate<Ordinal>(exec, "tessera::distributed::RowExchange::packed", num_sent);
  pack_rows<Ordinal, Space>(exec, sent_rows(), rows.offsets, rows.columns, m_starts, here);
  globalise<Space>(exec, here, numbers, m_room);
}

template <class Space>
auto RowExchange<Space>::pattern(const Space& exec, const Rows& rows,
                                 const ColumnNumbers<Space>& numbers) -> Received {
  Received received;
  if (m_plan == nullptr) return received;
  const Communicator& processes = *m_plan->processes;
  list_lengths<Space>(exec, sent_rows(), rows.offsets, m_lengths);
  m_messages.template send<Offset>(exec, processes, m_lengths, m_received_lengths,
                                   parts_of<Parts>(receivers()), parts_of<Parts>(senders()));
  on_all_processes(processes, [&] { place_entries(exec, rows, numbers, received); });
  m_messages.template send<Offset>(exec, processes, m_room, received.columns, m_sent_parts,
                                   m_received_parts);
  return received;
}

template <class Space>
void RowExchange<Space>::values(const Space& exec, const Rows& rows,
                                const Array<double, Space>& received) const {
  if (m_plan == nullptr) return;
  static_assert(sizeof(double) == sizeof(Offset));
  const ArrayView<double, Space> sent(reinterpret_cast<double*>(m_room.data()), m_room.extent(0));
  pack_rows<double, Space>(exec, sent_rows(), rows.offsets, rows.values, m_starts, sent);
  m_messages.template send<double>(exec, *m_plan->processes, sent, received, m_sent_parts,
                                   m_received_parts);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowExchange)

}  // namespace tessera::distributed
