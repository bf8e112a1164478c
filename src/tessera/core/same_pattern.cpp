// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/core/same_pattern.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <string>

namespace tessera {
namespace detail {

/// The first row whose length or columns differ; the number of rows where none does.
template <class Scalar, class Space, class Offset>
Ordinal first_different_row(const Space& exec,
                            const kernels::CsrView<Scalar, Space, Offset>& before,
                            const kernels::CsrView<Scalar, Space, Offset>& now) {
  Ordinal first = before.num_rows;
  Kokkos::parallel_reduce(
      "tessera::first_different_row",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, before.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& least) {
        if (i >= least) return;
        const Offset begin = before.offsets(i);
        const Offset end = before.offsets(i + 1);
        bool same = now.offsets(i) == begin && now.offsets(i + 1) == end;
        for (Offset e = begin; same && e < end; ++e)
          same = before.columns(e) == now.columns(e);
        if (!same) least = i;
      },
      Kokkos::Min<Ordinal>(first));
  return Kokkos::min(first, before.num_rows);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void require_same_pattern(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& before,
                          const kernels::CsrView<Scalar, Space, Offset>& now) {
  require(before.num_rows == now.num_rows && before.num_cols == now.num_cols &&
              before.num_entries == now.num_entries &&
              before.offsets.extent(0) == now.offsets.extent(0),
          [&] {
            const auto size = [](const kernels::CsrView<Scalar, Space, Offset>& A) {
              return std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) + " with " +
                     std::to_string(A.num_entries) + " entries";
            };
            return "the pattern of A changed: it is " + size(now) + ", and " + size(before) +
                   " at setup; call setup for a new pattern";
          });
  if (before.offsets.data() == now.offsets.data() && before.columns.data() == now.columns.data())
    return;
  const Ordinal row = detail::first_different_row(exec, before, now);
  require(row == before.num_rows, [&] {
    return "the pattern of A changed, from row " + std::to_string(row) +
           " on; call setup for a new pattern";
  });
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                                 \
  template void require_same_pattern(const Space&, const kernels::CsrView<Scalar, Space, Offset>&, \
                                     const kernels::CsrView<Scalar, Space, Offset>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
