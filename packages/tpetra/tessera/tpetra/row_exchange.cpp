// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/row_exchange.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/tpetra/exchange.hpp"

#include <Tpetra_Distributor.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::tpetra {

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

template <class T, class Space>
Array<T, Space> on_device(const Space& exec, const std::vector<T>& given) {
  const auto copy = allocate<T>(exec, "tessera::tpetra::RowExchange::rows", given.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      given.data(), given.size());
  if (!given.empty()) Kokkos::deep_copy(exec, copy, host);
  exec.fence("tessera::tpetra::RowExchange");
  return copy;
}

template <class Space>
std::vector<std::size_t> lengths_of(const Space& exec, const Array<Ordinal, Space>& rows,
                                    const ArrayView<const std::int64_t, Space>& offsets) {
  const auto lengths =
      allocate<std::int64_t>(exec, "tessera::tpetra::RowExchange::lengths", rows.extent(0));
  Kokkos::parallel_for(
      "tessera::tpetra::RowExchange::lengths",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) { lengths(r) = offsets(rows(r) + 1) - offsets(rows(r)); });
  exec.fence("tessera::tpetra::RowExchange");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lengths);
  return {host.data(), host.data() + host.extent(0)};
}

/// The entries of the rows, one row after the other.
template <class T, class Space>
Array<T, Space> packed(const Space& exec, const Array<Ordinal, Space>& rows,
                       const ArrayView<const std::int64_t, Space>& offsets,
                       const ArrayView<const T, Space>& entries,
                       const Array<std::int64_t, Space>& starts, std::size_t total) {
  const auto packed = allocate<T>(exec, "tessera::tpetra::RowExchange::packed", total);
  Kokkos::parallel_for(
      "tessera::tpetra::RowExchange::pack",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const std::int64_t first = offsets(rows(r));
        const std::int64_t length = offsets(rows(r) + 1) - first;
        for (std::int64_t e = 0; e < length; ++e)
          packed(starts(r) + e) = entries(first + e);
      });
  exec.fence("tessera::tpetra::RowExchange");
  return packed;
}

}  // namespace

template <class Space>
void RowExchange<Space>::take(const Teuchos::ArrayView<const int>& sent,
                              const Teuchos::ArrayView<const int>& received) {
  m_sent_rows = on_device(Space(), std::vector<Ordinal>(sent.begin(), sent.end()));
  m_received_rows.assign(received.begin(), received.end());
}

template <class Space>
template <class View>
void RowExchange<Space>::send(const View& sent, const View& received,
                              const std::vector<std::size_t>& sent_lengths,
                              const std::vector<std::size_t>& received_lengths) {
  const auto out = Teuchos::arrayViewFromVector(sent_lengths);
  const auto in = Teuchos::arrayViewFromVector(received_lengths);
  if (m_is_backward) {
    m_distributor->doReversePostsAndWaits(sent, out, received, in);
  } else {
    m_distributor->doPostsAndWaits(sent, out, received, in);
  }
}

template <class Space>
auto RowExchange<Space>::pattern(const Space& exec, const Rows& rows, const ColumnNumbers& numbers)
    -> Received {
  Received received;
  if (m_distributor == nullptr) return received;
  using Lengths = Kokkos::View<int*, Kokkos::HostSpace>;
  using Columns = Kokkos::View<long long*, Kokkos::HostSpace>;
  m_sent_lengths = lengths_of<Space>(exec, m_sent_rows, rows.offsets);
  const Lengths lengths("tessera::tpetra::RowExchange::lengths", m_sent_lengths.size());
  std::copy(m_sent_lengths.begin(), m_sent_lengths.end(), lengths.data());
  const Lengths received_lengths("tessera::tpetra::RowExchange::lengths", m_received_rows.size());
  send(lengths, received_lengths, std::vector<std::size_t>(lengths.extent(0), 1),
       std::vector<std::size_t>(received_lengths.extent(0), 1));
  m_received_lengths.assign(received_lengths.data(),
                            received_lengths.data() + received_lengths.extent(0));

  std::vector<std::int64_t> starts(m_sent_lengths.size());
  std::exclusive_scan(m_sent_lengths.begin(), m_sent_lengths.end(), starts.begin(),
                      std::int64_t(0));
  m_starts = on_device(exec, starts);
  m_num_sent = std::accumulate(m_sent_lengths.begin(), m_sent_lengths.end(), std::size_t(0));
  const auto columns = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      packed<Ordinal, Space>(exec, m_sent_rows, rows.offsets, rows.columns, m_starts, m_num_sent));
  const Columns sent("tessera::tpetra::RowExchange::columns", m_num_sent);
  for (std::size_t e = 0; e < m_num_sent; ++e)
    sent(e) = numbers.global(columns(e));
  for (const std::size_t length : m_received_lengths)
    received.offsets.push_back(received.offsets.back() + static_cast<std::int64_t>(length));
  const Columns come("tessera::tpetra::RowExchange::columns",
                     static_cast<std::size_t>(received.offsets.back()));
  send(sent, come, m_sent_lengths, m_received_lengths);
  received.columns.assign(come.data(), come.data() + come.extent(0));
  return received;
}

template <class Space>
void RowExchange<Space>::values(const Space& exec, const Rows& rows,
                                const Array<double, Space>& received) {
  if (m_distributor == nullptr) return;
  const auto sent =
      packed<double, Space>(exec, m_sent_rows, rows.offsets, rows.values, m_starts, m_num_sent);
  if (goes_through_host<Space>()) {
    using Host = Kokkos::View<double*, Kokkos::HostSpace>;
    const Host host("tessera::tpetra::RowExchange::values", sent.extent(0));
    const Host come("tessera::tpetra::RowExchange::values", received.extent(0));
    Kokkos::deep_copy(exec, host, sent);
    exec.fence("tessera::tpetra::RowExchange");
    send(host, come, m_sent_lengths, m_received_lengths);
    Kokkos::deep_copy(exec, received, come);
    exec.fence("tessera::tpetra::RowExchange");
  } else {
    send(sent, received, m_sent_lengths, m_received_lengths);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowExchange)

}  // namespace tessera::tpetra
