// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/gauss_seidel.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/colouring.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/sptrsv/levels.hpp"
#include "tessera/kernels/sptrsv/selection_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera {
namespace detail {

void require_relaxable(const GaussSeidelParameters& parameters, int sweeps, Ordinal num_rows,
                       std::size_t num_inverses) {
  require(num_inverses == static_cast<std::size_t>(num_rows), [&] {
    return "inverse_diagonal has length " + std::to_string(num_inverses) + ", expected " +
           std::to_string(num_rows);
  });
  require(parameters.omega > 0 && parameters.omega < 2, [&] {
    return "omega is " + std::to_string(parameters.omega) + ", expected between 0 and 2";
  });
  require(parameters.inner_sweeps >= 1 && sweeps >= 1, [&] {
    return "inner_sweeps and sweeps are " + std::to_string(parameters.inner_sweeps) + " and " +
           std::to_string(sweeps) + ", expected at least 1 each";
  });
}

/// The colours of the first set before those of the second.
template <class Space>
void rank_by_sets(const Space& exec, const PointSets<Space>& sets,
                  kernels::Colouring<Space>& colouring) {
  const auto set_of = sets.set_of;
  const auto colour_of = colouring.colour_of;
  const Ordinal num_colours = colouring.num_colours;
  Kokkos::parallel_for(
      "tessera::gauss_seidel::rank_by_sets", Kokkos::RangePolicy<Space>(exec, 0, set_of.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) { colour_of(i) += num_colours * set_of(i); });
  colouring.num_colours *= 2;
}

/// The pattern and its transpose's, without the diagonal.
template <class Scalar, class Space, class Offset>
kernels::Graph<Space, Offset> couplings_both_ways(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return kernels::symmetrize(exec, kernels::Graph<Space, Offset>{A.num_rows, A.offsets, A.columns});
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
GaussSeidelSmoother<Scalar, Space, Offset>::GaussSeidelSmoother(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, const GaussSeidelParameters& parameters,
    int sweeps, const PointSets<Space>& sets)
    : m_inverse_diagonal(inverse_diagonal),
      m_omega(static_cast<Scalar>(parameters.omega)),
      m_symmetric(parameters.symmetric),
      m_sweeps(sweeps) {
  detail::require_relaxable(parameters, sweeps, entries.num_rows, inverse_diagonal.extent(0));
  if (parameters.order == GaussSeidelOrder::natural) {
    order_by_levels(exec, entries);
  } else {
    order_by_colours(exec, entries, sets);
  }
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::order_by_colours(const Space& exec,
                                                                  const CsrView& entries,
                                                                  const PointSets<Space>& sets) {
  auto colouring = kernels::colour(exec, detail::couplings_both_ways(exec, entries));
  std::size_t num_relaxed = colouring.num_colours;
  if (sets.set_of.extent(0) != 0) {
    num_relaxed *= sets.num_relaxed;
    detail::rank_by_sets(exec, sets, colouring);
  }
  auto ordered = kernels::nodes_by_colour(exec, colouring);
  m_starts = std::move(ordered.starts);
  m_starts.resize(num_relaxed + 1);
  // A set need not have all colours.
  m_starts.erase(std::unique(m_starts.begin(), m_starts.end()), m_starts.end());
  m_rows = kernels::rank_rows(exec, entries, ordered.nodes, colouring.colour_of);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::order_by_levels(const Space& exec,
                                                                 const CsrView& entries) {
  const auto graph = detail::couplings_both_ways(exec, entries);
  const CsrView pattern{entries.num_rows, entries.num_rows, graph.num_edges(),
                        graph.offsets,    graph.columns,    {}};
  const auto cut = kernels::cut_at_diagonal(exec, pattern);
  const auto levels = kernels::find_levels(exec, kernels::lower_triangle(pattern, cut));
  const auto work = static_cast<std::int64_t>(entries.num_entries) + entries.num_rows;
  const std::int64_t least = rules::min_work_of_shared_level;
  if (kernels::is_host_space<Space> && work < least * levels.num_levels) {
    m_in_order = true;
    m_starts = {0, entries.num_rows};
    m_rows = kernels::rank_rows(exec, entries, {}, {});
    return;
  }
  m_starts = levels.first;
  const auto rows = allocate<Ordinal>(exec, "tessera::gauss_seidel::rows", entries.num_rows);
  Kokkos::deep_copy(exec, rows, levels.order);
  m_rows = kernels::rank_rows(exec, entries, rows, {});
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::relax(const Space& exec, int set, bool backward,
                                                       const ConstVectors& b,
                                                       const Vectors& x) const {
  if (m_in_order) {
    kernels::relax_rows_in_order(exec, m_rows, kernels::RowPart::all, backward, m_omega,
                                 m_inverse_diagonal, b, x, true);
    return;
  }
  kernels::relax_rows(exec, m_rows, kernels::RowPart::all, m_starts[set], m_starts[set + 1],
                      m_omega, m_inverse_diagonal, b, x, x, true);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::forward(const Space& exec, const ConstVectors& b,
                                                         const Vectors& x) const {
  for (int set = 0; set < num_sets(); ++set)
    relax(exec, set, false, b, x);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::backward(const Space& exec, const ConstVectors& b,
                                                          const Vectors& x) const {
  for (int set = num_sets() - 1; set >= 0; --set)
    relax(exec, set, true, b, x);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::go_on(const Space& exec, const ConstVectors& b,
                                                       const Vectors& x,
                                                       bool is_forward_done) const {
  for (int sweep = 0; sweep < m_sweeps; ++sweep) {
    if (sweep > 0 || !is_forward_done) forward(exec, b, x);
    if (m_symmetric) backward(exec, b, x);
  }
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::apply(const Space& exec, const ConstVectors& b,
                                                       const Vectors& x_out) {
  // What no set has stays at the guess.
  if (m_starts.back() < m_rows.num_rows) Kokkos::deep_copy(exec, x_out, Scalar(0));
  // From the guess zero rows read those of the sets before alone, which are written.
  if (m_in_order)
    kernels::relax_rows_in_order(exec, m_rows, kernels::RowPart::lower, false, m_omega,
                                 m_inverse_diagonal, b, x_out, false);
  for (int set = 0; set < num_sets() && !m_in_order; ++set)
    kernels::relax_rows(exec, m_rows, kernels::RowPart::lower, m_starts[set], m_starts[set + 1],
                        m_omega, m_inverse_diagonal, b, x_out, x_out, false);
  go_on(exec, b, x_out, true);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::smooth(const Space& exec, const ConstVectors& b,
                                                        const ConstVectors& /*x_in*/,
                                                        const Vectors& x_out) {
  go_on(exec, b, x_out, false);
}

template <class Scalar, class Space, class Offset>
void GaussSeidelSmoother<Scalar, Space, Offset>::smooth_after(const Space& exec,
                                                              const ConstVectors& b,
                                                              const ConstVectors& x_in,
                                                              const Vectors& x_out) {
  if (m_symmetric) {
    smooth(exec, b, x_in, x_out);
    return;
  }
  for (int sweep = 0; sweep < m_sweeps; ++sweep)
    backward(exec, b, x_out);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, GaussSeidelSmoother)

}  // namespace tessera
