// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How long the rows of a product will be, by how many products a few of them add up.
#pragma once

#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"
#include "tessera/kernels/spgemm/detail/row_products.hpp"
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"

namespace tessera::kernels::spgemm_detail {

/// What sampled rows have in all.
enum SampledSum : int { sampled_products, sampled_entries, num_sampled_sums };

/// `count` rows, spaced evenly over all.
struct SampledRowsOfAll {
  std::int64_t count, num_rows;

  static KOKKOS_INLINE_FUNCTION constexpr int extent(int) { return 1; }
  KOKKOS_INLINE_FUNCTION Ordinal operator()(std::int64_t index) const {
    return static_cast<Ordinal>(index * num_rows / count);
  }
};

/// Adds up the products and the distinct columns of some rows, each by a group of lanes. A row
/// whose columns are more than its table's slots counts as if no two products fell together.
template <class Space, class Offset>
struct SampleRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int log2_slots = max_log2_by_group;

  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;
  ArrayView<const Ordinal, Space> b_columns;
  RowBin bin;
  SampledRowsOfAll rows;
  int lanes;
  int width;  ///< lanes of a row of B
  ArrayView<std::uint64_t, Space> sums;

  static KOKKOS_INLINE_FUNCTION constexpr int row_bytes() {
    return static_cast<int>(sizeof(Ordinal)) << log2_slots;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const GroupRow mine = row_of_group(member, bin, rows, lanes, row_bytes());
    const LaneGroup group(lanes, member.team_rank());
    auto* const keys = static_cast<Ordinal*>(mine.memory);
    for (int slot = group.lane(); slot < 1 << log2_slots; slot += group.size())
      keys[slot] = empty_slot;
    group.sync();
    const Offset first = mine.row < 0 ? 0 : a_offsets(mine.row);
    const Offset last = mine.row < 0 ? 0 : a_offsets(mine.row + 1);
    const int lane_in_term = group.lane() % width;
    std::uint64_t products = 0;
    Ordinal num_fresh = 0;
    bool has_room = true;
    for (Offset k = first + group.lane() / width; k < last; k += group.size() / width) {
      const Ordinal middle = a_columns(k);
      const Offset begin = b_offsets(middle);
      const Offset end = b_offsets(middle + 1);
      if (lane_in_term == 0) products += static_cast<std::uint64_t>(end - begin);
      for (Offset j = begin + lane_in_term; j < end && has_room; j += width) {
        bool fresh;
        has_room = claim_slot(keys, log2_slots, b_columns(j), fresh, max_tried_buckets) != no_slot;
        num_fresh += fresh ? 1 : 0;
      }
    }
    group.sync();
    products = group.sum(products);
    num_fresh = group.sum(num_fresh);
    const bool is_known = group.lanes_where(!has_room) == 0;
    if (mine.row < 0 || group.lane() != 0) return;
    Kokkos::atomic_add(&sums(sampled_products), products);
    Kokkos::atomic_add(&sums(sampled_entries),
                       is_known ? static_cast<std::uint64_t>(num_fresh) : products);
  }
};

/// estimates(i): how many entries row i is taken to have, at most as many as it has products.
template <class Space, class Offset>
struct EstimateRows {
  RowProducts<Space, Offset> products_of;
  Ordinal num_cols;
  TableEstimate how;
  ArrayView<const std::uint64_t, Space> sums;
  ArrayView<Ordinal, Space> estimates;

  KOKKOS_FUNCTION void operator()(Ordinal row) const { estimate(LaneGroup(1, 0), row); }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal row) const {
    estimate(group, row);
  }

 private:
  KOKKOS_INLINE_FUNCTION void estimate(const LaneGroup& group, Ordinal row) const {
    const std::int64_t products = products_of(group, row);
    if (row < 0 || group.lane() != 0) return;
    const auto all = static_cast<double>(sums(sampled_products));
    const auto distinct = static_cast<double>(sums(sampled_entries));
    const double share = all == 0 ? 0 : distinct / all;
    const auto mine = static_cast<double>(products);
    const double bound = Kokkos::min(mine, static_cast<double>(num_cols));
    estimates(row) = static_cast<Ordinal>(Kokkos::min(bound, how.added + how.slack * share * mine));
  }
};

}  // namespace tessera::kernels::spgemm_detail
