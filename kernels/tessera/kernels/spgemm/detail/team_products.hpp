// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a long row of A B by all lanes of a team.
#pragma once

#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/hash_table.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// insert(column) for the column of each product of row `row`: the sum of what it returns. In no
/// certain order; `products` is about how many there are.
template <class Scope, class Offsets, class Columns, class Insert>
KOKKOS_INLINE_FUNCTION Ordinal insert_columns(const Scope& scope, const Offsets& a_offsets,
                                              const Columns& a_columns, const Offsets& b_offsets,
                                              const Columns& b_columns, Ordinal row,
                                              std::int64_t products, const Insert& insert) {
  using Offset = typename Offsets::non_const_value_type;
  const Offset first = a_offsets(row);
  const Offset num_rows = a_offsets(row + 1) - first;
  const int sharing = rows_fill_team(products, num_rows, scope.size()) ? scope.size() : scope.lanes;
  const int groups = scope.size() / sharing;
  return scope.sum(scope.size(), [&](Ordinal i, Ordinal& sum) {
    const int lane = i % sharing;
    for (Offset k = i / sharing; k < num_rows; k += groups) {
      const Ordinal middle = a_columns(first + k);
      const Offset begin = b_offsets(middle);
      const Offset length = b_offsets(middle + 1) - begin;
      for (Offset j = lane; j < length; j += sharing)
        sum += insert(b_columns(begin + j));
    }
  });
}

/// What the lanes of a team add when it is their thread's turn.
template <class Scalar>
struct TurnsOfTeam {
  Scalar* products;
  Ordinal* places;

  static KOKKOS_INLINE_FUNCTION constexpr int bytes(int lanes_in_team) {
    return (lanes_in_team * static_cast<int>(sizeof(Scalar) + sizeof(Ordinal)) + 7) / 8 * 8;
  }
  template <class Member>
  static KOKKOS_INLINE_FUNCTION TurnsOfTeam of(const Member& member, int lanes_in_team) {
    TurnsOfTeam turns;
    turns.products =
        static_cast<Scalar*>(member.team_scratch(0).get_shmem_aligned(bytes(lanes_in_team), 8));
    turns.places = reinterpret_cast<Ordinal*>(turns.products + lanes_in_team);
    return turns;
  }
};

/// sums[place(column)] += product for each product of row `row` of A B: those of one column in the
/// order of A's row, without atomics. Rows of B that are a quarter as long as a team is wide, on
/// average, are taken one after the other, shorter ones one per thread: the threads look up their
/// places at once and add in turn.
template <class Member, class Scalar, class Space, class Offset, class Place>
KOKKOS_INLINE_FUNCTION void add_in_order(const TeamScope<Member>& scope,
                                         const CsrView<Scalar, Space, Offset>& A,
                                         const CsrView<Scalar, Space, Offset>& B, Ordinal row,
                                         const TurnsOfTeam<Scalar>& turns, const Place& place,
                                         Scalar* sums) {
  const Member& member = scope.member;
  const Offset first = A.offsets(row);
  const Offset num_rows = A.offsets(row + 1) - first;
  std::int64_t products = 0;
  Kokkos::parallel_reduce(
      Kokkos::TeamVectorRange(member, num_rows),
      [&](Offset k, std::int64_t& sum) {
        const Ordinal middle = A.columns(first + k);
        sum += B.offsets(middle + 1) - B.offsets(middle);
      },
      products);
  member.team_barrier();
  if (rows_fill_team(2 * products, num_rows, scope.size())) {
    for (Offset k = 0; k < num_rows; ++k) {
      const ScaledRow<Scalar, Offset> b = scaled_row(A, B, first + k);
      scope.for_each(b.end - b.begin, [&](Offset i) {
        sums[place(B.columns(b.begin + i))] += b.factor * B.values(b.begin + i);
      });
    }
    return;
  }
  const int threads = member.team_size();
  const int thread = member.team_rank();
  Scalar* const my_products = turns.products + thread * scope.lanes;
  Ordinal* const my_places = turns.places + thread * scope.lanes;
  for (Offset k = 0; k < num_rows; k += threads) {
    ScaledRow<Scalar, Offset> b{0, 0, Scalar(0)};
    if (k + thread < num_rows) b = scaled_row(A, B, first + k + thread);
    Offset longest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, num_rows - k < threads ? num_rows - k : Offset(threads)),
        [&](Offset i, Offset& most) {
          const Ordinal middle = A.columns(first + k + i);
          const Offset length = B.offsets(middle + 1) - B.offsets(middle);
          most = length > most ? length : most;
        },
        Kokkos::Max<Offset>(longest));
    member.team_barrier();
    for (Offset done = 0; done < longest; done += scope.lanes) {
      const Offset left = b.end - b.begin - done;
      const int length = left < 0 ? 0 : left < scope.lanes ? static_cast<int>(left) : scope.lanes;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, length), [&](int i) {
        const Offset j = b.begin + done + i;
        my_products[i] = b.factor * B.values(j);
        my_places[i] = place(B.columns(j));
      });
      for (int turn = 0; turn < threads; ++turn) {
        if (turn == thread) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, length),
                               [&](int i) { sums[my_places[i]] += my_products[i]; });
        }
        member.team_barrier();
      }
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
