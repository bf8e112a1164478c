// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/column_bits.hpp"
#include "tessera/kernels/spgemm/detail/team_products.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills one row per team: its columns as bits, in whose order they are written, then its values in
/// place, each found by the rank of its column's bit.
template <class Scalar, class Space, class Offset>
struct FillLongRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using Scope = TeamScope<Member>;
  static constexpr int num_segments = 16;  ///< of the bits, each ranked by one team thread

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  RowBin bin;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  int lanes;  ///< of a team thread
  ArrayView<unsigned, Space> global;  ///< TeamMemory::global

  /// Of scratch, beside the bits.
  static int other_bytes(int lanes_in_team) {
    return TurnsOfTeam<Scalar>::bytes(lanes_in_team) +
           num_segments * static_cast<int>(sizeof(Ordinal)) + 32;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const Scope scope{member, lanes};
    const auto turns = TurnsOfTeam<Scalar>::of(member, scope.size());
    auto* counts = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(num_segments * sizeof(Ordinal), 8));
    const Ordinal num_words = ColumnBits::num_words(B.num_cols);
    unsigned* words = team_words<Member, Space>(member, global, 2 * std::size_t(num_words));
    const ColumnBits bits{words, reinterpret_cast<Ordinal*>(words + num_words)};
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = rows.extent(0) == 0 ? index : rows(bin.first + index);
      const Offset begin = offsets(row);
      const Offset size = offsets(row + 1) - begin;
      scope.for_each(num_words, [&](Ordinal word) { bits.words[word] = 0; });
      scope.for_each(size, [&](Offset i) { values(begin + i) = Scalar(0); });
      insert_columns(scope, A.offsets, A.columns, B.offsets, B.columns, row, size,
                     [&](Ordinal column) { return bits.insert(column); });
      rank_words(scope, num_words, bits, counts);
      write_columns(scope, num_words, bits, begin);
      add_in_order(
          scope, A, B, row, turns, [&](Ordinal column) { return bits.rank(column); },
          values.data() + begin);
    }
  }

  KOKKOS_INLINE_FUNCTION void rank_words(const Scope& scope, Ordinal num_words,
                                         const ColumnBits& bits, Ordinal* counts) const {
    const auto segment_begin = [=](int segment) {
      return static_cast<Ordinal>(std::int64_t(num_words) * segment / num_segments);
    };
    scope.for_each_part(num_segments, [&](int segment) {
      Ordinal count = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(scope.member, segment_begin(segment),
                                    segment_begin(segment + 1)),
          [&](Ordinal word, Ordinal& sum) {
            sum += Kokkos::Experimental::popcount_builtin(bits.words[word]);
          },
          count);
      Kokkos::single(Kokkos::PerThread(scope.member), [&]() { counts[segment] = count; });
    });
    scope.for_each_part(num_segments, [&](int segment) {
      Ordinal before = 0;
      for (int other = 0; other < segment; ++other)
        before += counts[other];
      const Ordinal first = segment_begin(segment);
      Kokkos::parallel_scan(
          Kokkos::ThreadVectorRange(scope.member, segment_begin(segment + 1) - first),
          [&](Ordinal i, Ordinal& count, bool final) {
            if (final) bits.ranks[first + i] = before + count;
            count += Kokkos::Experimental::popcount_builtin(bits.words[first + i]);
          });
    });
  }

  KOKKOS_INLINE_FUNCTION void write_columns(const Scope& scope, Ordinal num_words,
                                            const ColumnBits& bits, Offset begin) const {
    scope.for_each(num_words, [&](Ordinal word) {
      Offset entry = begin + bits.ranks[word];
      Ordinal column = word * 32;
      for (unsigned left = bits.words[word]; left != 0; left >>= 1, ++column)
        if ((left & 1) != 0) columns(entry++) = column;
    });
  }
};

template <class Scalar, class Space, class Offset>
void fill_long_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B,
                    const ArrayView<const Ordinal, Space>& rows, const RowBin& bin,
                    const ArrayView<const Offset, Space>& offsets,
                    const ArrayView<Ordinal, Space>& columns,
                    const ArrayView<Scalar, Space>& values) {
  using Functor = FillLongRows<Scalar, Space, Offset>;
  const int other_bytes = Functor::other_bytes(largest_team);
  const TeamMemory<Space> memory(
      exec, bin.count, 2 * sizeof(unsigned) * ColumnBits::num_words(B.num_cols), other_bytes);
  const int lanes = is_host_space<Space> ? 1 : 32;
  Kokkos::TeamPolicy<Space, LargeTeams> policy(
      exec, memory.teams, threads_in_team<Space>(memory.lanes_in_team(), lanes), lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(memory.scratch_bytes + other_bytes));
  Kokkos::parallel_for("tessera::spgemm::fill_long_rows", policy,
                       Functor{A, B, rows, bin, offsets, columns, values, lanes, memory.global});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_long_rows)

}  // namespace tessera::kernels::spgemm_detail
