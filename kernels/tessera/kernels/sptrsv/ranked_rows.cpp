// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/ranked_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

#include <string>

namespace tessera::kernels {
namespace ranked_rows_detail {

template <class Scalar, class Space, class Offset>
struct CopyByRank {
  CsrView<Scalar, Space, Offset> A;
  RankedRows<Scalar, Space, Offset> to;
  ArrayView<const Ordinal, Space> rank_of;

  KOKKOS_FUNCTION void operator()(Ordinal p) const {
    const Ordinal i = to.rows.extent(0) == 0 ? p : to.rows(p);
    Offset next = to.offsets(p);
    next = copy(i, next, [](Ordinal other, Ordinal own) { return other < own; });
    to.lower_end(p) = next;
    next = copy(i, next, [](Ordinal other, Ordinal own) { return other == own; });
    to.upper_begin(p) = next;
    copy(i, next, [](Ordinal other, Ordinal own) { return other > own; });
  }

  KOKKOS_FUNCTION Ordinal rank(Ordinal i) const { return rank_of.extent(0) == 0 ? i : rank_of(i); }

  template <class Takes>
  KOKKOS_FUNCTION Offset copy(Ordinal i, Offset next, const Takes& takes) const {
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      if (!takes(rank(A.columns(e)), rank(i))) continue;
      to.columns(next) = A.columns(e);
      to.values(next) = A.values(e);
      ++next;
    }
    return next;
  }
};

/// `Width` right-hand sides at a time.
template <int Width, class Scalar, class Space, class Offset>
struct RelaxRows {
  RankedRows<Scalar, Space, Offset> A;
  RowPart part;
  Ordinal first;
  Scalar omega;
  ArrayView<const Scalar, Space> d;
  ConstMultiVectorView<Scalar, Space> b;
  ConstMultiVectorView<Scalar, Space> x;
  MultiVectorView<Scalar, Space> y;
  bool adds;

  KOKKOS_FUNCTION void operator()(Ordinal at) const { (*this)(LaneGroup(1, 0), at); }

  /// at = -1: this group of lanes goes along with its warp.
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal at) const {
    const Ordinal p = at < 0 ? 0 : first + at;
    const Ordinal i = A.rows.extent(0) == 0 ? p : A.rows(p);
    const Offset begin = part == RowPart::upper ? A.upper_begin(p) : A.offsets(p);
    const Offset end = at < 0 ? begin : part == RowPart::lower ? A.lower_end(p) : A.offsets(p + 1);
    const int k = static_cast<int>(y.extent(1));
    for (int column = 0; column < k; column += Width) {
      Scalar sums[Width] = {};
      for (Offset e = begin + group.lane(); e < end; e += group.size()) {
        const Scalar value = A.values(e);
        const Ordinal j = A.columns(e);
        for (int c = 0; c < Width; ++c) {
          if (Width == 1 || column + c < k) sums[c] += value * x(j, column + c);
        }
      }
      for (int c = 0; c < Width; ++c) {
        const Scalar sum = group.sum(sums[c]);
        if (at < 0 || group.lane() != 0 || column + c >= k) continue;
        const Scalar change = omega * d(i) * (b(i, column + c) - sum);
        y(i, column + c) = adds ? y(i, column + c) + change : change;
      }
    }
  }
};

/// All rows in one launch of one thread.
template <int Width, class Scalar, class Space, class Offset>
struct RelaxInOrder {
  RelaxRows<Width, Scalar, Space, Offset> relax;
  bool backward;

  KOKKOS_FUNCTION void operator()(int /*thread*/) const {
    const Ordinal n = relax.A.num_rows;
    for (Ordinal k = 0; k < n; ++k)
      relax(backward ? n - 1 - k : k);
  }
};

}  // namespace ranked_rows_detail

template <class Scalar, class Space, class Offset>
RankedRows<Scalar, Space, Offset> rank_rows(
    const Space& exec, const CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Array<Ordinal, Space>>& rows,
    const NonDeduced<ArrayView<const Ordinal, Space>>& rank_of) {
  const Ordinal n = A.num_rows;
  const std::size_t ordered = rows.extent(0);
  const auto fits = [n](std::size_t length) {
    return length == 0 || length == static_cast<std::size_t>(n);
  };
  require(A.num_cols == n && fits(ordered) && fits(rank_of.extent(0)), [&] {
    return "the matrix is " + std::to_string(n) + " by " + std::to_string(A.num_cols) + " with " +
           std::to_string(ordered) + " ordered rows and " + std::to_string(rank_of.extent(0)) +
           " ranks, expected a square one and as many of each as rows, or none";
  });
  RankedRows<Scalar, Space, Offset> to;
  to.num_rows = n;
  to.lanes = lanes_per_row(A);
  to.rows = rows;
  to.offsets = allocate<Offset>(exec, "tessera::ranked_rows::offsets", n + 1);
  to.lower_end = allocate<Offset>(exec, "tessera::ranked_rows::lower_end", n);
  to.upper_begin = allocate<Offset>(exec, "tessera::ranked_rows::upper_begin", n);
  to.columns = allocate<Ordinal>(exec, "tessera::ranked_rows::columns", A.num_entries);
  to.values = allocate<Scalar>(exec, "tessera::ranked_rows::values", A.num_entries);
  const auto offsets = to.offsets;
  Kokkos::parallel_for(
      "tessera::ranked_rows::count", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal p) {
        const Ordinal i = ordered == 0 ? p : rows(p);
        offsets(p) = A.offsets(i + 1) - A.offsets(i);
      });
  counts_to_offsets_async<Offset, Space>(exec, offsets);
  Kokkos::parallel_for("tessera::ranked_rows::copy", Kokkos::RangePolicy<Space>(exec, 0, n),
                       ranked_rows_detail::CopyByRank<Scalar, Space, Offset>{A, to, rank_of});
  return to;
}

template <class Scalar, class Space, class Offset>
void relax_rows(const Space& exec, const RankedRows<Scalar, Space, Offset>& A, RowPart part,
                Ordinal first, Ordinal last, NonDeduced<Scalar> omega,
                const NonDeduced<ArrayView<const Scalar, Space>>& d,
                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                const NonDeduced<MultiVectorView<Scalar, Space>>& y, bool adds) {
  const auto launch = [&]<int Width>(std::integral_constant<int, Width>) {
    for_each_row(exec, "tessera::relax_rows", last - first, A.lanes,
                 ranked_rows_detail::RelaxRows<Width, Scalar, Space, Offset>{A, part, first, omega,
                                                                             d, b, x, y, adds});
  };
  if (y.extent(1) == 1) {
    launch(std::integral_constant<int, 1>());
  } else {
    launch(std::integral_constant<int, 4>());
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, rank_rows)
template <class Scalar, class Space, class Offset>
void relax_rows_in_order(const Space& exec, const RankedRows<Scalar, Space, Offset>& A,
                         RowPart part, bool backward, NonDeduced<Scalar> omega,
                         const NonDeduced<ArrayView<const Scalar, Space>>& d,
                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                         const NonDeduced<MultiVectorView<Scalar, Space>>& x, bool adds) {
  const auto launch = [&]<int Width>(std::integral_constant<int, Width>) {
    Kokkos::parallel_for("tessera::relax_rows_in_order", Kokkos::RangePolicy<Space>(exec, 0, 1),
                         ranked_rows_detail::RelaxInOrder<Width, Scalar, Space, Offset>{
                             {A, part, 0, omega, d, b, x, x, adds}, backward});
  };
  if (x.extent(1) == 1) {
    launch(std::integral_constant<int, 1>());
  } else {
    launch(std::integral_constant<int, 4>());
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, relax_rows)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, relax_rows_in_order)

}  // namespace tessera::kernels
