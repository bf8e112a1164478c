// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/diagonal.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera::kernels {
namespace detail {

/// d(i) = the first entry of row i on the diagonal, 0 where there is none.
template <class Scalar, class Space, class Offset>
struct ExtractDiagonal {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<Scalar, Space> d;

  KOKKOS_FUNCTION void operator()(const Ordinal row) const {
    const Offset end = A.offsets(row + 1);
    Offset entry = A.offsets(row);
    while (entry < end && A.columns(entry) != row)
      ++entry;
    d(row) = entry < end ? A.values(entry) : Scalar(0);
  }

  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal row) const {
    const Offset end = row < 0 ? 0 : A.offsets(row + 1);
    Offset first = end;
    for (Offset entry = (row < 0 ? 0 : A.offsets(row)) + group.lane(); entry < end;
         entry += group.size()) {
      if (A.columns(entry) == row && entry < first) first = entry;
    }
    first = group.reduce(first, [](Offset a, Offset b) { return a < b ? a : b; });
    if (row >= 0 && group.lane() == 0) d(row) = first < end ? A.values(first) : Scalar(0);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
void extract_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                      const NonDeduced<ArrayView<Scalar, Space>>& d) {
  require(d.extent(0) == static_cast<std::size_t>(A.num_rows), [&] {
    return "d has length " + std::to_string(d.extent(0)) + ", expected " +
           std::to_string(A.num_rows);
  });
  for_each_row(exec, "tessera::extract_diagonal", A.num_rows, lanes_per_row(A),
               detail::ExtractDiagonal<Scalar, Space, Offset>{A, d});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, extract_diagonal)

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> inverse_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const auto d = allocate<Scalar>(exec, "tessera::inverse_diagonal", A.num_rows);
  extract_diagonal(exec, A, d);
  Kokkos::parallel_for(
      "tessera::inverse_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) { d(i) = d(i) == Scalar(0) ? Scalar(0) : Scalar(1) / d(i); });
  return d;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, inverse_diagonal)

}  // namespace tessera::kernels
