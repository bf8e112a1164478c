// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/exchange.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <Tpetra_Distributor.hpp>

#include <string>
#include <utility>

namespace tessera::tpetra {
namespace {

template <class Space>
Array<Ordinal, Space> on_device(const Teuchos::ArrayView<const int>& rows) {
  const Space exec;
  const auto copy = allocate<Ordinal>(exec, "tessera::tpetra::rows", rows.size());
  const Kokkos::View<const int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> given(
      rows.getRawPtr(), static_cast<std::size_t>(rows.size()));
  if (rows.size() > 0) Kokkos::deep_copy(exec, copy, given);
  exec.fence("tessera::tpetra::rows");
  return copy;
}

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
      "tessera::tpetra::Exchange::pack",
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
      "tessera::tpetra::Exchange::place",
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
void Exchange<Scalar, Space>::take(std::shared_ptr<const void> owner,
                                   Tpetra::Distributor& distributor, Ordinal same,
                                   Ordinal num_source, Ordinal num_target,
                                   const Teuchos::ArrayView<const int>& from,
                                   const Teuchos::ArrayView<const int>& to,
                                   const Teuchos::ArrayView<const int>& exports,
                                   const Teuchos::ArrayView<const int>& remotes) {
  m_owner = std::move(owner);
  m_distributor = &distributor;
  m_num_source = num_source;
  m_num_target = num_target;
  m_num_same = same;
  m_from = on_device<Space>(from);
  m_to = on_device<Space>(to);
  m_exports = on_device<Space>(exports);
  m_remotes = on_device<Space>(remotes);
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::send(const Space& exec, const ConstVectors& x, const Rows& rows,
                                   Ordinal num_received, bool is_reverse) {
  const std::size_t k = x.extent(1);
  const std::size_t num_sent = rows.extent(0) * k;
  const std::size_t num_expected = static_cast<std::size_t>(num_received) * k;
  make_room(m_sent, "tessera::tpetra::sent", num_sent);
  make_room(m_received, "tessera::tpetra::received", num_expected);
  pack<Scalar, Space>(exec, x, rows, m_sent);
  const auto post = [&](const auto& sent, const auto& received) {
    const auto exports = first_of(sent, num_sent);
    const auto imports = first_of(received, num_expected);
    if (is_reverse) {
      m_distributor->doReversePosts(exports, k, imports);
    } else {
      m_distributor->doPosts(exports, k, imports);
    }
  };
  if (goes_through_host<Space>()) {
    make_room(m_sent_by_host, "tessera::tpetra::sent", num_sent);
    make_room(m_received_by_host, "tessera::tpetra::received", num_expected);
    Kokkos::deep_copy(exec, first_of(m_sent_by_host, num_sent), first_of(m_sent, num_sent));
    exec.fence("tessera::tpetra::Exchange");
    post(m_sent_by_host, m_received_by_host);
  } else {
    exec.fence("tessera::tpetra::Exchange");
    post(m_sent, m_received);
  }
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::receive(const Space& exec, bool is_reverse) {
  if (is_reverse) {
    m_distributor->doReverseWaits();
  } else {
    m_distributor->doWaits();
  }
  if (goes_through_host<Space>()) {
    const std::size_t length = m_received_by_host.extent(0);
    Kokkos::deep_copy(exec, first_of(m_received, length), m_received_by_host);
  }
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::begin(const Space& exec, const ConstVectors& x) {
  if (!is_empty()) send(exec, x, m_exports, num_remote(), false);
}

template <class Scalar, class Space>
auto Exchange<Scalar, Space>::end(const Space& exec) -> Received {
  if (!is_empty()) receive(exec, false);
  return m_received;
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::forward(const Space& exec, const ConstVectors& x, const Vectors& y) {
  begin(exec, x);
  end(exec);
  place<Scalar, Space>(exec, m_num_same, x, m_from, y, m_to, m_received, m_remotes);
}

template <class Scalar, class Space>
void Exchange<Scalar, Space>::backward(const Space& exec, const ConstVectors& y, const Vectors& x) {
  if (!is_empty()) {
    send(exec, y, m_remotes, static_cast<Ordinal>(m_exports.extent(0)), true);
    receive(exec, true);
  }
  place<Scalar, Space>(exec, m_num_same, y, m_to, x, m_from, m_received, m_exports);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Exchange)

}  // namespace tessera::tpetra
