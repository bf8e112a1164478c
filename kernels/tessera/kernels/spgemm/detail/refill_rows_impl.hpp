// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of refill_rows.
#pragma once

#include "tessera/kernels/spgemm/detail/refill_rows.hpp"
#include "tessera/kernels/spgemm/detail/team_products.hpp"

namespace tessera::kernels::spgemm_detail {

/// A longer row of C is shared by a team: the few lanes of a thread would be at it when all other
/// rows are done.
inline constexpr Ordinal longest_of_thread = 1024;

/// Lanes find a product's entry in their row of C by binary search.
KOKKOS_INLINE_FUNCTION Ordinal entry_of(Ordinal column, const Ordinal* row_columns, Ordinal size) {
  Ordinal low = 0;
  for (Ordinal length = size; length > 1;) {
    const Ordinal half = length / 2;
    low += row_columns[low + half] <= column ? half : 0;
    length -= half;
  }
  return low;
}

/// A row a team thread. A row of up to `capacity` entries is summed in scratch, where its columns
/// lie too; a longer one in C itself, those above `longest` by the whole team.
template <class Scalar, class Space, class Offset>
struct RefillRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A, B, C;
  ArrayView<Scalar, Space> values;
  Ordinal capacity;
  Ordinal longest;  ///< for a team thread; at least `capacity`
  int lanes;

  /// Of scratch for one team thread.
  static KOKKOS_INLINE_FUNCTION constexpr int bytes(Ordinal capacity) {
    return (capacity * static_cast<int>(sizeof(Scalar) + sizeof(Ordinal)) + 7) / 8 * 8;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const TeamScope<Member> scope{member, lanes};
    const auto turns = TurnsOfTeam<Scalar>::of(member, scope.size());
    auto* memory =
        static_cast<Scalar*>(member.thread_scratch(0).get_shmem_aligned(bytes(capacity), 8));
    const Ordinal first = member.league_rank() * member.team_size();
    const Ordinal row = first + member.team_rank();
    if (row < C.num_rows && size_of(row) <= longest) fill_row(member, row, memory);
    const Ordinal left = C.num_rows - first;
    const Ordinal last = first + (left < member.team_size() ? left : member.team_size());
    for (Ordinal other = first; other < last; ++other)
      if (size_of(other) > longest) fill_long_row(scope, other, turns);
  }

  KOKKOS_INLINE_FUNCTION Ordinal size_of(Ordinal row) const {
    return static_cast<Ordinal>(C.offsets(row + 1) - C.offsets(row));
  }

  KOKKOS_INLINE_FUNCTION void fill_row(const Member& member, Ordinal row, Scalar* memory) const {
    const Offset begin = C.offsets(row);
    const Ordinal size = size_of(row);
    const Ordinal* c_columns = C.columns.data() + begin;
    Scalar* c_values = values.data() + begin;
    if (size > capacity) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size),
                           [&](Ordinal i) { c_values[i] = Scalar(0); });
      sum_products(member, row, size, c_columns, c_values);
      return;
    }
    Scalar* sums = memory;
    auto* row_columns = reinterpret_cast<Ordinal*>(memory + capacity);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size), [&](Ordinal i) {
      row_columns[i] = c_columns[i];
      sums[i] = Scalar(0);
    });
    sum_products(member, row, size, row_columns, sums);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size),
                         [&](Ordinal i) { c_values[i] = sums[i]; });
  }

  KOKKOS_INLINE_FUNCTION void sum_products(const Member& member, Ordinal row, Ordinal size,
                                           const Ordinal* row_columns, Scalar* sums) const {
    for_each_product(member, A, B, row, 0, 1, [&](Ordinal column, Scalar product) {
      sums[entry_of(column, row_columns, size)] += product;
    });
  }

  /// All lanes of the team call it.
  KOKKOS_INLINE_FUNCTION void fill_long_row(const TeamScope<Member>& scope, Ordinal row,
                                            const TurnsOfTeam<Scalar>& turns) const {
    const Offset begin = C.offsets(row);
    const Ordinal size = size_of(row);
    const Ordinal* c_columns = C.columns.data() + begin;
    Scalar* c_values = values.data() + begin;
    scope.for_each(size, [&](Ordinal i) { c_values[i] = Scalar(0); });
    add_in_order(
        scope, A, B, row, turns, [&](Ordinal column) { return entry_of(column, c_columns, size); },
        c_values);
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
  const int bytes_of_turns = TurnsOfTeam<Scalar>::bytes(lanes) + 16;
  while (capacity > 16 &&
         !fits_by_vector<Space>(lanes, Functor::bytes(capacity) + 16 + bytes_of_turns))
    capacity /= 2;
  const int bytes = Functor::bytes(capacity) + 16;
  const int team = rows_in_team<Space>(lanes, bytes + bytes_of_turns);
  const Ordinal longest = std::max(capacity, longest_of_thread);
  Kokkos::TeamPolicy<Space> policy(exec, (C.num_rows + team - 1) / team, team, lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(team * bytes_of_turns), Kokkos::PerThread(bytes));
  Kokkos::parallel_for("tessera::spgemm::refill_rows", policy,
                       Functor{A, B, C, values, capacity, longest, lanes});
}

}  // namespace tessera::kernels::spgemm_detail
