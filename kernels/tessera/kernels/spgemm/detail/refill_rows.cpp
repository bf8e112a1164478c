// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/group_products.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"

namespace tessera::kernels::spgemm_detail {

/// One row per group of lanes. A row of up to `capacity` entries is summed in scratch, where its
/// columns lie too; a longer one in C itself. Lanes find a product's entry by binary search.
template <class Scalar, class Space, class Offset>
struct RefillRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A, B, C;
  ArrayView<Scalar, Space> values;
  RowBin bin;  ///< all rows
  Ordinal capacity;
  int lanes;

  static KOKKOS_INLINE_FUNCTION constexpr int bytes(Ordinal capacity) {
    return padded_table_bytes(capacity * static_cast<int>(sizeof(Scalar) + sizeof(Ordinal)));
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const GroupRow mine =
        row_of_group(member, bin, ArrayView<const Ordinal, Space>(), lanes, bytes(capacity));
    const LaneGroup group(lanes, member.team_rank());
    const Offset begin = mine.row < 0 ? 0 : C.offsets(mine.row);
    const auto size = mine.row < 0 ? 0 : static_cast<Ordinal>(C.offsets(mine.row + 1) - begin);
    auto* const sums = static_cast<Scalar*>(mine.memory);
    auto* const columns = reinterpret_cast<Ordinal*>(sums + capacity);
    const Ordinal* const c_columns = C.columns.data() + begin;
    Scalar* const c_values = values.data() + begin;
    const bool fits = size <= capacity;
    for (Ordinal i = group.lane(); i < size; i += group.size()) {
      if (fits) {
        columns[i] = c_columns[i];
        sums[i] = Scalar(0);
      } else {
        c_values[i] = Scalar(0);
      }
    }
    group.sync();
    const GroupProducts<Scalar, Space, Offset> products{A, B};
    products.for_each(group, mine.row, [&](Ordinal column, Scalar factor, Scalar value) {
      if (fits) {
        sums[place_of(column, columns, size)] += factor * value;
      } else {
        c_values[place_of(column, c_columns, size)] += factor * value;
      }
    });
    group.sync();
    if (!fits) return;
    for (Ordinal i = group.lane(); i < size; i += group.size())
      c_values[i] = sums[i];
  }

  /// Where `column` lies among `size` ascending ones.
  KOKKOS_INLINE_FUNCTION static Ordinal place_of(Ordinal column, const Ordinal* columns,
                                                 Ordinal size) {
    Ordinal low = 0;
    for (Ordinal length = size; length > 1;) {
      const Ordinal half = length / 2;
      low += columns[low + half] <= column ? half : 0;
      length -= half;
    }
    return low;
  }
};

template <class Scalar, class Space, class Offset>
void refill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const CsrView<Scalar, Space, Offset>& C,
                 const ArrayView<Scalar, Space>& values) {
  if (C.num_rows == 0) return;
  using Functor = RefillRows<Scalar, Space, Offset>;
  const int lanes = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  // Rows mostly lie below twice the mean; sizing scratch for the longest would need a pass.
  const double mean = mean_length(C.columns.extent(0), C.offsets.extent(0));
  Ordinal capacity = 16;
  while (capacity < 1024 && capacity < 1.5 * mean)
    capacity *= 2;
  while (capacity > 16 && !fits_by_group<Space>(lanes, Functor::bytes(capacity)))
    capacity /= 2;
  RowBin bin;
  bin.count = C.num_rows;
  launch_by_group(exec, "tessera::spgemm::refill_rows",
                  Functor{A, B, C, values, bin, capacity, lanes}, C.num_rows, lanes,
                  Functor::bytes(capacity));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_rows)

}  // namespace tessera::kernels::spgemm_detail
