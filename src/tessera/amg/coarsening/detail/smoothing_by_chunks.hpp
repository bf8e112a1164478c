// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator with one near-nullspace vector by the threads of a host, in one pass
/// over A.
///
/// A thread makes whole rows of P, columns and values, keeps those of a chunk, and copies them to
/// their place when all are counted. Each row's sums are in the order of A's row: the bits are
/// those of two passes.
#pragma once

#include "tessera/amg/coarsening/detail/noted_filter.hpp"
#include "tessera/amg/coarsening/detail/smoothing_threads.hpp"
#include "tessera/kernels/execution/throwing_parallel_for.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace tessera::amg::detail {

/// Makes the rows of a chunk.
template <class Scalar, class Space, class Offset>
struct SmoothChunk {
  using Mark = std::make_unsigned_t<Offset>;
  using Work = SmoothingWork<Scalar, Mark>;
  using Entry = typename Work::Entry;
  static constexpr Ordinal rows_per_chunk = smoothed_rows_per_chunk;

  SmoothingInput<Scalar, Space, Offset> in;
  Scalar omega_over_rho;
  Kokkos::Experimental::UniqueToken<Space> token;
  Mark* marks;  ///< an aggregate each, for each thread: where its entry lies
  Work* works;  ///< one per thread
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
    const RowFilter<Scalar> filter = noted_filter(in, i, work.strong);
    const std::span<Entry> row = sum_row(i, filter.filtered, work, mark);
    sort_row(row);
    const Ordinal own = in.aggregate(i);
    const Scalar factor = in.damping(i, omega_over_rho, filter);
    for (const Entry& entry : row) {
      work.chunk.push_back({entry.aggregate, in.smoothed(i, entry.sum, entry.aggregate == own,
                                                         factor, filter.lumped)});
    }
  }

  /// Writes down the places of the entries that take part, and returns how many they are.
  static Ordinal list_kept(Ordinal length, bool filtered, Work& work) {
    if (work.kept.size() < static_cast<std::size_t>(length)) work.kept.resize(length);
    Ordinal* const kept = work.kept.data();
    if (!filtered) {
      std::iota(kept, kept + length, 0);
      return length;
    }
    const char* const strong = work.strong.data();
    Ordinal size = 0;
    for (Ordinal l = 0; l < length; ++l) {
      kept[size] = l;
      size += strong[l];
    }
    return size;
  }

  /// The row's aggregates, its own among them, and their sums, in the order of their coming.
  std::span<Entry> sum_row(Ordinal i, bool filtered, Work& work, Mark* mark) const {
    const Ordinal num_kept = list_kept(in.length(i), filtered, work);
    const auto longest = static_cast<std::size_t>(num_kept) + 1;
    if (work.row.size() < longest) work.row.resize(longest);
    Entry* const row = work.row.data();
    const Mark begin = work.next_mark;
    Mark size = 0;
    // A sum begins with 0.
    const auto add = [&](Ordinal g, Scalar value) {
      const Mark place = mark[g] - begin;
      if (place < size) {
        row[place].sum += value;
      } else {
        mark[g] = begin + size;
        row[size++] = {g, Scalar(0) + value};
      }
    };
    if (const Ordinal own = in.aggregate(i); own >= 0) add(own, Scalar(0));
    const Ordinal* const kept = work.kept.data();
    const Ordinal* const columns = in.A.columns.data() + in.A.offsets(i);
    const Scalar* const values = in.A.values.data() + in.A.offsets(i);
    for (Ordinal k = 0; k < num_kept; ++k) {
      const Ordinal j = columns[kept[k]];
      const Ordinal g = in.aggregate(j);
      if (g >= 0) add(g, values[kept[k]] * in.T.values(in.T.offsets(j)));
    }
    work.next_mark = begin + size;
    return {row, static_cast<std::size_t>(size)};
  }

  static void sort_row(std::span<Entry> row) {
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
  const Array<Scalar, Space> near_nullspace = interpolated_near_nullspace(exec, in);
  in.near_nullspace = near_nullspace;
  SmoothingThreads<Scalar, Space, Offset> threads(exec, in.T.num_cols);
  const auto policy = smoothing_chunks(exec, n);
  std::vector<std::vector<typename Smooth::Entry>> chunks(policy.end());
  const auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", n + 1);
  kernels::throwing_parallel_for(
      "tessera::smooth_prolongator::make", policy,
      Smooth{in, static_cast<Scalar>(omega_over_rho), threads.token, threads.marks.data(),
             threads.works.data(), chunks.data(), offsets});
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

/// Makes the values of a chunk of rows again, in the pattern that they have.
template <class Scalar, class Space, class Offset>
struct ResmoothChunk {
  using Mark = std::make_unsigned_t<Offset>;
  using Work = SmoothingWork<Scalar, Mark>;

  SmoothingInput<Scalar, Space, Offset> in;
  SmoothedRows<Scalar, Space, Offset, true> out;
  Kokkos::Experimental::UniqueToken<Space> token;
  Mark* marks;
  Work* works;

  /// A row's aggregates, each marked with its place among them.
  struct Row {
    Offset begin;
    Mark size;
    Mark first_mark;
    const Mark* mark;

    /// `size` or more where the row does not have aggregate g.
    Mark place(Ordinal g) const { return mark[g] - first_mark; }
    bool has(Ordinal g) const { return g < 0 || place(g) < size; }
  };

  void operator()(Ordinal chunk) const {
    const int id = token.acquire();
    Mark* const mark = marks + static_cast<std::size_t>(id) * in.T.num_cols;
    const Ordinal first = chunk * smoothed_rows_per_chunk;
    const Ordinal last = first + std::min(smoothed_rows_per_chunk, in.A.num_rows - first);
    for (Ordinal i = first; i < last; ++i)
      fill_row(i, works[id], mark);
    token.release(id);
  }

  void fill_row(Ordinal i, Work& work, Mark* mark) const {
    const Offset begin = out.offsets(i);
    const Row row{begin, static_cast<Mark>(out.offsets(i + 1) - begin), work.next_mark, mark};
    if (!in.smooths(i)) {
      for (Mark e = 0; e < row.size; ++e)
        out.values(begin + e) = in.T.values(in.T.offsets(i) + e);
      return;
    }
    for (Mark e = 0; e < row.size; ++e)
      mark[out.columns(begin + e)] = row.first_mark + e;
    work.next_mark = row.first_mark + row.size;
    const RowFilter<Scalar> filter = filter_row(i, row, work);
    sum_row(i, row, work);
    const Ordinal own = in.aggregate(i);
    const Scalar factor = in.damping(i, out.omega_over_rho, filter);
    for (Mark e = 0; e < row.size; ++e) {
      out.values(begin + e) =
          in.smoothed(i, work.row[e].sum, out.columns(begin + e) == own, factor, filter.lumped);
    }
  }

  /// As `FillSmoothed::row_filter`; notes which entries take part.
  RowFilter<Scalar> filter_row(Ordinal i, const Row& row, Work& work) const {
    const Ordinal length = in.length(i);
    const Offset begin = in.A.offsets(i);
    if (work.strong.size() < static_cast<std::size_t>(length)) work.strong.resize(length);
    if (!in.may_filter(i)) {
      std::fill_n(work.strong.begin(), length, char(1));
      return {};
    }
    const RowFilter<Scalar> filter = noted_filter(in, i, work.strong);
    RowSums<Scalar> sums;
    for (Ordinal l = 0; l < length; ++l) {
      const bool kept = (!filter.filtered || work.strong[l] != 0) &&
                        row.has(in.aggregate(in.A.columns(begin + l)));
      work.strong[l] = kept ? 1 : 0;
      in.add_entry(i, begin + l, kept, sums);
    }
    return in.filter_again(i, filter, sums);
  }

  void sum_row(Ordinal i, const Row& row, Work& work) const {
    work.row.assign(row.size, {0, Scalar(0)});
    const Offset begin = in.A.offsets(i);
    const Ordinal length = in.length(i);
    for (Ordinal l = 0; l < length; ++l) {
      const Ordinal j = in.A.columns(begin + l);
      const Ordinal g = in.aggregate(j);
      if (g < 0 || work.strong[l] == 0) continue;
      const Mark place = row.place(g);
      if (place < row.size)
        work.row[place].sum += in.A.values(begin + l) * in.T.values(in.T.offsets(j));
    }
  }
};

/// The values of P again. `in.m` is 1.
template <class Scalar, class Space, class Offset>
void resmooth_by_chunks(const Space& exec, SmoothingInput<Scalar, Space, Offset> in,
                        const SmoothedRows<Scalar, Space, Offset, true>& out) {
  const Array<Scalar, Space> near_nullspace = interpolated_near_nullspace(exec, in);
  in.near_nullspace = near_nullspace;
  SmoothingThreads<Scalar, Space, Offset> threads(exec, in.T.num_cols);
  kernels::throwing_parallel_for(
      "tessera::smooth_prolongator::fill", smoothing_chunks(exec, in.A.num_rows),
      ResmoothChunk<Scalar, Space, Offset>{in, out, threads.token, threads.marks.data(),
                                           threads.works.data()});
  exec.fence("tessera::smooth_prolongator: the marks of the threads end here");
}

}  // namespace tessera::amg::detail
