// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/multipass_interpolation.hpp"

#include "tessera/amg/coarsening/detail/direct_weights.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// Pass 0: the coarse points.
template <class Space>
void start_passes(const Space& exec, const Array<const Ordinal, Space>& coarse_number,
                  const Array<Ordinal, Space>& pass, const Array<Ordinal, Space>& rank) {
  Kokkos::parallel_for(
      "tessera::multipass::start", Kokkos::RangePolicy<Space>(exec, 0, pass.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        pass(i) = coarse_number(i) < 0 ? -1 : 0;
        rank(i) = coarse_number(i);
      });
}

/// Gives the next pass to points of none that depend on one of the pass before, and ranks them in
/// their order; returns how many there are, for which it waits.
template <class Space, class Offset>
Ordinal next_pass(const Space& exec, const kernels::Graph<Space, Offset>& strong, Ordinal before,
                  const Array<Ordinal, Space>& pass, const Array<Ordinal, Space>& rank) {
  const Kokkos::RangePolicy<Space> points(exec, 0, strong.num_nodes);
  Kokkos::parallel_for(
      "tessera::multipass::reach", points, KOKKOS_LAMBDA(const Ordinal i) {
        bool is_reached = false;
        for (Offset k = strong.offsets(i); k < strong.offsets(i + 1) && pass(i) < 0; ++k)
          is_reached = is_reached || pass(strong.columns(k)) == before;
        // Others read pass(i) meanwhile: it keeps its value, and rank has no other use here.
        if (pass(i) < 0) rank(i) = is_reached ? 0 : -1;
      });
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::multipass::rank", points,
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool last) {
        const bool is_new = pass(i) < 0 && rank(i) != -1;
        if (last && is_new) {
          rank(i) = sum;
          pass(i) = before + 1;
        }
        sum += is_new ? 1 : 0;
      },
      count);
  exec.fence("tessera::multipass::rank");
  return count;
}

/// The points of a pass, by rank.
template <class Space>
Array<const Ordinal, Space> rows_of_pass(const Space& exec, const Array<Ordinal, Space>& pass,
                                         const Array<Ordinal, Space>& rank, Ordinal number,
                                         Ordinal count) {
  const auto rows = allocate<Ordinal>(exec, "tessera::multipass::rows", count);
  Kokkos::parallel_for(
      "tessera::multipass::rows", Kokkos::RangePolicy<Space>(exec, 0, pass.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (pass(i) == number) rows(rank(i)) = i;
      });
  return rows;
}

/// What points depend on in the pass before theirs; no values.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> pass_pattern(const Space& exec,
                                                 const kernels::Graph<Space, Offset>& strong,
                                                 const Array<const Ordinal, Space>& rows,
                                                 const Array<Ordinal, Space>& pass,
                                                 const Array<Ordinal, Space>& rank, Ordinal before,
                                                 Ordinal count_before) {
  const auto count = static_cast<Ordinal>(rows.extent(0));
  const auto offsets = allocate<Offset>(exec, "tessera::multipass::offsets", count + 1ul);
  const Kokkos::RangePolicy<Space> policy(exec, 0, count);
  Kokkos::parallel_for(
      "tessera::multipass::count", policy, KOKKOS_LAMBDA(const Ordinal r) {
        Offset found = 0;
        for (Offset k = strong.offsets(rows(r)); k < strong.offsets(rows(r) + 1); ++k)
          found += pass(strong.columns(k)) == before ? 1 : 0;
        offsets(r) = found;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::multipass::columns", total);
  Kokkos::parallel_for(
      "tessera::multipass::columns", policy, KOKKOS_LAMBDA(const Ordinal r) {
        Offset at = offsets(r);
        for (Offset k = strong.offsets(rows(r)); k < strong.offsets(rows(r) + 1); ++k) {
          const Ordinal j = strong.columns(k);
          if (pass(j) == before) columns(at++) = rank(j);
        }
      });
  return {count, count_before, offsets, columns, {}};
}

/// I.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> identity_pattern(const Space& exec, Ordinal n) {
  const auto offsets = allocate<Offset>(exec, "tessera::multipass::offsets", n + 1ul);
  const auto columns = allocate<Ordinal>(exec, "tessera::multipass::columns", n);
  Kokkos::parallel_for(
      "tessera::multipass::identity", Kokkos::RangePolicy<Space>(exec, 0, n + 1ul),
      KOKKOS_LAMBDA(const std::size_t i) {
        offsets(i) = static_cast<Offset>(i);
        if (i < columns.extent(0)) columns(i) = static_cast<Ordinal>(i);
      });
  return {n, n, offsets, columns, {}};
}

/// The weights of a pass by the couplings of A.
template <class Scalar, class Space, class Offset>
struct PassWeights {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> M;
  Array<const Ordinal, Space> rows;
  Array<const Ordinal, Space> pass;
  Array<const Ordinal, Space> rank;
  Ordinal before;

  KOKKOS_FUNCTION void operator()(Ordinal r) const {
    const Ordinal i = rows(r);
    const Offset end = M.offsets(r + 1);
    DirectWeights weights;
    Offset m = M.offsets(r);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      const auto value = static_cast<double>(A.values(e));
      if (j == i) {
        weights.diagonal += value;
      } else if (m < end && pass(j) == before && M.columns(m) == rank(j)) {
        M.values(m++) = A.values(e);
        weights.take(value);
      } else {
        weights.leave(value);
      }
    }
    const double scale = weights.scale();
    for (m = M.offsets(r); m < end; ++m)
      M.values(m) = static_cast<Scalar>(scale * static_cast<double>(M.values(m)));
  }
};

/// Counts the entries of a pass's rows.
template <class Scalar, class Space, class Offset>
void count_rows(const Space& exec, const Array<const Ordinal, Space>& rows,
                const kernels::Csr<Scalar, Space, Offset>& P, const Array<Offset, Space>& counts) {
  Kokkos::parallel_for(
      "tessera::multipass::count_rows", Kokkos::RangePolicy<Space>(exec, 0, P.num_rows),
      KOKKOS_LAMBDA(const Ordinal r) { counts(rows(r)) = P.offsets(r + 1) - P.offsets(r); });
}

/// Copies what `from` has of a pass's rows to their places, the columns or the values.
template <class Scalar, class Space, class Offset, class Entry, class Entries>
void place_rows(const Space& exec, const Array<const Ordinal, Space>& rows,
                const kernels::Csr<Scalar, Space, Offset>& P, const Entries& from,
                const Array<const Offset, Space>& offsets, const Array<Entry, Space>& to) {
  Kokkos::parallel_for(
      "tessera::multipass::place_rows", Kokkos::RangePolicy<Space>(exec, 0, P.num_rows),
      KOKKOS_LAMBDA(const Ordinal r) {
        Offset at = offsets(rows(r));
        for (Offset k = P.offsets(r); k < P.offsets(r + 1); ++k)
          to(at++) = from(k);
      });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
auto MultipassInterpolation<Scalar, Space, Offset>::make(const Space& exec, const CsrView& A,
                                                         Graph& strong, PhaseTimer<Space>& timer)
    -> Csr {
  m_pass = allocate<Ordinal>(exec, "tessera::multipass::pass", A.num_rows);
  m_rank = allocate<Ordinal>(exec, "tessera::multipass::rank", A.num_rows);
  detail::start_passes(exec, m_splitting.coarse_number, m_pass, m_rank);
  Ordinal count = m_splitting.num_coarse;
  Pass coarse;
  coarse.rows = detail::rows_of_pass(exec, m_pass, m_rank, 0, count);
  coarse.P = detail::identity_pattern<Scalar, Space, Offset>(exec, count);
  m_passes = {coarse};
  while (count > 0) {
    const auto before = static_cast<Ordinal>(m_passes.size()) - 1;
    const Ordinal count_before = count;
    count = detail::next_pass(exec, strong, before, m_pass, m_rank);
    if (count == 0) break;
    Pass pass;
    pass.rows = detail::rows_of_pass(exec, m_pass, m_rank, before + 1, count);
    pass.M = detail::pass_pattern<Scalar, Space, Offset>(exec, strong, pass.rows, m_pass, m_rank,
                                                         before, count_before);
    m_passes.push_back(pass);
  }
  strong = {};
  m_untruncated = {};
  fill(exec, A);
  timer.start(exec, "truncation");
  Csr P = truncation_pattern(exec, m_untruncated.view(), m_parameters.truncation_factor,
                             m_parameters.max_row_entries);
  P.values = allocate<Scalar>(exec, "tessera::amg::values", P.num_entries());
  truncate_values(exec, m_untruncated.view(), P);
  return P;
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::remake(const Space& exec, const CsrView& A,
                                                           const Csr& P, PhaseTimer<Space>& timer) {
  fill(exec, A);
  timer.start(exec, "truncation");
  truncate_values(exec, m_untruncated.view(), P);
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::fill(const Space& exec, const CsrView& A) {
  const bool is_new = m_untruncated.offsets.extent(0) == 0;
  for (std::size_t p = 0; p < m_passes.size(); ++p) {
    Pass& pass = m_passes[p];
    if (p == 0) {
      pass.P.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.P.num_entries());
      Kokkos::deep_copy(exec, pass.P.values, Scalar(1));
      continue;
    }
    pass.M.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.M.num_entries());
    Kokkos::parallel_for("tessera::multipass::weights",
                         Kokkos::RangePolicy<Space>(exec, 0, pass.M.num_rows),
                         detail::PassWeights<Scalar, Space, Offset>{
                             A, pass.M, pass.rows, m_pass, m_rank, static_cast<Ordinal>(p) - 1});
    const Csr& before = m_passes[p - 1].P;
    if (is_new) {
      pass.P = kernels::spgemm(exec, pass.M.view(), before.view(), pass.plan);
    } else {
      pass.P.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.P.num_entries());
      kernels::spgemm_numeric(exec, pass.M.view(), before.view(), pass.P, pass.plan);
    }
  }
  if (is_new) {
    const auto offsets = allocate<Offset>(exec, "tessera::multipass::offsets", A.num_rows + 1ul);
    Kokkos::deep_copy(exec, offsets, Offset(0));
    for (const Pass& pass : m_passes)
      detail::count_rows(exec, pass.rows, pass.P, offsets);
    const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
    const auto columns = allocate<Ordinal>(exec, "tessera::multipass::columns", total);
    const Array<const Offset, Space> first = offsets;
    for (const Pass& pass : m_passes)
      detail::place_rows(exec, pass.rows, pass.P, pass.P.columns, first, columns);
    m_untruncated = {A.num_rows, m_splitting.num_coarse, offsets, columns, {}};
  }
  m_untruncated.values =
      allocate<Scalar>(exec, "tessera::multipass::values", m_untruncated.num_entries());
  for (const Pass& pass : m_passes)
    detail::place_rows(exec, pass.rows, pass.P, pass.P.values, m_untruncated.offsets,
                       m_untruncated.values);
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::release() {
  for (Pass& pass : m_passes)
    pass.M.values = pass.P.values = {};
  m_untruncated.values = {};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, MultipassInterpolation)

}  // namespace tessera::amg
