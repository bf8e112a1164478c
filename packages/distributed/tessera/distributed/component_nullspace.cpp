// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/component_nullspace.hpp"

#include "tessera/distributed/connected_pieces.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace tessera::distributed {
namespace detail {

using Global = Partition::Global;

/// Marks a piece by its least row where one of its rows does not sum to zero.
template <class Space>
struct MarkRegularPieces {
  kernels::CsrView<double, Space, std::int64_t> A;
  ArrayView<const Ordinal, Space> piece;
  ArrayView<int, Space> regular;
  double tolerance;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    double sum = 0, size = 0;
    for (std::int64_t e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      sum += A.values(e);
      size += Kokkos::fabs(A.values(e));
    }
    // Negated, for they may be NaNs.
    if (!(Kokkos::fabs(sum) <= tolerance * size)) kernels::store_relaxed(&regular(piece(i)), 1);
  }
};

template <class Space>
HostPieces pieces_on_host(const Space& exec, const ConnectedPieces<Space>& pieces) {
  const auto piece = kernels::queue_copy_to_host(exec, pieces.piece);
  const auto component = kernels::queue_copy_to_host(exec, pieces.component);
  const auto divided = kernels::copy_to_host(exec, pieces.is_divided);
  HostPieces made;
  const std::size_t n = piece.extent(0);
  made.number.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto least = static_cast<std::size_t>(piece(i));
    if (least == i) {
      made.number[i] = static_cast<int>(made.size());
      made.least.push_back(piece(i));
      made.rows.push_back(0);
      made.component.push_back(component(i));
      made.is_divided.push_back(divided(i) != 0 ? 1 : 0);
    } else {
      made.number[i] = made.number[least];
    }
    ++made.rows[static_cast<std::size_t>(made.number[i])];
  }
  return made;
}

/// The components that several processes have rows of, by their least rows, ascending. Collective.
std::vector<Global> shared_components(const Communicator& processes, const HostPieces& pieces,
                                      Global first) {
  std::vector<Global> own;  // whose least row is this process's
  for (std::size_t p = 0; p < pieces.size(); ++p)
    if (pieces.is_divided[p] != 0 && pieces.component[p] == first + pieces.least[p])
      own.push_back(pieces.component[p]);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(processes.size()));
  processes.all_gather(static_cast<std::int64_t>(own.size()), counts);
  std::vector<Global> all(static_cast<std::size_t>(std::reduce(counts.begin(), counts.end())), 0);
  const auto before = std::reduce(counts.begin(), counts.begin() + processes.rank());
  std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(before));
  if (!all.empty()) processes.sum(std::span<std::int64_t>(all));
  return all;
}

/// The component's place among `shared`; their number where it is none of them, which a pattern
/// that is not symmetric may bring about.
std::size_t place_among(const std::vector<Global>& shared, Global component) {
  const auto found = std::ranges::lower_bound(shared, component);
  return found != shared.end() && *found == component
             ? static_cast<std::size_t>(found - shared.begin())
             : shared.size();
}

/// Adds those of the components that are singular; returns by shared one its new number, or -1, and
/// behind them -1. Collective.
std::vector<int> add_shared(const Communicator& processes, const HostPieces& pieces,
                            const std::vector<std::uint8_t>& is_regular,
                            const std::vector<Global>& shared, ComponentNullspace& found) {
  const std::size_t count = shared.size();
  std::vector<std::int64_t> sums(2 * count, 0);  // rows, then pieces that are regular
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (pieces.is_divided[p] == 0) continue;
    const std::size_t at = place_among(shared, pieces.component[p]);
    if (at == count) continue;
    sums[at] += pieces.rows[p];
    sums[count + at] += is_regular[p];
  }
  if (count > 0) processes.sum(std::span<std::int64_t>(sums));
  std::vector<int> number(count + 1, -1);
  for (std::size_t s = 0; s < count; ++s) {
    if (sums[count + s] > 0) continue;
    number[s] = found.num_shared++;
    found.size.push_back(sums[s]);
  }
  return number;
}

}  // namespace detail

template <class Space>
void SingularComponents<Space>::search(const Space& exec, const Matrix<Space>& A,
                                       const PatternHash& couplings) {
  m_has_pieces = false;  // until all of it is there
  const ConnectedPieces<Space> connected = connected_pieces(exec, A);
  on_all_processes(*A.processes, [&] { m_pieces = detail::pieces_on_host(exec, connected); });
  m_piece = connected.piece;
  m_shared = detail::shared_components(*A.processes, m_pieces, A.row_shares->first());
  m_couplings = couplings;
  m_has_pieces = true;
}

template <class Space>
std::vector<std::uint8_t> SingularComponents<Space>::regular_pieces(const Space& exec,
                                                                    const Matrix<Space>& A,
                                                                    double tolerance) const {
  std::vector<std::uint8_t> is_regular;
  on_all_processes(*A.processes, [&] {
    const auto regular = allocate<int>(exec, "tessera::distributed::regular", m_piece.extent(0));
    Kokkos::deep_copy(exec, regular, 0);
    const LocalRows<Space> rows =
        A.processes->is_reproducible() ? in_order_of_all(exec, A) : A.rows;
    Kokkos::parallel_for(
        "tessera::distributed::mark_regular", Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows),
        detail::MarkRegularPieces<Space>{rows.view(), m_piece, regular, tolerance});
    const auto marked = kernels::copy_to_host(exec, regular);
    for (const Ordinal least : m_pieces.least)
      is_regular.push_back(marked(static_cast<std::size_t>(least)) != 0 ? 1 : 0);
  });
  return is_regular;
}

template <class Space>
const ComponentNullspace& SingularComponents<Space>::find(const Space& exec, const Matrix<Space>& A,
                                                          double tolerance) {
  const Communicator& processes = *A.processes;
  const PatternHash couplings = coupling_hash(exec, A.rows.view());
  const bool are_others = !m_has_pieces || couplings != m_couplings;
  if (processes.maximum_of(are_others ? 1 : 0) > 0) search(exec, A, couplings);
  const auto is_regular = regular_pieces(exec, A, tolerance);
  ComponentNullspace found;
  const auto number_of_shared =
      detail::add_shared(processes, m_pieces, is_regular, m_shared, found);
  std::vector<int> number(m_pieces.size(), -1);
  for (std::size_t p = 0; p < m_pieces.size(); ++p) {
    if (m_pieces.is_divided[p] != 0) {
      number[p] = number_of_shared[detail::place_among(m_shared, m_pieces.component[p])];
    } else if (is_regular[p] == 0) {
      number[p] = static_cast<int>(found.size.size());
      found.size.push_back(m_pieces.rows[p]);
    }
  }
  for (const int piece : m_pieces.number)
    found.component.push_back(number[static_cast<std::size_t>(piece)]);
  const auto own = found.size.begin() + found.num_shared;
  const bool is_new = !m_has_found || found.component != m_found.component ||
                      found.size != m_found.size || found.num_shared != m_found.num_shared;
  std::int64_t sums[] = {found.size.end() - own, std::reduce(own, found.size.end()),
                         is_new ? 1 : 0};
  processes.sum(std::span<std::int64_t>(sums));
  found.num_components = sums[0] + found.num_shared;
  found.num_rows = std::reduce(found.size.begin(), own, sums[1]);
  m_found = std::move(found);
  m_has_found = true;
  m_found_others = sums[2] > 0;
  return m_found;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, SingularComponents)

}  // namespace tessera::distributed
