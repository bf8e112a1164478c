// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator with one candidate by the threads of a host, in one pass over A.
///
/// A thread makes whole rows of P, columns and values, keeps those of a chunk, and copies them to
/// their place when all are counted. Each row's sums are in the order of A's row: the bits are
/// those of two passes.
#pragma once

#include "tessera/amg/detail/smoothed_prolongator.hpp"

#include <algorithm>
#include <vector>

namespace tessera::amg::detail {

/// What a thread keeps from one row, and from one chunk, to the next.
template <class Scalar, class Mark>
struct SmoothingWork {
  struct Entry {
    Ordinal aggregate;
    Scalar sum;
  };
  std::vector<char> strong;  ///< by entry of A's row
  std::vector<Entry> row;
  std::vector<Entry> chunk;
  Mark next_mark = 0;  ///< the marks of earlier rows are less
};

/// Makes the rows of a chunk.
template <class Scalar, class Space, class Offset>
struct SmoothChunk {
  using Mark = std::make_unsigned_t<Offset>;
  using Work = SmoothingWork<Scalar, Mark>;
  using Entry = typename Work::Entry;
  static constexpr Ordinal rows_per_chunk = 512;

  SmoothingInput<Scalar, Space, Offset> in;
  Scalar omega_over_rho;
  Kokkos::Experimental::UniqueToken<Space> token;
  Mark* marks;  ///< an aggregate each, for each thread: where its entry lies
  Work* works;  ///< one a thread
  std::vector<Entry>* chunks;  ///< one a chunk
  Array<Offset, Space> counts;

  void operator()(Ordinal chunk) const {
    const int id = token.acquire();
    Work& work = works[id];
    Mark* const mark = marks + static_cast<std::size_t>(id) * in.T.num_cols;
    const Ordinal first = chunk * rows_per_chunk;
    const Ordinal last = first + std::min(rows_per_chunk, in.A.num_rows - first);
    work.chunk.clear();
    for (Ordinal i = first; i < last; ++i) {
      const std::size_t before = work.chunk.size();
      append_row(i, work, mark);
      counts(i) = static_cast<Offset>(work.chunk.size() - before);
    }
    chunks[chunk] = work.chunk;
    token.release(id);
  }

  void append_row(Ordinal i, Work& work, Mark* mark) const {
    if (!in.smooths(i)) {
      for (Offset k = in.T.offsets(i); k < in.T.offsets(i + 1); ++k)
        work.chunk.push_back({in.T.columns(k), in.T.values(k)});
      return;
    }
    if (in.stands_alone(i)) return;
    const RowFilter<Scalar> filter = filter_row(i, work);
    sum_row(i, filter.filtered, work, mark);
    sort_row(work.row);
    const Ordinal own = in.aggregate(i);
    const Scalar factor = in.damping(i, omega_over_rho, filter);
    for (const Entry& entry : work.row) {
      work.chunk.push_back({entry.aggregate, in.smoothed(i, entry.sum, entry.aggregate == own,
                                                         factor, filter.lumped)});
    }
  }

  /// As `SmoothingInput::filter`; notes which entries are strong, where it matters.
  RowFilter<Scalar> filter_row(Ordinal i, Work& work) const {
    if (!in.may_filter(i)) return {};
    const Offset begin = in.A.offsets(i);
    const Ordinal length = in.length(i);
    if (work.strong.size() < static_cast<std::size_t>(length)) work.strong.resize(length);
    RowSums<Scalar> sums;
    for (Ordinal l = 0; l < length; ++l) {
      const bool strong = in.strong(i, begin + l);
      work.strong[l] = strong ? 1 : 0;
      in.add_entry(i, begin + l, strong, sums);
    }
    return in.filter_by(i, sums);
  }

  /// The row's aggregates, its own among them, and their sums, in the order of their coming.
  void sum_row(Ordinal i, bool filtered, Work& work, Mark* mark) const {
    auto& row = work.row;
    row.clear();
    const Mark begin = work.next_mark;
    const auto sum_of = [&](Ordinal g) -> Scalar& {
      const Mark position = mark[g] - begin;
      if (position < row.size()) return row[position].sum;
      mark[g] = begin + static_cast<Mark>(row.size());
      row.push_back({g, Scalar(0)});
      return row.back().sum;
    };
    if (in.aggregate(i) >= 0) sum_of(in.aggregate(i));
    const Offset first = in.A.offsets(i);
    const Ordinal length = in.length(i);
    for (Ordinal l = 0; l < length; ++l) {
      if (filtered && work.strong[l] == 0) continue;
      const Ordinal j = in.A.columns(first + l);
      const Ordinal g = in.aggregate(j);
      if (g < 0) continue;
      sum_of(g) += in.A.values(first + l) * in.T.values(in.T.offsets(j));
    }
    work.next_mark = begin + static_cast<Mark>(row.size());
  }

  static void sort_row(std::vector<Entry>& row) {
    const auto less = [](const Entry& a, const Entry& b) { return a.aggregate < b.aggregate; };
    if (row.size() > 32) {
      std::sort(row.begin(), row.end(), less);
      return;
    }
    for (std::size_t i = 1; i < row.size(); ++i) {
      const Entry entry = row[i];
      std::size_t at = i;
      for (; at > 0 && less(entry, row[at - 1]); --at)
        row[at] = row[at - 1];
      row[at] = entry;
    }
  }
};

/// P, each row made once. `lengths`, if given, receives those of its rows. `in.m` is 1.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smoothed_by_chunks(const Space& exec,
                                                       SmoothingInput<Scalar, Space, Offset> in,
                                                       double omega_over_rho,
                                                       kernels::RowLengths* lengths) {
  using Smooth = SmoothChunk<Scalar, Space, Offset>;
  const Ordinal n = in.A.num_rows;
  const Array<Scalar, Space> candidates = interpolated_candidates(exec, in);
  in.candidates = candidates;
  const Kokkos::Experimental::UniqueToken<Space> token(exec);
  const auto num_threads = static_cast<std::size_t>(token.size());
  const auto marks = allocate<typename Smooth::Mark>(exec, "tessera::smooth_prolongator::marks",
                                                     num_threads * in.T.num_cols);
  Kokkos::deep_copy(exec, marks, ~typename Smooth::Mark(0));
  std::vector<typename Smooth::Work> works(num_threads);
  const Ordinal num_chunks = n / Smooth::rows_per_chunk + (n % Smooth::rows_per_chunk != 0 ? 1 : 0);
  std::vector<std::vector<typename Smooth::Entry>> chunks(num_chunks);
  const auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", n + 1);
  Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>> policy(
      exec, 0, num_chunks);
  policy.set_chunk_size(1);
  Kokkos::parallel_for("tessera::smooth_prolongator::make", policy,
                       Smooth{in, static_cast<Scalar>(omega_over_rho), token, marks.data(),
                              works.data(), chunks.data(), offsets});
  const auto found = kernels::lengths_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
  if (lengths != nullptr) *lengths = found;
  const auto num_entries = static_cast<std::size_t>(found.total);
  const auto columns = allocate<Ordinal>(exec, "tessera::smooth_prolongator::columns", num_entries);
  const auto values = allocate<Scalar>(exec, "tessera::smooth_prolongator::values", num_entries);
  auto* const all_chunks = chunks.data();
  Kokkos::parallel_for("tessera::smooth_prolongator::place", policy, [=](const Ordinal chunk) {
    Offset at = offsets(chunk * Smooth::rows_per_chunk);
    for (const auto& entry : all_chunks[chunk]) {
      columns(at) = entry.aggregate;
      values(at++) = entry.sum;
    }
  });
  exec.fence("tessera::smooth_prolongator: the rows of the chunks end here");
  return {n, in.T.num_cols, offsets, columns, values};
}

}  // namespace tessera::amg::detail
