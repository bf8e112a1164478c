// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a short row of A B by a group of lanes.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/detail/hash_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// The rows of B are added one after the other, in the order of A's row, each by all lanes: its
/// columns differ, so that no two lanes add to one sum. What is loaded for that is on its way for
/// several rows of B at once, and for a group's length of A's row.
template <class Scalar, class Space, class Offset>
struct GroupProducts {
  static constexpr int rows_at_once = 4;

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
        term.length = static_cast<Ordinal>(B.offsets(middle + 1) - term.begin);
        term.factor = A.values(k);
      }
      const Offset left = longest - first;
      const int num_terms = left < group.size() ? static_cast<int>(left) : group.size();
      if (group.warp_max(term.length) <= group.size()) {
        add_short_terms(group, term, num_terms, add);
      } else {
        add_long_terms(group, term, num_terms, add);
      }
    }
  }

 private:
  /// A row of B and its factor.
  struct Term {
    Offset begin;
    Ordinal length;
    Scalar factor;
  };

  /// Rows of B no longer than the group is wide.
  template <class Add>
  KOKKOS_INLINE_FUNCTION void add_short_terms(const LaneGroup& group, const Term& term,
                                              int num_terms, const Add& add) const {
    for (int first = 0; first < num_terms; first += rows_at_once) {
      Ordinal column[rows_at_once];
      Scalar factor[rows_at_once];
      Scalar value[rows_at_once];
      for (int q = 0; q < rows_at_once; ++q) {
        const int source = first + q;
        const Offset entry = group.from_lane(term.begin, source) + group.lane();
        const Ordinal length = group.from_lane(term.length, source);
        factor[q] = group.from_lane(term.factor, source);
        const bool has_entry = source < num_terms && group.lane() < length;
        column[q] = has_entry ? B.columns(entry) : empty_slot;
        value[q] = has_entry ? B.values(entry) : Scalar(0);
      }
      for (int q = 0; q < rows_at_once; ++q) {
        if (column[q] != empty_slot) add(column[q], factor[q], value[q]);
        group.sync();
      }
    }
  }

  template <class Add>
  KOKKOS_INLINE_FUNCTION void add_long_terms(const LaneGroup& group, const Term& term,
                                             int num_terms, const Add& add) const {
    for (int source = 0; source < num_terms; ++source) {
      const Offset begin = group.from_lane(term.begin, source);
      const Ordinal length = group.from_lane(term.length, source);
      const Scalar factor = group.from_lane(term.factor, source);
      for (Ordinal i = group.lane(); i < length; i += group.size())
        add(B.columns(begin + i), factor, B.values(begin + i));
      group.sync();
    }
  }
};

}  // namespace tessera::kernels::spgemm_detail
