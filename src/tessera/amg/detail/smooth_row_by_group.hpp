// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A row of a smoothed prolongator with one candidate, made by a group of lanes.
#pragma once

#include "tessera/amg/detail/smoothing_input.hpp"
#include "tessera/amg/detail/smoothing_lanes.hpp"
#include "tessera/kernels/bucket_table.hpp"
#include "tessera/kernels/lane_group.hpp"

namespace tessera::amg::detail {

/// How rows are shared out and how much room they have.
struct GroupShape {
  LaneShape rows;
  int log2_stride;  ///< at least 3

  /// Aggregates of a row of P that there is room for.
  KOKKOS_INLINE_FUNCTION Ordinal stride() const { return Ordinal(1) << log2_stride; }
  /// Of the table, which is twice as large as its list may get: a full one means that there is no
  /// room.
  KOKKOS_INLINE_FUNCTION int log2_slots() const { return log2_stride + 1; }
  KOKKOS_INLINE_FUNCTION Ordinal num_slots() const { return Ordinal(1) << log2_slots(); }
};

/// The shape for rows of `mean` entries: room for twice as many aggregates as the root of that.
/// Rows of P have 3 to 6 on meshes of tetrahedra and of elements of order 1 to 3, with rows of A of
/// 15 to 121 entries, and 8 of 27-point stencils on boxes.
inline GroupShape group_shape(double mean) {
  int log2_stride = 3;
  for (double most = 16; log2_stride < 5 && mean > most; most *= 4)
    ++log2_stride;
  return {lane_shape(mean), log2_stride};
}

/// A row's aggregate, below 0 for none, and its entry of the tentative prolongator.
template <class Scalar>
struct alignas(2 * sizeof(Scalar)) Membership {
  Scalar tentative;
  Ordinal aggregate;
};

template <class Scalar, class Space, class Offset>
struct FindMembers {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Membership<Scalar>, Space> members;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Ordinal g = in.aggregate(i);
    members(i) = {g < 0 ? Scalar(0) : in.T.values(in.T.offsets(i)), g};
  }
};

/// The lengths of the rows that were made, and how many were left for later.
template <class Space, class Offset, class Found>
struct CountMade {
  Array<const Offset, Space> counts;
  Array<const char, Space> later;

  KOKKOS_FUNCTION void operator()(Ordinal i, Found& sum) const {
    sum += Found{{counts(i), counts(i)}, later(i) != 0 ? 1 : 0};
  }
};

/// What is read at once, of a row's share of scratch.
template <class T>
struct alignas(16) Four {
  T of[4];
};

/// Makes a row of P. What the groups of a warp decide together is the same for all of them, as
/// `LaneGroup` wants it: a group without a row goes along with an empty one.
template <class Scalar, class Space, class Offset>
struct SmoothRowByGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int at_once = 4;  ///< entries of a lane that are on their way together

  SmoothingInput<Scalar, Space, Offset> in;
  Array<const Membership<Scalar>, Space> members;
  Scalar omega_over_rho;
  GroupShape shape;
  Array<Offset, Space> counts;  ///< 0 of a row that is left for later
  Array<char, Space> later;
  Array<Ordinal, Space> columns;  ///< `shape.stride()` a row
  Array<Scalar, Space> values;
  int slice;  ///< bytes of a row's share of scratch, a multiple of 16

  /// A row's share of scratch.
  struct Memory {
    Scalar* values;  ///< of A's row
    Scalar* tentatives;
    Ordinal* groups;  ///< the aggregate of each entry; below 0 where it takes no part
    Ordinal* keys;  ///< a table of the row's aggregates
    Ordinal* found;  ///< these, listed
  };

  static int bytes(const GroupShape& shape) {
    return shape.rows.capacity * static_cast<int>(2 * sizeof(Scalar) + sizeof(Ordinal)) +
           2 * shape.num_slots() * static_cast<int>(sizeof(Ordinal));
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int lanes = shape.rows.lanes;
    const int rows = member.team_size() / lanes;
    const int in_team = member.team_rank() / lanes;
    const std::int64_t row = static_cast<std::int64_t>(member.league_rank()) * rows + in_team;
    auto* const first =
        static_cast<unsigned char*>(member.team_scratch(0).get_shmem_aligned(rows * slice, 16));
    make(kernels::LaneGroup(lanes, member.team_rank()),
         row < in.A.num_rows ? static_cast<Ordinal>(row) : -1,
         kernels::in_scratch(first) + in_team * slice);
  }

  /// Row i, -1 for none.
  KOKKOS_INLINE_FUNCTION void make(const kernels::LaneGroup& group, Ordinal i,
                                   unsigned char* share) const {
    const Memory memory = split(share);
    const bool smooths = i >= 0 && in.smooths(i) && !in.stands_alone(i);
    const Ordinal length = smooths ? in.length(i) : 0;
    const bool is_short = length <= shape.rows.capacity;
    const Ordinal size = is_short ? length : 0;
    clear(group, memory, size);
    const RowFilter<Scalar> filter = stage(group, i, size, memory);
    const Ordinal own = smooths ? members(i).aggregate : -1;
    if (own >= 0 && group.lane() == 0) insert(memory, own);
    group.sync();
    const Ordinal num_found = list(group, memory);
    const bool fits = is_short && num_found <= shape.stride();
    if (smooths && fits) sum(group, i, size, own, filter, num_found, memory);
    if (i < 0 || group.lane() != 0) return;
    later(i) = fits ? 0 : 1;
    counts(i) = fits ? num_found : 0;
    if (!in.smooths(i)) copy_tentative(i);
  }

 private:
  KOKKOS_INLINE_FUNCTION Memory split(unsigned char* share) const {
    Memory memory;
    memory.values = reinterpret_cast<Scalar*>(share);
    memory.tentatives = memory.values + shape.rows.capacity;
    memory.groups = reinterpret_cast<Ordinal*>(memory.tentatives + shape.rows.capacity);
    memory.keys = memory.groups + shape.rows.capacity;
    memory.found = memory.keys + shape.num_slots();
    return memory;
  }

  /// An empty table; and entries beyond the row's end, for it is read by fours.
  KOKKOS_INLINE_FUNCTION void clear(const kernels::LaneGroup& group, const Memory& memory,
                                    Ordinal size) const {
    for (Ordinal slot = group.lane(); slot < shape.num_slots(); slot += group.size())
      memory.keys[slot] = kernels::empty_slot;
    for (Ordinal l = size + group.lane(); l < (size + 3) / 4 * 4; l += group.size())
      memory.groups[l] = -1;
    group.sync();
  }

  KOKKOS_INLINE_FUNCTION void insert(const Memory& memory, Ordinal g) const {
    bool fresh;
    kernels::find_or_insert_in_bucket(memory.keys, shape.log2_slots(), g, fresh,
                                      shape.num_slots() / kernels::Bucket::size);
  }

  /// Brings A's row to scratch and its aggregates into the table; the row's filter. Until that is
  /// known, -2 - g stands for the aggregate g of a weak entry.
  KOKKOS_INLINE_FUNCTION RowFilter<Scalar> stage(const kernels::LaneGroup& group, Ordinal i,
                                                 Ordinal size, const Memory& memory) const {
    const bool may_filter = size > 0 && in.may_filter(i);
    const double own_scale = may_filter ? in.scale(i) : 0.0;
    const Scalar own_candidate = may_filter ? in.candidate(i) : Scalar(1);
    RowSums<Scalar> sums;
    const Offset begin = size > 0 ? in.A.offsets(i) : 0;
    for (Ordinal first = group.lane(); first < size; first += at_once * group.size()) {
      Ordinal column[at_once];
      Scalar value[at_once];
      Membership<Scalar> of[at_once];
      double scale[at_once];
      Scalar candidate[at_once];
      for (int e = 0; e < at_once; ++e) {
        const Ordinal l = first + e * group.size();
        column[e] = l < size ? in.A.columns(begin + l) : -1;
        value[e] = l < size ? in.A.values(begin + l) : Scalar(0);
      }
      for (int e = 0; e < at_once; ++e) {
        of[e] = column[e] < 0 ? Membership<Scalar>{0, -1} : members(column[e]);
        scale[e] = may_filter && column[e] >= 0 ? in.scale(column[e]) : 0.0;
        candidate[e] = may_filter && column[e] >= 0 ? in.candidate(column[e]) : Scalar(0);
      }
      for (int e = 0; e < at_once; ++e) {
        if (column[e] < 0) continue;
        bool takes_part = true;
        if (may_filter) {
          takes_part = column[e] == i || in.strong(value[e], own_scale, scale[e]);
          const Scalar moved = takes_part ? Scalar(0) : value[e] * candidate[e] / own_candidate;
          in.add_entry(column[e] == i, value[e], moved, takes_part, sums);
        }
        Ordinal g = of[e].aggregate;
        if (g >= 0 && takes_part) insert(memory, g);
        if (g >= 0 && !takes_part) g = -2 - g;
        const Ordinal l = first + e * group.size();
        memory.groups[l] = g;
        memory.values[l] = value[e];
        memory.tentatives[l] = of[e].tentative;
      }
    }
    RowFilter<Scalar> filter;
    if (in.filter_squared == 0) return filter;
    sums = {group.sum(sums.weak), group.sum(sums.couplings), group.sum(sums.left_out)};
    if (!may_filter) return filter;
    filter = in.filter_by(i, sums);
    if (!filter.filtered) take_weak(group, size, memory);
    return filter;
  }

  /// Entries that were taken for weak take part after all; each lane's own.
  KOKKOS_INLINE_FUNCTION void take_weak(const kernels::LaneGroup& group, Ordinal size,
                                        const Memory& memory) const {
    for (Ordinal l = group.lane(); l < size; l += group.size()) {
      if (memory.groups[l] >= -1) continue;
      memory.groups[l] = -2 - memory.groups[l];
      insert(memory, memory.groups[l]);
    }
  }

  /// The table's keys one after the other; returns how many there are. The list ends in numbers
  /// that are not below any, for it is read by fours.
  KOKKOS_INLINE_FUNCTION Ordinal list(const kernels::LaneGroup& group, const Memory& memory) const {
    Ordinal num_found = 0;
    for (Ordinal first = 0; first < shape.num_slots(); first += group.size()) {
      const Ordinal slot = first + group.lane();
      const Ordinal key = slot < shape.num_slots() ? memory.keys[slot] : kernels::empty_slot;
      const std::uint32_t with_key = group.lanes_where(key != kernels::empty_slot);
      if (key != kernels::empty_slot) memory.found[num_found + group.count_before(with_key)] = key;
      num_found += Kokkos::Experimental::popcount_builtin(with_key);
    }
    for (Ordinal e = num_found + group.lane(); e < (num_found + 3) / 4 * 4; e += group.size())
      memory.found[e] = no_group;
    group.sync();
    return num_found;
  }

  KOKKOS_INLINE_FUNCTION void sum(const kernels::LaneGroup& group, Ordinal i, Ordinal size,
                                  Ordinal own, const RowFilter<Scalar>& filter, Ordinal num_found,
                                  const Memory& memory) const {
    const Scalar factor = in.damping(i, omega_over_rho, filter);
    const std::size_t to = static_cast<std::size_t>(i) * shape.stride();
    for (Ordinal e = group.lane(); e < num_found; e += group.size()) {
      const Ordinal key = memory.found[e];
      Ordinal rank = 0;
      for (Ordinal f = 0; f < num_found; f += 4) {
        const auto four = *reinterpret_cast<const Four<Ordinal>*>(memory.found + f);
        for (int q = 0; q < 4; ++q)
          rank += four.of[q] < key ? 1 : 0;
      }
      Scalar sum = 0;
      for (Ordinal l = 0; l < size; l += 4) {
        const auto groups = *reinterpret_cast<const Four<Ordinal>*>(memory.groups + l);
        const auto of_A = *reinterpret_cast<const Four<Scalar>*>(memory.values + l);
        const auto of_T = *reinterpret_cast<const Four<Scalar>*>(memory.tentatives + l);
        for (int q = 0; q < 4; ++q) {
          if (groups.of[q] == key) sum += of_A.of[q] * of_T.of[q];
        }
      }
      columns(to + rank) = key;
      values(to + rank) = in.smoothed(i, sum, key == own, factor, filter.lumped);
    }
  }

  /// T's row, of one entry at the most.
  KOKKOS_INLINE_FUNCTION void copy_tentative(Ordinal i) const {
    const auto length = static_cast<Ordinal>(in.tentative_length(i));
    const std::size_t to = static_cast<std::size_t>(i) * shape.stride();
    counts(i) = length;
    for (Ordinal e = 0; e < length; ++e) {
      columns(to + e) = in.T.columns(in.T.offsets(i) + e);
      values(to + e) = in.T.values(in.T.offsets(i) + e);
    }
  }
};

/// A row's share of scratch, of which it uses `used` bytes: the groups of a warp read different
/// banks.
inline int group_slice(int used, int lanes) {
  return (used + 127) / 128 * 128 + std::max(16, 4 * lanes) % 128;
}

/// `functor` for all rows of its `in.A`, each by a group of lanes with its share of scratch.
template <class Space, class Functor>
void for_each_row_by_group(const Space& exec, const char* label, const Functor& functor) {
  const Ordinal num_rows = functor.in.A.num_rows;
  if (num_rows == 0) return;
  const int lanes = functor.shape.rows.lanes;
  const int in_warp = rows_in_warp<Space>(lanes);
  const int most = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 16;
  const int warps = most / (in_warp * functor.slice);
  const int rows = kernels::is_host_space<Space> ? 1 : in_warp * std::clamp(warps, 1, 4);
  auto policy = kernels::as_argument(
      Kokkos::TeamPolicy<Space>(exec, (num_rows - 1) / rows + 1, rows * lanes, 1));
  policy.set_scratch_size(0, Kokkos::PerTeam(rows * functor.slice + 16));
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace tessera::amg::detail
