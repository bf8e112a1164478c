// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/statistics.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

#include <limits>

namespace tessera::kernels {
namespace detail {

struct RowLengths {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::int64_t longest = 0;
  double squared_distances = 0;  ///< from the mean
  Ordinal empty_rows = 0;

  KOKKOS_INLINE_FUNCTION RowLengths& operator+=(const RowLengths& other) {
    shortest = Kokkos::min(shortest, other.shortest);
    longest = Kokkos::max(longest, other.longest);
    squared_distances += other.squared_distances;
    empty_rows += other.empty_rows;
    return *this;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
RowStatistics row_statistics(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  if (A.num_rows == 0) return {};
  const double mean = static_cast<double>(A.num_entries) / A.num_rows;
  const auto all = ordered_sum<detail::RowLengths>(
      exec, "tessera::row_statistics", A.num_rows,
      KOKKOS_LAMBDA(const Ordinal row, detail::RowLengths& mine) {
        const std::int64_t length = A.offsets(row + 1) - A.offsets(row);
        const double distance = static_cast<double>(length) - mean;
        mine += detail::RowLengths{length, length, distance * distance, length == 0 ? 1 : 0};
      });
  return {all.shortest, all.longest, mean, all.squared_distances / A.num_rows, all.empty_rows};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, row_statistics)

}  // namespace tessera::kernels
