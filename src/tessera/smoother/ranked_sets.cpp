// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/ranked_sets.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/colouring.hpp"

#include <string>
#include <utility>

namespace tessera {
namespace detail {

/// x += y in the rows at positions from `first` on.
template <class Scalar, class Space>
struct AddInRows {
  ArrayView<const Ordinal, Space> rows;
  Ordinal first;
  MultiVectorView<Scalar, Space> y;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION void operator()(Ordinal at) const {
    const Ordinal i = rows(first + at);
    for (std::size_t j = 0; j < x.extent(1); ++j)
      x(i, j) += y(i, j);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
RankedSets<Scalar, Space, Offset>::RankedSets(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& weights, const PointSets<Space>& sets)
    : m_weights(weights) {
  const auto n = static_cast<std::size_t>(entries.num_rows);
  require(sets.set_of.extent(0) == n && weights.extent(0) == n, [&] {
    return "there are " + std::to_string(sets.set_of.extent(0)) + " points in sets and " +
           std::to_string(weights.extent(0)) + " weights; expected " + std::to_string(n) +
           " of each";
  });
  auto ordered = kernels::nodes_by_colour(exec, kernels::Colouring<Space>{sets.set_of, 2});
  m_starts = std::move(ordered.starts);
  m_starts.resize(3, 0);  // of no rows there is one alone
  m_rows = kernels::rank_rows(exec, entries, ordered.nodes, {});
}

template <class Scalar, class Space, class Offset>
void RankedSets<Scalar, Space, Offset>::prepare(const Space& exec, int k) {
  if (m_change.extent(1) >= static_cast<std::size_t>(k)) return;
  m_change = {};
  m_change = allocate_multivector<Scalar>(exec, "tessera::point_sets::change", m_rows.num_rows, k);
}

template <class Scalar, class Space, class Offset>
void RankedSets<Scalar, Space, Offset>::relax(const Space& exec, int set, const ConstVectors& b,
                                              const Vectors& x) const {
  const Vectors change(m_change.data(), x.extent(0), x.extent(1));
  const Ordinal first = m_starts[set], last = m_starts[set + 1];
  kernels::relax_rows(exec, m_rows, kernels::RowPart::all, first, last, Scalar(1), m_weights, b, x,
                      change, false);
  Kokkos::parallel_for("tessera::point_sets::add",
                       Kokkos::RangePolicy<Space>(exec, 0, last - first),
                       detail::AddInRows<Scalar, Space>{m_rows.rows, first, change, x});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, RankedSets)

}  // namespace tessera
