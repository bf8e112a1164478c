// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/dominance.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <cstdint>
#include <string>

namespace tessera::amg {
namespace dominance_detail {

inline constexpr int bins_per_unit = 512;
inline constexpr int num_bins = 4 * bins_per_unit;  ///< the last has all larger ratios, too

/// How little the diagonal dominates a fine row, as a bin; bin 0 for rows without fine neighbours.
template <class Scalar, class Space, class Offset>
struct RowBin {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const std::int8_t, Space> is_coarse;

  KOKKOS_FUNCTION std::int32_t operator()(Ordinal i) const {
    double diagonal = 0, beside = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      const auto value = static_cast<double>(A.values(k));
      if (j == i) {
        diagonal += value;
      } else if (is_coarse(j) == 0) {
        beside += Kokkos::abs(value);
      }
    }
    if (beside == 0) return 0;
    // As a float: sums that differ by round-off alone are equals on every device.
    const auto ratio = static_cast<float>(beside / Kokkos::abs(diagonal));
    const float last = num_bins - 1;
    const float bin = 1 + ratio * bins_per_unit;
    return bin < last ? static_cast<std::int32_t>(bin) : num_bins - 1;
  }
};

/// Which rows are converted: those of bins above `bin`, and of it those of small hashes.
struct Cut {
  std::int32_t bin = num_bins;
  std::uint32_t below = 0;
};

/// `counts`: fine rows by bin.
Cut cut_at(const std::vector<std::int64_t>& counts, double share) {
  double all = 0;
  for (const std::int64_t count : counts)
    all += static_cast<double>(count);
  double left = share * all;
  Cut cut;
  for (int bin = num_bins - 1; bin > 0; --bin) {
    const auto count = static_cast<double>(counts[static_cast<std::size_t>(bin)]);
    if (count > left) return {bin, static_cast<std::uint32_t>(left / count * 0x1p32)};
    left -= count;
    cut.bin = bin - 1;
  }
  return cut;
}

/// Of a row's number among all, which may have more than 32 bits.
KOKKOS_INLINE_FUNCTION std::uint32_t hash_of_number(std::int64_t number) {
  const auto lower = static_cast<std::uint32_t>(number);
  const auto upper = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) >> 32);
  return kernels::hash32(upper == 0 ? lower : lower ^ kernels::hash32(upper), 1);
}

}  // namespace dominance_detail

template <class Scalar, class Space, class Offset>
DominanceBins<Space> dominance_bins(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& is_coarse) {
  using namespace dominance_detail;
  const RowBin<Scalar, Space, Offset> bin_of{A, is_coarse};
  const auto bins = allocate<std::int32_t>(exec, "tessera::dominance::bins", A.num_rows);
  const auto counts = allocate<Ordinal>(exec, "tessera::dominance::counts", num_bins);
  Kokkos::deep_copy(exec, counts, 0);
  Kokkos::parallel_for(
      "tessera::dominance::bins", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        bins(i) = is_coarse(i) != 0 ? -1 : bin_of(i);
        if (bins(i) >= 0) Kokkos::atomic_inc(&counts(bins(i)));
      });
  const auto host = kernels::copy_to_host(exec, counts);
  return {bins, {host.data(), host.data() + host.extent(0)}};
}

template <class Space>
void convert_bins(const Space& exec, const DominanceBins<Space>& rows, double share,
                  std::int64_t first, const NonDeduced<ArrayView<std::int8_t, Space>>& is_coarse) {
  using namespace dominance_detail;
  const Cut cut = cut_at(rows.counts, share);
  const auto bins = rows.bin;
  Kokkos::parallel_for(
      "tessera::dominance::convert",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(bins.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        const bool converts =
            bins(i) > cut.bin || (bins(i) == cut.bin && hash_of_number(first + i) < cut.below);
        if (converts) is_coarse(i) = 1;
      });
}

template <class Scalar, class Space, class Offset>
void convert_undominated(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         double share, const NonDeduced<ArrayView<std::int8_t, Space>>& is_coarse) {
  using namespace dominance_detail;
  const Ordinal n = A.num_rows;
  require(is_coarse.extent(0) == static_cast<std::size_t>(n) && A.num_cols == n, [&] {
    return "the splitting has length " + std::to_string(is_coarse.extent(0)) + ", A is " +
           std::to_string(n) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix and a mark for each row";
  });
  require(share >= 0 && share <= 1,
          [&] { return "share is " + std::to_string(share) + ", expected 0 to 1"; });
  if (n == 0 || share == 0) return;
  convert_bins<Space>(exec, dominance_bins(exec, A, is_coarse), share, 0, is_coarse);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_undominated)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, dominance_bins)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, convert_bins)

}  // namespace tessera::amg
