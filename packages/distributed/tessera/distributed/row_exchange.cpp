// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_exchange.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/listed_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// The entries `places` of a list.
template <class Space>
std::vector<Offset> entries_at(const Space& exec, const ArrayView<const Offset, Space>& list,
                               const std::vector<Ordinal>& places) {
  const auto at = from_host(exec, places);
  const auto found =
      allocate<Offset>(exec, "tessera::distributed::RowExchange::entries_at", places.size());
  Kokkos::parallel_for(
      "tessera::distributed::RowExchange::entries_at",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(places.size())),
      KOKKOS_LAMBDA(const Ordinal i) { found(i) = list(at(i)); });
  exec.fence("tessera::distributed::RowExchange");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {host.data(), host.data() + host.extent(0)};
}

/// The columns of others' numbers, of the rows that are sent.
template <class Space>
Array<Offset, Space> global_columns(const Space& exec, const ArrayView<const Ordinal, Space>& here,
                                    const ColumnNumbers& numbers) {
  const auto columns =
      allocate<Offset>(exec, "tessera::distributed::RowExchange::columns", here.extent(0));
  const auto others = from_host(exec, numbers.others());
  const Offset first = numbers.first();
  const Ordinal own = numbers.num_own();
  Kokkos::parallel_for(
      "tessera::distributed::RowExchange::columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, here.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        columns(e) = here(e) < own ? first + here(e) : others(here(e) - own);
      });
  exec.fence("tessera::distributed::RowExchange");
  return columns;
}

/// The entries of the rows, one row after the other.
template <class T, class Space>
Array<T, Space> packed(const Space& exec, const Array<Ordinal, Space>& rows,
                       const ArrayView<const std::int64_t, Space>& offsets,
                       const ArrayView<const T, Space>& entries,
                       const Array<std::int64_t, Space>& starts, std::size_t total) {
  const auto packed = allocate<T>(exec, "tessera::distributed::RowExchange::packed", total);
  pack_rows<T, Space>(exec, rows, offsets, entries, starts, packed);
  return packed;
}

}  // namespace

template <class Space>
RowExchange<Space>::RowExchange(const Plan& plan, Direction direction)
    : m_plan(plan), m_is_backward(direction == Direction::backward) {
  if (plan == nullptr) return;
  m_sent_rows = from_host(Space(), m_is_backward ? plan->remotes : plan->exports);
}

template <class Space>
const std::vector<Ordinal>& RowExchange<Space>::received_rows() const {
  static const std::vector<Ordinal> none;
  if (m_plan == nullptr) return none;
  return m_is_backward ? m_plan->exports : m_plan->remotes;
}

template <class Space>
template <class T>
void RowExchange<Space>::send(const Space& exec, const ArrayView<const T, Space>& sent,
                              const ArrayView<T, Space>& received, const Parts& to,
                              const Parts& from) const {
  using Messages = ArrayMessages<T, Space>;
  const auto given = [](const Parts& parts) {
    typename Messages::Parts made;
    for (const Part& part : parts)
      made.push_back({part.process, part.first, part.length});
    return made;
  };
  Messages messages;
  messages.begin(exec, *m_plan->processes, sent, received, given(to), given(from));
  messages.end(exec);
  exec.fence("tessera::distributed::RowExchange");
}

template <class Space>
auto RowExchange<Space>::pattern(const Space& exec, const Rows& rows, const ColumnNumbers& numbers)
    -> Received {
  Received received;
  if (m_plan == nullptr) return received;
  const auto rows_of = [](const Neighbours& neighbours) {
    Parts parts;
    for (const auto& n : neighbours)
      parts.push_back(
          {n.process, static_cast<std::size_t>(n.first), static_cast<std::size_t>(n.length)});
    return parts;
  };
  const auto entries_of = [&](const Neighbours& neighbours, const Array<Offset, Space>& starts) {
    std::vector<Ordinal> ends{static_cast<Ordinal>(starts.extent(0)) - 1};
    for (const auto& n : neighbours)
      ends.insert(ends.end(), {n.first, n.first + n.length});
    return entries_at<Space>(exec, starts, ends);
  };
  const auto parts_of = [](const Neighbours& neighbours, const std::vector<Offset>& ends) {
    Parts parts;
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      parts.push_back({neighbours[i].process, static_cast<std::size_t>(ends[2 * i + 1]),
                       static_cast<std::size_t>(ends[2 * i + 2] - ends[2 * i + 1])});
    return parts;
  };
  const auto lengths = listed_lengths<Space>(exec, m_sent_rows, rows.offsets);
  const auto received_lengths =
      allocate<Offset>(exec, "tessera::distributed::RowExchange::lengths", received_rows().size());
  send<Offset>(exec, lengths, received_lengths, rows_of(receivers()), rows_of(senders()));
  m_starts = starts_of<Space>(exec, lengths);
  received.offsets = starts_of<Space>(exec, received_lengths);
  const auto sent_ends = entries_of(receivers(), m_starts);
  const auto received_ends = entries_of(senders(), received.offsets);
  m_num_sent = static_cast<std::size_t>(sent_ends.front());
  m_sent_parts = parts_of(receivers(), sent_ends);
  m_received_parts = parts_of(senders(), received_ends);
  received.columns = allocate<Offset>(exec, "tessera::distributed::RowExchange::columns",
                                      static_cast<std::size_t>(received_ends.front()));
  const auto here =
      packed<Ordinal, Space>(exec, m_sent_rows, rows.offsets, rows.columns, m_starts, m_num_sent);
  send<Offset>(exec, global_columns<Space>(exec, here, numbers), received.columns, m_sent_parts,
               m_received_parts);
  return received;
}

template <class Space>
void RowExchange<Space>::values(const Space& exec, const Rows& rows,
                                const Array<double, Space>& received) const {
  if (m_plan == nullptr) return;
  const auto sent =
      packed<double, Space>(exec, m_sent_rows, rows.offsets, rows.values, m_starts, m_num_sent);
  send<double>(exec, sent, received, m_sent_parts, m_received_parts);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowExchange)

}  // namespace tessera::distributed
