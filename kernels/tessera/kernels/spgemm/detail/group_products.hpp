// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a short row of A B by a group of lanes.
#pragma once

#include "tessera/kernels/bucket_table.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/lane_group.hpp"

namespace tessera::kernels::spgemm_detail {

/// The rows of B are added one after the other, in the order of A's row, each by all lanes: its
/// columns differ, so that no two lanes add to one sum. A row of B that is longer than the group is
/// wide is added in several steps; groups of one warp may be at different rows of B and have
/// different steps left. What is loaded for that is on its way for several steps at once, and for a
/// group's length of A's row.
template <class Scalar, class Space, class Offset>
struct GroupProducts {
  static constexpr int steps_at_once = 4;

  CsrView<Scalar, Space, Offset> A, B;

  /// add(column, factor, value) for each product of row `row` of A, -1 for none. All groups of a
  /// warp together.
  template <class Add>
  KOKKOS_INLINE_FUNCTION void for_each(const LaneGroup& group, Ordinal row, const Add& add) const {
    const Offset begin = row < 0 ? 0 : A.offsets(row);
    const Offset end = row < 0 ? 0 : A.offsets(row + 1);
    const Offset longest = group.warp_max(end - begin);
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset k = begin + first + group.lane();
      Term term{0, 0, Scalar(0)};
      if (k < end) {
        const Ordinal middle = A.columns(k);
        term.begin = B.offsets(middle);
        term.end = B.offsets(middle + 1);
        term.factor = A.values(k);
      }
      add_terms(group, term, add);
    }
  }

 private:
  /// A row of B and its factor.
  struct Term {
    Offset begin, end;
    Scalar factor;
  };

  /// One term of each lane, those of the lower ones first.
  template <class Add>
  KOKKOS_INLINE_FUNCTION void add_terms(const LaneGroup& group, const Term& term,
                                        const Add& add) const {
    const auto length = static_cast<Ordinal>(term.end - term.begin);
    const Ordinal num_steps = (length + group.size() - 1) >> group.log2_size();
    const Ordinal steps_before = group.sum_before(num_steps);
    const Ordinal all_steps = group.from_lane(steps_before + num_steps, group.size() - 1);
    // Where the entries of step 0 would begin if the row went on to there.
    const Offset origin = term.begin - static_cast<Offset>(steps_before) * group.size();
    const Ordinal most_steps = group.warp_max(all_steps);
    for (Ordinal first = 0; first < most_steps; first += steps_at_once) {
      Ordinal column[steps_at_once];
      Scalar factor[steps_at_once] = {};
      Scalar value[steps_at_once] = {};
      for (int q = 0; q < steps_at_once; ++q) {
        const Ordinal step = first + q;
        column[q] = empty_slot;
        if (step >= most_steps) continue;  // the whole warp
        // The last lane whose term begins at this step or before: earlier ones have ended.
        const std::uint32_t begun = group.lanes_where(steps_before <= step);
        const int source = Kokkos::Experimental::popcount_builtin(begun) - 1;
        const Offset entry = group.from_lane(origin, source) +
                             static_cast<Offset>(step) * group.size() + group.lane();
        factor[q] = group.from_lane(term.factor, source);
        if (entry >= group.from_lane(term.end, source)) continue;
        column[q] = B.columns(entry);
        value[q] = B.values(entry);
      }
      for (int q = 0; q < steps_at_once; ++q) {
        if (first + q >= most_steps) continue;
        if (column[q] != empty_slot) add(column[q], factor[q], value[q]);
        group.sync();
      }
    }
  }
};

}  // namespace tessera::kernels::spgemm_detail
