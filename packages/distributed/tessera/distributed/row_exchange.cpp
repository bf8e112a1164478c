// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_exchange.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::distributed {

ColumnNumbers::ColumnNumbers(Global first, Ordinal num_own, const std::vector<Global>& others)
    : m_first(first), m_num_own(num_own), m_others(others) {
  for (std::size_t i = 0; i < others.size(); ++i)
    m_number[others[i]] = num_own + static_cast<Ordinal>(i);
}

std::vector<Ordinal> ColumnNumbers::add(const std::vector<Global>& columns) {
  std::vector<Global> unknown;
  for (const Global column : columns)
    if (!is_own(column) && m_number.count(column) == 0) unknown.push_back(column);
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  for (const Global column : unknown) {
    m_number[column] = size();
    m_others.push_back(column);
  }
  std::vector<Ordinal> numbers;
  numbers.reserve(columns.size());
  for (const Global column : columns)
    numbers.push_back(is_own(column) ? static_cast<Ordinal>(column - m_first)
                                     : m_number.at(column));
  return numbers;
}

std::vector<Ordinal> ColumnNumbers::keep(const std::vector<char>& is_used_of_others) {
  std::vector<Ordinal> number(static_cast<std::size_t>(size()), -1);
  std::iota(number.begin(), number.begin() + m_num_own, 0);
  const std::vector<Global> before = std::exchange(m_others, {});
  std::map<Global, Ordinal> place;  // ascending
  for (std::size_t i = 0; i < before.size(); ++i)
    if (is_used_of_others[i] != 0) place[before[i]] = static_cast<Ordinal>(i);
  m_number.clear();
  for (const auto& [column, i] : place) {
    number[static_cast<std::size_t>(m_num_own + i)] = size();
    m_number[column] = size();
    m_others.push_back(column);
  }
  return number;
}

namespace {

template <class Space>
std::vector<std::int64_t> lengths_of(const Space& exec, const Array<Ordinal, Space>& rows,
                                     const ArrayView<const std::int64_t, Space>& offsets) {
  const auto lengths =
      allocate<std::int64_t>(exec, "tessera::distributed::RowExchange::lengths", rows.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::RowExchange::lengths",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) { lengths(r) = offsets(rows(r) + 1) - offsets(rows(r)); });
  exec.fence("tessera::distributed::RowExchange");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lengths);
  return {host.data(), host.data() + host.extent(0)};
}

/// The entries of the rows, one row after the other.
template <class T, class Space>
Array<T, Space> packed(const Space& exec, const Array<Ordinal, Space>& rows,
                       const ArrayView<const std::int64_t, Space>& offsets,
                       const ArrayView<const T, Space>& entries,
                       const Array<std::int64_t, Space>& starts, std::size_t total) {
  const auto packed = allocate<T>(exec, "tessera::distributed::RowExchange::packed", total);
  Kokkos::parallel_for(
      "tessera::distributed::RowExchange::pack",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const std::int64_t first = offsets(rows(r));
        const std::int64_t length = offsets(rows(r) + 1) - first;
        for (std::int64_t e = 0; e < length; ++e)
          packed(starts(r) + e) = entries(first + e);
      });
  exec.fence("tessera::distributed::RowExchange");
  return packed;
}

/// Where each of so many numbers begins, and where the last one ends.
std::vector<std::int64_t> starts_of(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> starts(lengths.size() + 1, 0);
  std::inclusive_scan(lengths.begin(), lengths.end(), starts.begin() + 1);
  return starts;
}

/// Of as many numbers of one entry.
std::vector<std::int64_t> single_starts(std::size_t count) {
  std::vector<std::int64_t> starts(count + 1);
  std::iota(starts.begin(), starts.end(), 0);
  return starts;
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
void RowExchange<Space>::send(const T* sent, T* received,
                              const std::vector<std::int64_t>& sent_starts,
                              const std::vector<std::int64_t>& received_starts) const {
  std::vector<Communicator::Outgoing> outgoing;
  std::vector<Communicator::Incoming> incoming;
  const auto part = [](const CommunicationPlan::Neighbour& n,
                       const std::vector<std::int64_t>& starts) {
    const std::int64_t first = starts[static_cast<std::size_t>(n.first)];
    const std::int64_t last = starts[static_cast<std::size_t>(n.first + n.length)];
    return std::pair(first, static_cast<std::size_t>(last - first) * sizeof(T));
  };
  for (const auto& n : receivers()) {
    const auto [first, bytes] = part(n, sent_starts);
    outgoing.push_back({n.process, sent + first, bytes});
  }
  for (const auto& n : senders()) {
    const auto [first, bytes] = part(n, received_starts);
    incoming.push_back({n.process, received + first, bytes});
  }
  m_plan->processes->start(outgoing, incoming)->wait();
}

template <class Space>
auto RowExchange<Space>::pattern(const Space& exec, const Rows& rows, const ColumnNumbers& numbers)
    -> Received {
  Received received;
  if (m_plan == nullptr) return received;
  const auto lengths = lengths_of<Space>(exec, m_sent_rows, rows.offsets);
  std::vector<std::int64_t> received_lengths(received_rows().size());
  send(lengths.data(), received_lengths.data(), single_starts(lengths.size()),
       single_starts(received_lengths.size()));
  m_sent_starts = starts_of(lengths);
  m_received_starts = starts_of(received_lengths);
  m_starts = from_host(exec, m_sent_starts);

  const auto num_sent = static_cast<std::size_t>(m_sent_starts.back());
  const auto columns = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      packed<Ordinal, Space>(exec, m_sent_rows, rows.offsets, rows.columns, m_starts, num_sent));
  std::vector<ColumnNumbers::Global> sent(num_sent);
  for (std::size_t e = 0; e < num_sent; ++e)
    sent[e] = numbers.global(columns(e));
  received.offsets = m_received_starts;
  received.columns.resize(static_cast<std::size_t>(m_received_starts.back()));
  send(sent.data(), received.columns.data(), m_sent_starts, m_received_starts);
  return received;
}

template <class Space>
void RowExchange<Space>::values(const Space& exec, const Rows& rows,
                                const Array<double, Space>& received) const {
  if (m_plan == nullptr) return;
  const auto sent = packed<double, Space>(exec, m_sent_rows, rows.offsets, rows.values, m_starts,
                                          static_cast<std::size_t>(m_sent_starts.back()));
  using Messages = ArrayMessages<double, Space>;
  const auto parts = [](const Neighbours& neighbours, const std::vector<std::int64_t>& starts) {
    typename Messages::Parts made;
    for (const auto& n : neighbours) {
      const auto first = static_cast<std::size_t>(starts[static_cast<std::size_t>(n.first)]);
      const auto last =
          static_cast<std::size_t>(starts[static_cast<std::size_t>(n.first + n.length)]);
      made.push_back({n.process, first, last - first});
    }
    return made;
  };
  Messages messages;
  messages.begin(exec, *m_plan->processes, sent, received, parts(receivers(), m_sent_starts),
                 parts(senders(), m_received_starts));
  messages.end(exec);
  exec.fence("tessera::distributed::RowExchange");
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowExchange)

}  // namespace tessera::distributed
