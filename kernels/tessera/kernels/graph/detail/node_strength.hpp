// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong neighbours of a node of several unknowns.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels::detail {

/// Visits the strong neighbours of a node of `block_size` unknowns: column sets of its rows are
/// merged and the squares of each block's entries summed, 32 neighbours at a time. Where the rows
/// have the same columns, in order, as those of a stiffness matrix do, a host goes through them
/// once, neighbour by neighbour, and the lanes of a group share the node: the lane that meets the
/// first column of a neighbour sums its block. All sum in the same order.
template <class Scalar, class Space, class Offset>
struct NodeStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scale;  ///< empty where theta_squared is 0
  double theta_squared;
  Ordinal block_size;

  static constexpr int capacity = 32;
  using Batch = SortedBatch<capacity>;

  KOKKOS_FUNCTION double measure(Ordinal node, StrengthMeasure measure) const {
    return measure == StrengthMeasure::diagonal ? diagonal(node) : largest(node);
  }

  KOKKOS_FUNCTION double diagonal(Ordinal node) const {
    const Ordinal first = node * block_size;
    const Ordinal last = first + block_size;
    double sum = 0;
    for (Offset k = begin(node); k < end(node); ++k) {
      if (A.columns(k) >= first && A.columns(k) < last) sum += square(k);
    }
    return Kokkos::sqrt(sum);
  }

  KOKKOS_FUNCTION double largest(Ordinal node) const {
    double value = 0;
    if (goes_by_blocks(node)) {
      for_each_block(node, [&](Ordinal, double squares) { value = Kokkos::max(value, squares); });
      return Kokkos::sqrt(value);
    }
    Batch batch;
    do {
      collect(node, batch);
      double norm_squared[capacity];
      sum_squares(node, batch, norm_squared);
      for (int at = 0; at < batch.size(); ++at)
        value = Kokkos::max(value, norm_squared[at]);
    } while (batch.overflown());
    return Kokkos::sqrt(value);
  }

  /// The largest coupling, as `measure` has it, by a group of lanes; node = -1 for none.
  KOKKOS_FUNCTION double measure(const LaneGroup& group, Ordinal node,
                                 StrengthMeasure measure) const {
    const bool by_lanes = measure == StrengthMeasure::largest && rows_agree(group, node);
    double value = 0;
    for (Offset k = group.lane(); k < (by_lanes ? row_length(node) : 0); k += group.size()) {
      if (begins_neighbour(node, k)) value = Kokkos::max(value, block_squares(node, k));
    }
    value = group.reduce(value, [](double a, double b) { return Kokkos::max(a, b); });
    if (by_lanes) return Kokkos::sqrt(value);
    return node < 0 ? 0 : this->measure(node, measure);
  }

  /// The number of strong neighbours, by lanes.
  KOKKOS_FUNCTION Ordinal count_strong(const LaneGroup& group, Ordinal node) const {
    const bool by_lanes = theta_squared > 0 && rows_agree(group, node);
    Ordinal count = 0;
    for (Offset k = group.lane(); k < (by_lanes ? row_length(node) : 0); k += group.size())
      count += strong_block(node, k) ? 1 : 0;
    count = group.sum(count);
    if (!by_lanes && node >= 0) for_each_strong(node, [&](Ordinal) { ++count; });
    return count;
  }

  /// And which they are, sorted.
  KOKKOS_FUNCTION void store_strong(const LaneGroup& group, Ordinal node,
                                    Ordinal* neighbours) const {
    const bool by_lanes = theta_squared > 0 && rows_agree(group, node);
    const Offset length = by_lanes ? row_length(node) : 0;
    const Offset longest = group.warp_max(length);
    Ordinal place = 0;
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset k = first + group.lane();
      const bool strong = k < length && strong_block(node, k);
      const std::uint32_t lanes = group.lanes_where(strong);
      if (strong) neighbours[place + group.count_before(lanes)] = neighbour(node, k);
      place += Kokkos::Experimental::popcount_builtin(lanes);
    }
    if (!by_lanes && node >= 0 && group.lane() == 0)
      for_each_strong(node, [&](Ordinal j) { neighbours[place++] = j; });
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal node, const Visit& visit) const {
    if (theta_squared > 0 && goes_by_blocks(node)) {
      for_each_block(node, [&](Ordinal j, double squares) {
        if (squares > theta_squared * (scale(node) * scale(j))) visit(j);
      });
      return;
    }
    Batch batch;
    do {
      collect(node, batch);
      double norm_squared[capacity];
      if (theta_squared > 0) sum_squares(node, batch, norm_squared);
      for (int at = 0; at < batch.size(); ++at) {
        const Ordinal j = batch.key(at);
        if (theta_squared == 0 || norm_squared[at] > theta_squared * (scale(node) * scale(j))) {
          visit(j);
        }
      }
    } while (batch.overflown());
  }

 private:
  /// The node of the column that was looked at last: the next column is mostly of the same one.
  struct LastNeighbour {
    Ordinal block_size;
    Ordinal node = -1;
    Ordinal first = 0;  ///< its first column

    /// Whether the column is another node's.
    KOKKOS_FUNCTION bool move_to(Ordinal column) {
      if (node >= 0 && column >= first && column - first < block_size) return false;
      node = column / block_size;
      first = node * block_size;
      return true;
    }
  };

  KOKKOS_FUNCTION Offset begin(Ordinal node) const { return A.offsets(node * block_size); }
  KOKKOS_FUNCTION Offset end(Ordinal node) const { return A.offsets((node + 1) * block_size); }
  KOKKOS_FUNCTION double square(Offset k) const {
    const auto value = static_cast<double>(A.values(k));
    return value * value;
  }

  /// Of the first row; that of the others where they agree.
  KOKKOS_FUNCTION Offset row_length(Ordinal node) const {
    return A.offsets(node * block_size + 1) - begin(node);
  }
  /// Of entry k of each of its rows.
  KOKKOS_FUNCTION Ordinal neighbour(Ordinal node, Offset k) const {
    return A.columns(begin(node) + k) / block_size;
  }

  /// Whether all rows have the columns of the first, and these ascend; not so of node -1.
  KOKKOS_FUNCTION bool rows_agree(const LaneGroup& group, Ordinal node) const {
    const Offset first = node < 0 ? 0 : begin(node);
    const Offset length = node < 0 ? 0 : row_length(node);
    bool same_lengths = node >= 0;
    for (Ordinal r = 1; r < block_size && same_lengths; ++r) {
      const Ordinal row = node * block_size + r;
      same_lengths = A.offsets(row + 1) - A.offsets(row) == length;
    }
    int differences = 0;
    for (Offset k = group.lane(); k < length && same_lengths; k += group.size()) {
      const Ordinal column = A.columns(first + k);
      if (k > 0) differences += A.columns(first + k - 1) >= column ? 1 : 0;
      for (Ordinal r = 1; r < block_size; ++r)
        differences += A.columns(first + r * length + k) != column ? 1 : 0;
    }
    differences = group.sum(differences);
    return same_lengths && differences == 0;
  }

  /// The same by one thread.
  KOKKOS_FUNCTION bool rows_agree(Ordinal node) const {
    const Offset first = begin(node);
    const Offset length = row_length(node);
    Ordinal differences = 0;
    for (Ordinal r = 1; r < block_size && differences == 0; ++r) {
      const Ordinal row = node * block_size + r;
      if (A.offsets(row + 1) - A.offsets(row) != length) return false;
      for (Offset k = first; k < first + length; ++k)
        differences += A.columns(k) != A.columns(k + r * length) ? 1 : 0;
    }
    for (Offset k = first + 1; k < first + length && differences == 0; ++k)
      differences += A.columns(k - 1) >= A.columns(k) ? 1 : 0;
    return differences == 0;
  }

  /// Whether a thread goes by `for_each_block`: on a device lanes have looked at the rows before.
  KOKKOS_FUNCTION bool goes_by_blocks(Ordinal node) const {
    return is_host_space<Space> && rows_agree(node);
  }

  /// Neighbours and the squares of their blocks' entries, where rows agree.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_block(Ordinal node, const Visit& visit) const {
    const Offset first = begin(node);
    const Offset length = row_length(node);
    LastNeighbour last{block_size};
    Offset end = 0;
    for (Offset k = 0; k < length; k = end) {
      last.move_to(A.columns(first + k));
      for (end = k + 1; end < length && A.columns(first + end) - last.first < block_size;)
        ++end;
      if (last.node == node) continue;
      double sum = 0;
      for (Ordinal r = 0; r < block_size; ++r)
        for (Offset e = first + r * length + k; e < first + r * length + end; ++e)
          sum += square(e);
      visit(last.node, sum);
    }
  }

  KOKKOS_FUNCTION bool begins_neighbour(Ordinal node, Offset k) const {
    const Ordinal j = neighbour(node, k);
    return j != node && (k == 0 || neighbour(node, k - 1) != j);
  }

  /// Of the block whose first column is that of entry k.
  KOKKOS_FUNCTION double block_squares(Ordinal node, Offset k) const {
    const Offset first = begin(node);
    const Offset length = row_length(node);
    Offset last = k + 1;
    while (last < length && neighbour(node, last) == neighbour(node, k))
      ++last;
    double sum = 0;
    for (Ordinal r = 0; r < block_size; ++r) {
      for (Offset e = k; e < last; ++e)
        sum += square(first + r * length + e);
    }
    return sum;
  }

  KOKKOS_FUNCTION bool strong_block(Ordinal node, Offset k) const {
    return begins_neighbour(node, k) &&
           block_squares(node, k) > theta_squared * (scale(node) * scale(neighbour(node, k)));
  }

  /// The next neighbours of `node`.
  KOKKOS_FUNCTION void collect(Ordinal node, Batch& batch) const {
    batch.next();
    LastNeighbour last{block_size};
    Ordinal inserted = -1;
    for (Offset k = begin(node); k < end(node); ++k) {
      last.move_to(A.columns(k));
      if (last.node == node || last.node == inserted || A.values(k) == Scalar(0)) continue;
      batch.insert(last.node);
      inserted = last.node;
    }
  }

  KOKKOS_FUNCTION void sum_squares(Ordinal node, const Batch& batch, double* sums) const {
    for (int at = 0; at < batch.size(); ++at)
      sums[at] = 0;
    LastNeighbour last{block_size};
    int at = -1;
    for (Offset k = begin(node); k < end(node); ++k) {
      if (last.move_to(A.columns(k))) at = batch.find(last.node);
      if (at >= 0) sums[at] += square(k);
    }
  }
};

}  // namespace tessera::kernels::detail
