// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/triangle.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/find_entry.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
DiagonalCut<Space, Offset> cut_at_diagonal(const Space& exec,
                                           const CsrView<Scalar, Space, Offset>& A) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected a square one";
  });
  const auto lower_end = allocate<Offset>(exec, "tessera::sptrsv::lower_end", A.num_rows);
  const auto upper_begin = allocate<Offset>(exec, "tessera::sptrsv::upper_begin", A.num_rows);
  Kokkos::parallel_for(
      "tessera::cut_at_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Offset end = A.offsets(row + 1);
        const Offset low = first_entry_from(A.columns, A.offsets(row), end, row);
        lower_end(row) = low;
        upper_begin(row) = low < end && A.columns(low) == row ? low + 1 : low;
      });
  return {lower_end, upper_begin};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, cut_at_diagonal)

}  // namespace tessera::kernels
