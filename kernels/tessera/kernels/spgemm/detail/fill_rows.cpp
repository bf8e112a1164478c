// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"

#include <cmath>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows_by_group.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/row_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills the rows of one bin with large tables, one row per team, A's row in parts.
template <class Scalar, class Space, class Offset>
struct FillRows {
  struct ByTeam {};
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  RowBin bin;
  int lanes;
  int parts;

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    void* memory = member.team_scratch(0).get_shmem_aligned(table_bytes(), 8);
    fill(TeamScope<Member<ByTeam>>{member, lanes}, member.league_rank(), memory);
  }

  KOKKOS_INLINE_FUNCTION int table_bytes() const {
    return RowTable<Scalar>::bytes(bin.log2_slots, parts);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void fill(const Scope& scope, Ordinal index, void* memory) const {
    const Ordinal row = rows.extent(0) == 0 ? index : rows(bin.first + index);
    const auto table = RowTable<Scalar>::at(memory, bin.log2_slots, parts);
    const auto size = static_cast<Ordinal>(offsets(row + 1) - offsets(row));
    if (size == 0) return;  // the whole scope agrees
    sum_products(scope, row, size, table);
    const Offset begin = offsets(row);
    write_sorted(scope, table, bin.log2_slots, size,
                 [&](Ordinal position, Ordinal i) { write(begin + position, i, table); });
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void sum_products(const Scope& scope, Ordinal row, Ordinal size,
                                           const RowTable<Scalar>& table) const {
    const int log2_slots = bin.log2_slots;
    clear_table(scope, table, log2_slots, parts);
    const Offset first = A.offsets(row);
    const Offset last = A.offsets(row + 1);
    if (scope.size() > lanes && rows_fill_team(size, last - first, scope.size())) {
      for (Offset k = first; k < last; ++k) {
        const ScaledRow<Scalar, Offset> b = scaled_row(A, B, k);
        scope.for_each(b.end - b.begin, [&](Offset i) {
          bool fresh;
          table.sums[find_or_insert(table.keys, log2_slots, B.columns(b.begin + i), fresh)] +=
              b.factor * B.values(b.begin + i);
        });
      }
      return;
    }
    scope.for_each_part(parts, [&](int part) {
      Scalar* sums = table.sums + (part << log2_slots);
      for_each_product(scope.member, A, B, row, part, parts, [&](Ordinal column, Scalar product) {
        bool fresh;
        sums[find_or_insert(table.keys, log2_slots, column, fresh)] += product;
      });
    });
  }

  KOKKOS_INLINE_FUNCTION void write(Offset entry, Ordinal i, const RowTable<Scalar>& table) const {
    const int slot = table.slots[i];
    Scalar sum = table.sums[slot];
    for (int part = 1; part < parts; ++part)
      sum += table.sums[(part << bin.log2_slots) + slot];
    columns(entry) = table.found[i];
    values(entry) = sum;
  }
};

template <class Scalar, class Space, class Offset>
void fill_bin_by_team(const Space& exec, FillRows<Scalar, Space, Offset> fill) {
  const int limit = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 16;
  const int threads = threads_in_team<Space>(std::max(128, fill.parts * fill.lanes), fill.lanes);
  while (fill.parts > 1 && fill.table_bytes() > limit)
    fill.parts /= 2;
  launch_by_team(exec, "tessera::spgemm::fill_by_team", fill, threads, fill.table_bytes() + 16);
}

template <class Scalar, class Space, class Offset>
void fill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const SizeHistogram& histogram,
               const RowWorkspace<Space>& work, const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  const RowBins<Space> bins =
      bin_rows<Space>(exec, TableFill::three_quarters, histogram, max_log2_numeric<Scalar, Space>(),
                      work.sizes, work.rows, log2_slots_of_smallest_bin);
  const double a_length = mean_length(A.columns.extent(0), A.offsets.extent(0));
  const int lanes_of_b = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  for (const RowBin& bin : bins.bins) {
    if (!bin.in_scratch) {
      fill_long_rows<Scalar, Space, Offset>(exec, A, B, bins.rows, bin, offsets, columns, values);
      continue;
    }
    // A larger table leaves room for fewer rows, and has more to be cleared and sorted.
    const int lanes = std::max(lanes_of_b, lanes_for<Space>(std::ldexp(1.0, bin.log2_slots - 4)));
    const FillRowsByGroup<Scalar, Space, Offset> by_group{A,       B,      bins.rows, offsets,
                                                          columns, values, bin,       lanes};
    if (bin.log2_slots <= max_log2_by_group && fits_by_group<Space>(lanes, by_group.row_bytes())) {
      launch_by_group(exec, "tessera::spgemm::fill_by_group", by_group, bin.count, lanes,
                      by_group.row_bytes());
    } else {
      const int parts = parts_for(exec, bin, lanes_of_b, a_length);
      fill_bin_by_team(exec, FillRows<Scalar, Space, Offset>{A, B, bins.rows, offsets, columns,
                                                             values, bin, lanes_of_b, parts});
    }
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_rows)

}  // namespace tessera::kernels::spgemm_detail
