// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/transpose.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/transpose_impl.hpp"

#include <string>

namespace tessera::kernels {
namespace detail {

/// Looks up the entries of the transpose, row by row, in A: neighbours in a row of A^T lie in rows
/// of A that are close to one another, and what is read is read where it lies.
template <class Scalar, class Space, class Offset>
struct TransposeValues {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A;
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;

  /// Where `column` lies in a row of A.
  KOKKOS_INLINE_FUNCTION Offset place_of(Ordinal row, Ordinal column) const {
    Offset low = A.offsets(row);
    for (Offset length = A.offsets(row + 1) - low; length > 1;) {
      const Offset half = length / 2;
      low += A.columns(low + half) <= column ? half : 0;
      length -= half;
    }
    return low;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = row_of_thread(member);
    if (row >= A.num_cols) return;
    Kokkos::parallel_for(
        Kokkos::ThreadVectorRange(member, offsets(row), offsets(row + 1)),
        [&](const Offset entry) { values(entry) = A.values(place_of(columns(entry), row)); });
  }

  /// Rows one by one.
  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    for (Offset entry = offsets(row); entry < offsets(row + 1); ++entry)
      values(entry) = A.values(place_of(columns(entry), row));
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
void transpose_values(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                      const Csr<Scalar, Space, Offset>& At) {
  require(
      At.num_rows == A.num_cols && At.num_cols == A.num_rows && At.num_entries() == A.num_entries,
      [&] {
        return "the transpose is " + std::to_string(At.num_rows) + " by " +
               std::to_string(At.num_cols) + " with " + std::to_string(At.num_entries()) +
               " entries; expected " + std::to_string(A.num_cols) + " by " +
               std::to_string(A.num_rows) + " with " + std::to_string(A.num_entries);
      });
  const detail::TransposeValues<Scalar, Space, Offset> look_up{A, At.offsets, At.columns,
                                                               At.values};
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_for(
        "tessera::transpose_values",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_cols), look_up);
  } else {
    const detail::RowTeams<Space> teams(exec, A.num_cols, A.num_entries);
    Kokkos::parallel_for("tessera::transpose_values", teams.policy, look_up);
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, transpose)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, transpose_values)

}  // namespace tessera::kernels
