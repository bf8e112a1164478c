// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/norms.hpp"

#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/transpose.hpp"
#include "tessera/kernels/format/norms_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

/// The largest of a tile row's four row sums of magnitudes.
template <class Storage, class Space>
struct LargestRowSum {
  MbsrView<Storage, Space> A;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row, LargestOrNan& mine) const {
    const bool packed = A.layout == TileLayout::packed;
    double sums[tile_size] = {0, 0, 0, 0};
    std::int64_t next = packed ? A.value_offsets(tile_row) : 0;
    const std::int32_t end = A.tile_offsets(tile_row + 1);
    for (std::int32_t tile = A.tile_offsets(tile_row); tile < end; ++tile) {
      const std::int64_t dense = static_cast<std::int64_t>(tile) * tile_places;
      for_each_place(A.maps(tile), [&](const int place) {
        const Storage value = A.values(packed ? next++ : dense + place);
        sums[place / tile_size] += Kokkos::abs(static_cast<double>(value));
      });
    }
    for (const double sum : sums)
      mine += LargestOrNan{sum};
  }
};

}  // namespace detail

template <class Storage, class Space>
double frobenius_norm(const Space& exec, const MbsrView<Storage, Space>& A) {
  const double sum = ordered_sum<double>(
      exec, "tessera::frobenius_norm", A.values.extent(0),
      KOKKOS_LAMBDA(const std::size_t i, double& mine) {
        const auto value = static_cast<double>(A.values(i));
        mine += value * value;
      });
  return A.scale * std::sqrt(sum);
}

template <class Storage, class Space>
double inf_norm(const Space& exec, const MbsrView<Storage, Space>& A) {
  detail::LargestOrNan largest;
  Kokkos::parallel_reduce("tessera::inf_norm",
                          Kokkos::RangePolicy<Space>(exec, 0, A.num_tile_rows()),
                          detail::LargestRowSum<Storage, Space>{A}, largest);
  return A.scale * largest.value;
}

template <class Storage, class Space>
double one_norm(const Space& exec, const MbsrView<Storage, Space>& A) {
  const Mbsr<Storage, Space> transposed = transpose(exec, A);
  return inf_norm(exec, transposed.view());
}

template <class Storage, class Space>
double max_abs(const Space& exec, const MbsrView<Storage, Space>& A) {
  detail::LargestOrNan largest;
  Kokkos::parallel_reduce(
      "tessera::max_abs", Kokkos::RangePolicy<Space>(exec, 0, A.values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, detail::LargestOrNan& mine) {
        mine += detail::LargestOrNan{Kokkos::abs(static_cast<double>(A.values(i)))};
      },
      largest);
  return A.scale * largest.value;
}

#define TESSERA_INSTANTIATE(Storage, Space)                                             \
  template double frobenius_norm(const Space& exec, const MbsrView<Storage, Space>& A); \
  template double inf_norm(const Space& exec, const MbsrView<Storage, Space>& A);       \
  template double one_norm(const Space& exec, const MbsrView<Storage, Space>& A);       \
  template double max_abs(const Space& exec, const MbsrView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
