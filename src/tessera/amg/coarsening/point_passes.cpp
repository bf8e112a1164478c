// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/point_passes.hpp"

#include "tessera/amg/coarsening/detail/direct_weights.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// The weights of a pass by the couplings of A.
template <class Scalar, class Space, class Offset>
struct PassWeights {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> M;
  ArrayView<const Ordinal, Space> points;
  ArrayView<const Ordinal, Space> pass;
  ArrayView<const Ordinal, Space> column;
  Ordinal before;

  KOKKOS_FUNCTION void operator()(Ordinal r) const {
    const Ordinal i = points(r);
    const Offset end = M.offsets(r + 1);
    DirectWeights weights;
    Offset m = M.offsets(r);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      const auto value = static_cast<double>(A.values(e));
      if (j == i) {
        weights.diagonal += value;
      } else if (m < end && pass(j) == before && M.columns(m) == column(j)) {
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

/// Copies what `from` has of a pass's rows to their places, the columns or the values.
template <class Scalar, class Space, class Offset, class Entry, class Entries>
void place_rows(const Space& exec, const RowsOfPass<Scalar, Space, Offset>& rows,
                const Entries& from, const Array<const Offset, Space>& offsets,
                const Array<Entry, Space>& to) {
  const auto points = rows.points;
  const auto P = rows.P;
  Kokkos::parallel_for(
      "tessera::multipass::place_rows", Kokkos::RangePolicy<Space>(exec, 0, P.num_rows),
      KOKKOS_LAMBDA(const Ordinal r) {
        Offset at = offsets(points(r));
        for (Offset k = P.offsets(r); k < P.offsets(r + 1); ++k)
          to(at++) = from(k);
      });
}

}  // namespace detail

template <class Space>
PointPasses<Space> start_passes(const Space& exec,
                                const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
                                Ordinal num_points) {
  const auto pass = allocate<Ordinal>(exec, "tessera::multipass::pass", num_points);
  const auto rank = allocate<Ordinal>(exec, "tessera::multipass::rank", coarse_number.extent(0));
  Kokkos::parallel_for(
      "tessera::multipass::start", Kokkos::RangePolicy<Space>(exec, 0, rank.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        pass(i) = coarse_number(i) < 0 ? -1 : 0;
        rank(i) = coarse_number(i);
      });
  return {pass, rank};
}

template <class Space, class Offset>
Ordinal next_pass(const Space& exec, const kernels::Graph<Space, Offset>& strong, Ordinal before,
                  const PointPasses<Space>& passes) {
  const auto pass = passes.pass;
  const auto rank = passes.rank;
  const Kokkos::RangePolicy<Space> points(exec, 0, static_cast<Ordinal>(rank.extent(0)));
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

template <class Space>
Array<const Ordinal, Space> points_of_pass(const Space& exec, const PointPasses<Space>& passes,
                                           Ordinal number, Ordinal count) {
  const auto pass = passes.pass;
  const auto rank = passes.rank;
  const auto points = allocate<Ordinal>(exec, "tessera::multipass::rows", count);
  Kokkos::parallel_for(
      "tessera::multipass::rows", Kokkos::RangePolicy<Space>(exec, 0, rank.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (pass(i) == number) points(rank(i)) = i;
      });
  return points;
}

template <class Space, class Offset>
kernels::Graph<Space, Offset> pass_pattern(
    const Space& exec, const kernels::Graph<Space, Offset>& strong,
    const NonDeduced<ArrayView<const Ordinal, Space>>& points,
    const NonDeduced<ArrayView<const Ordinal, Space>>& pass,
    const NonDeduced<ArrayView<const Ordinal, Space>>& column, Ordinal before) {
  const auto count = static_cast<Ordinal>(points.extent(0));
  const auto offsets = allocate<Offset>(exec, "tessera::multipass::offsets", count + 1ul);
  const Kokkos::RangePolicy<Space> policy(exec, 0, count);
  Kokkos::parallel_for(
      "tessera::multipass::count", policy, KOKKOS_LAMBDA(const Ordinal r) {
        Offset found = 0;
        for (Offset k = strong.offsets(points(r)); k < strong.offsets(points(r) + 1); ++k)
          found += pass(strong.columns(k)) == before ? 1 : 0;
        offsets(r) = found;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::multipass::columns", total);
  Kokkos::parallel_for(
      "tessera::multipass::columns", policy, KOKKOS_LAMBDA(const Ordinal r) {
        Offset at = offsets(r);
        for (Offset k = strong.offsets(points(r)); k < strong.offsets(points(r) + 1); ++k) {
          const Ordinal j = strong.columns(k);
          if (pass(j) == before) columns(at++) = column(j);
        }
      });
  return {count, offsets, columns};
}

template <class Scalar, class Space, class Offset>
void fill_pass(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
               const NonDeduced<ArrayView<const Ordinal, Space>>& points,
               const NonDeduced<ArrayView<const Ordinal, Space>>& pass,
               const NonDeduced<ArrayView<const Ordinal, Space>>& column, Ordinal before,
               const kernels::Csr<Scalar, Space, Offset>& M) {
  Kokkos::parallel_for(
      "tessera::multipass::weights", Kokkos::RangePolicy<Space>(exec, 0, M.num_rows),
      detail::PassWeights<Scalar, Space, Offset>{A, M, points, pass, column, before});
}

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

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> pattern_of_passes(
    const Space& exec, Ordinal num_rows, Ordinal num_cols,
    const std::vector<RowsOfPass<Scalar, Space, Offset>>& passes) {
  const auto offsets = allocate<Offset>(exec, "tessera::multipass::offsets", num_rows + 1ul);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  for (const auto& [points, P] : passes) {
    const auto lengths = P.offsets;
    const auto listed = points;
    Kokkos::parallel_for(
        "tessera::multipass::count_rows", Kokkos::RangePolicy<Space>(exec, 0, P.num_rows),
        KOKKOS_LAMBDA(const Ordinal r) { offsets(listed(r)) = lengths(r + 1) - lengths(r); });
  }
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::multipass::columns", total);
  for (const auto& rows : passes)
    detail::place_rows(exec, rows, rows.P.columns, Array<const Offset, Space>(offsets), columns);
  return {num_rows, num_cols, offsets, columns, {}};
}

template <class Scalar, class Space, class Offset>
void place_values(const Space& exec, const std::vector<RowsOfPass<Scalar, Space, Offset>>& passes,
                  const kernels::Csr<Scalar, Space, Offset>& all) {
  for (const auto& rows : passes)
    detail::place_rows(exec, rows, rows.P.values, Array<const Offset, Space>(all.offsets),
                       all.values);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, start_passes)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, next_pass)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, points_of_pass)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, pass_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_pass)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, identity_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, pattern_of_passes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, place_values)

}  // namespace tessera::amg
