// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/matrix/magnitudes.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera {
namespace detail {

template <class Scalar, class Space, class Offset>
struct RowMagnitudes {
  kernels::CsrView<Scalar, Space, Offset> A;

  KOKKOS_FUNCTION void operator()(Ordinal i, Magnitudes& sum) const {
    add(kernels::LaneGroup(1, 0), i, sum);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i,
                                  Magnitudes& sum) const {
    add(group, i, sum);
  }

 private:
  KOKKOS_FUNCTION void add(const kernels::LaneGroup& group, Ordinal i, Magnitudes& sum) const {
    const Offset end = i < 0 ? 0 : A.offsets(i + 1);
    // A NaN is the largest.
    const auto larger = [](double a, double b) { return b > a || Kokkos::isnan(b) ? b : a; };
    double largest = 0;
    for (Offset e = (i < 0 ? 0 : A.offsets(i)) + group.lane(); e < end; e += group.size())
      largest = larger(largest, Kokkos::abs(static_cast<double>(A.values(e))));
    Magnitudes row;
    row.largest = group.reduce(largest, larger);
    if (row.largest > 0) row.smallest_row = row.largest;
    sum += row;
  }
};

template <class Scalar, class Space>
struct TileRowMagnitudes {
  kernels::MbsrView<Scalar, Space> A;  ///< packed

  KOKKOS_FUNCTION void operator()(Ordinal tile_row, Magnitudes& sum) const {
    Magnitudes rows[kernels::tile_size];
    auto value = A.value_offsets(tile_row);
    for (auto t = A.tile_offsets(tile_row); t < A.tile_offsets(tile_row + 1); ++t) {
      for (int r = 0; r < kernels::tile_size; ++r) {
        for (int left = kernels::count_bits(kernels::row_bits(A.maps(t), r)); left > 0; --left) {
          const double magnitude = Kokkos::abs(A.scale * static_cast<double>(A.values(value++)));
          if (magnitude > rows[r].largest || Kokkos::isnan(magnitude)) rows[r].largest = magnitude;
        }
      }
    }
    for (Magnitudes& row : rows) {
      if (row.largest > 0) row.smallest_row = row.largest;
      sum += row;
    }
  }
};

}  // namespace detail
}  // namespace tessera

namespace Kokkos {
template <>
struct reduction_identity<tessera::Magnitudes> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::Magnitudes sum() { return {}; }
};
}  // namespace Kokkos

namespace tessera {

template <class Scalar, class Space, class Offset>
Magnitudes magnitudes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const detail::RowMagnitudes<Scalar, Space, Offset> rows{A};
  const int lanes = kernels::lanes_per_row(A);
  Magnitudes result;
  if (lanes > 0) {
    kernels::sum_of_rows<Magnitudes>(exec, "tessera::magnitudes", A.num_rows, lanes, rows,
                                     Kokkos::Sum<Magnitudes>(result));
    return result;
  }
  Kokkos::parallel_reduce(
      "tessera::magnitudes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows), rows,
      Kokkos::Sum<Magnitudes>(result));
  return result;
}

template <class Scalar, class Space>
Magnitudes magnitudes(const Space& exec, const kernels::MbsrView<Scalar, Space>& A) {
  Magnitudes result;
  Kokkos::parallel_reduce(
      "tessera::magnitudes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_tile_rows()),
      detail::TileRowMagnitudes<Scalar, Space>{A}, Kokkos::Sum<Magnitudes>(result));
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, magnitudes)

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, magnitudes)

}  // namespace tessera
