// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/exchange.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

template <class View>
View first_of(const View& view, std::size_t length) {
  return Kokkos::subview(view, std::make_pair(std::size_t(0), length));
}

/// All columns' values of each of the rows, side by side.
template <class Scalar, class Space>
void pack(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
          const ArrayView<const Ordinal, Space>& rows, const ArrayView<Scalar, Space>& packed) {
  const auto columns = static_cast<Ordinal>(x.extent(1));
  Kokkos::parallel_for(
      "tessera::distributed::Exchange::pack",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal row = rows(i);
        for (Ordinal j = 0; j < columns; ++j)
          packed(static_cast<std::size_t>(i) * columns + j) = x(row, j);
      });
}

/// `to` is what stays here of `from`, the first rows under the same numbers, and what was received.
template <class Scalar, class Space>
void place(const Space& exec, Ordinal same, const ConstMultiVectorView<Scalar, Space>& from,
           const ArrayView<const Ordinal, Space>& from_rows,
           const MultiVectorView<Scalar, Space>& to, const ArrayView<const Ordinal, Space>& to_rows,
           const ArrayView<const Scalar, Space>& received,
           const ArrayView<const Ordinal, Space>& received_rows) {
  const auto columns = static_cast<Ordinal>(to.extent(1));
  const auto moved = static_cast<Ordinal>(from_rows.extent(0));
  const auto remote = static_cast<Ordinal>(received_rows.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::Exchange::place",
      Kokkos::RangePolicy<Space>(exec, 0, same + moved + remote), KOKKOS_LAMBDA(const Ordinal i) {
        for (Ordinal j = 0; j < columns; ++j) {
          if (i < same) {
            to(i, j) = from(i, j);
          } else if (i < same + moved) {
            to(to_rows(i - same), j) = from(from_rows(i - same), j);
          } else {
            const Ordinal r = i - same - moved;
            to(received_rows(r), j) = received(static_cast<std::size_t>(r) * columns + j);
          }
        }
      });
}

template <class View>
void make_room(View& view, const char* label, std::size_t length) {
  if (view.extent(0) < length)
    view = View(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), length);
}

}  // namespace

template <class Scalar, class Space>
Exchange<Scalar, Space>::Exchange(const Plan<Space>& plan) : m_plan(plan) {}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::reserve(std::size_t k, bool goes_back) {
  if (is_empty()) return;
  const std::size_t exported = m_plan->exports.extent(0), remote = m_plan->remotes.extent(0);
  const std::size_t num_sent = k * (goes_back ? std::max(exported, remote) : exported);
  const std::size_t num_received = k * (goes_back ? std::max(exported, remote) : remote);
  make_room(m_sent, "tessera::distributed::sent", num_sent);
  make_room(m_received, "tessera::distributed::received", num_received);
  m_messages.reserve(*m_plan->processes, num_sent, num_received);
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::send(const Space& exec, const ConstVectors& x, const Rows& rows,
                                   const Neighbours& to, const Neighbours& from,
                                   Ordinal num_received) {
  const std::size_t k = x.extent(1);
  const std::size_t num_sent = rows.extent(0) * k;
  const std::size_t num_expected = static_cast<std::size_t>(num_received) * k;
  make_room(m_sent, "tessera::distributed::sent", num_sent);
  make_room(m_received, "tessera::distributed::received", num_expected);
  pack<Scalar, Space>(exec, x, rows, m_sent);
  typename ArrayMessages<Scalar, Space>::Parts sent_parts;
  typename ArrayMessages<Scalar, Space>::Parts received_parts;
  for (const auto& n : to)
    sent_parts.push_back(
        {n.process, static_cast<std::size_t>(n.first) * k, static_cast<std::size_t>(n.length) * k});
  for (const auto& n : from)
    received_parts.push_back(
        {n.process, static_cast<std::size_t>(n.first) * k, static_cast<std::size_t>(n.length) * k});
  m_messages.begin(exec, *m_plan->processes, first_of(m_sent, num_sent),
                   first_of(m_received, num_expected), sent_parts, received_parts);
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::begin(const Space& exec, const ConstVectors& x) {
  if (!is_empty()) send(exec, x, m_plan->exports, m_plan->receivers, m_plan->senders, num_remote());
}

template <class Scalar, class Space>
auto Exchange<Scalar, Space>::end(const Space& exec) -> Received {
  if (!is_empty()) m_messages.end(exec);
  return m_received;
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::forward(const Space& exec, const ConstVectors& x, const Vectors& y) {
  if (is_empty()) return kernels::copy<Scalar, Scalar, Space>(exec, x, y);
  begin(exec, x);
  end(exec);
  place<Scalar, Space>(exec, m_plan->num_same, x, m_plan->from, y, m_plan->to, m_received,
                       m_plan->remotes);
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::backward(const Space& exec, const ConstVectors& y, const Vectors& x) {
  if (is_empty()) return kernels::copy<Scalar, Scalar, Space>(exec, y, x);
  send(exec, y, m_plan->remotes, m_plan->senders, m_plan->receivers,
       static_cast<Ordinal>(m_plan->exports.extent(0)));
  m_messages.end(exec);
  place<Scalar, Space>(exec, m_plan->num_same, y, m_plan->to, x, m_plan->from, m_received,
                       m_plan->exports);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Exchange)

}  // namespace tessera::distributed
