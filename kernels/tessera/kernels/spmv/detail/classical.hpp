// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The classical CSR kernel: a fixed number of threads per row (hypre paper, section 2).
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/prefetch.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"

#include <string>

namespace tessera::kernels::detail {

/// Threads of one team of the classical kernels on a device.
inline constexpr int classical_team_threads = 256;

/// Entries from which on a thread of a host takes a row by cache lines.
inline constexpr int long_row = 16;
/// Entries whose values, of 8 bytes, are one cache line.
inline constexpr int line_entries = 8;

/// What entries `entry` up to `end` of a row add to its product with `N` columns of `x`, by a
/// thread of a host. Of a long row every cache line is asked for ahead: one in a few, and the
/// hardware's prefetch loses its stride. The line's entries go to two sums side by side, as one
/// alone would wait for each of its additions; many columns have as many sums without.
/// `columns` is a pointer, or what gives an entry's column without memory to be asked for ahead.
template <int N, class Sum, class Columns, class Values, class Vectors, class Offset>
ColumnSums<Sum, N> sum_of_entries(const Columns& columns, const Values& values, const Vectors& x,
                                  std::size_t ldx, Offset entry, Offset end) {
  constexpr bool two_sums = N <= 2;
  const auto prefetch = [&] {
    prefetch_ahead(values.data + entry);
    if constexpr (std::is_pointer_v<Columns>) prefetch_ahead(columns + entry);
  };
  ColumnSums<Sum, N> sums;
  if (end - entry >= long_row) {
    ColumnSums<Sum, N> others;
    do {
      prefetch();
      for (int i = 0; i < line_entries; i += 2) {
        add_products(sums, columns, values, x, ldx, entry + i, entry + i + 1);
        add_products(two_sums ? others : sums, columns, values, x, ldx, entry + i + 1,
                     entry + i + 2);
      }
      entry += line_entries;
    } while (end - entry >= line_entries);
    sums += others;
  }
  prefetch();
  add_products(sums, columns, values, x, ldx, entry, end);
  return sums;
}

/// The product of one row with `N` columns of `x`, by one thread or by one team's vector lanes.
template <class Storage, class Offset, int N, class Working = Storage>
struct RowProduct {
  using Scalar = Arithmetic<Storage, Working>;
  using Sums = ColumnSums<Scalar, N>;
  const Offset* offsets;
  const Ordinal* columns;
  StorageReader<Scalar, Storage> values;
  StorageReader<Scalar, Working> x;
  std::size_t ldx;

  template <class Space>
  RowProduct(const CsrView<Storage, Space, Offset>& A,
             const ConstMultiVectorView<Working, Space>& b, int first_column)
      : offsets(A.offsets.data()),
        columns(A.columns.data()),
        values{A.values.data()},
        x{b.data() + first_column * b.stride(1)},
        ldx(b.stride(1)) {}

  /// By a thread of a host.
  Sums operator()(Ordinal row) const {
    return sum_of_entries<N, Scalar>(columns, values, x, ldx, offsets[row], offsets[row + 1]);
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION Sums by_lanes(const Member& member, Ordinal row) const {
    Sums sums;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, offsets[row], offsets[row + 1]),
        [&](const Offset entry, Sums& mine) {
          add_products(mine, columns, values, x, ldx, entry, entry + 1);
        },
        sums);
    return sums;
  }
};

/// One thread of a host a row.
template <class Product, int N, class Epilogue>
struct ThreadPerRow {
  Product product;
  Epilogue epilogue;
  int first_column;

  void operator()(Ordinal row) const {
    const typename Product::Sums sums = product(row);
    for (int c = 0; c < N; ++c)
      epilogue(row, first_column + c, sums.value[c]);
  }
};

/// One team's vector lanes per row.
template <class Product, int N, class Epilogue>
struct LanesPerRow {
  Product product;
  Epilogue epilogue;
  int first_column;
  Ordinal num_rows;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = member.league_rank() * member.team_size() + member.team_rank();
    if (row >= num_rows) return;
    const typename Product::Sums sums = product.by_lanes(member, row);
    Kokkos::single(Kokkos::PerThread(member), [&] {
      for (int c = 0; c < N; ++c)
        epilogue(row, first_column + c, sums.value[c]);
    });
  }
};

/// For `N` columns from `first_column`: epilogue(row, column, (A x)(row, column)) for every row.
template <int N, class Storage, class Working, class Space, class Offset, class Epilogue>
void sweep_classical(const Space& exec, const std::string& label, int threads_per_row,
                     const CsrView<Storage, Space, Offset>& A,
                     const ConstMultiVectorView<Working, Space>& x, int first_column,
                     const Epilogue& epilogue) {
  using Product = RowProduct<Storage, Offset, N, Working>;
  const Product product(A, x, first_column);
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                         ThreadPerRow<Product, N, Epilogue>{product, epilogue, first_column});
  } else {
    const int rows_per_team = classical_team_threads / threads_per_row;
    const int teams = (A.num_rows - 1) / rows_per_team + 1;
    Kokkos::parallel_for(
        label, Kokkos::TeamPolicy<Space>(exec, teams, rows_per_team, threads_per_row),
        LanesPerRow<Product, N, Epilogue>{product, epilogue, first_column, A.num_rows});
  }
}

}  // namespace tessera::kernels::detail
