// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/diagonal_block.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
kernels::Csr<double, Space, std::int64_t> kept_columns(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& new_column, Ordinal num_cols) {
  using Offset = std::int64_t;
  const std::string label = "tessera::distributed::kept_columns";
  const auto offsets =
      allocate<Offset>(exec, label + "::offsets", static_cast<std::size_t>(A.num_rows) + 1);
  Offset num_entries = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::kept_columns::count",
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool last) {
        if (last) offsets(i) = sum;
        if (i == A.num_rows) return;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
          sum += new_column(A.columns(e)) >= 0 ? 1 : 0;
      },
      num_entries);
  const auto columns = allocate<Ordinal>(exec, label + "::columns", num_entries);
  const auto values = allocate<double>(exec, label + "::values", num_entries);
  Kokkos::parallel_for(
      "tessera::distributed::kept_columns::fill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset out = offsets(i);
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const Ordinal column = new_column(A.columns(e));
          if (column < 0) continue;
          columns(out) = column;
          values(out) = A.values(e);
          ++out;
        }
      });
  return {A.num_rows, num_cols, offsets, columns, values};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, kept_columns)

}  // namespace tessera::distributed
