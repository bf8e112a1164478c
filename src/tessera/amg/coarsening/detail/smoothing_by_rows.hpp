// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator, each row by one thread: several near-nullspace vectors on hosts, and
/// short rows on devices, where those of a warp's threads lie side by side.
#pragma once

#include "tessera/amg/coarsening/detail/smoothing_input.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"

namespace tessera::amg::detail {

inline constexpr int smoothing_batch = 32;
using AggregateBatch = kernels::SortedBatch<smoothing_batch>;

/// The next aggregates that row i of P has entries for.
template <class Scalar, class Space, class Offset>
KOKKOS_FUNCTION void collect_aggregates(const SmoothingInput<Scalar, Space, Offset>& in, Ordinal i,
                                        bool filtered, AggregateBatch& batch) {
  batch.next();
  Ordinal last = in.aggregate(i);
  batch.insert(last);
  for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k) {
    if (filtered && !in.strong(i, k)) continue;
    const Ordinal g = in.aggregate(in.A.columns(k));
    if (g != last) batch.insert(g);
    last = g;
  }
}

/// The pattern's row lengths.
template <class Scalar, class Space, class Offset>
struct CountSmoothed {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Offset, Space> counts;
  Array<RowFilter<Scalar>, Space> filters;  ///< none where nothing is filtered

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (!in.smooths(i)) {
      counts(i) = in.tentative_length(i);
      return;
    }
    if (in.stands_alone(i)) {
      counts(i) = 0;
      return;
    }
    bool filtered = false;
    if (filters.extent(0) > 0) {
      filters(i) = in.filter(i);
      filtered = filters(i).filtered;
    }
    AggregateBatch batch;
    Offset count = 0;
    do {
      collect_aggregates(in, i, filtered, batch);
      count += batch.size();
    } while (batch.overflown());
    counts(i) = count * in.m;
  }
};

/// The values, and the columns too unless the pattern is known.
template <class Scalar, class Space, class Offset, bool PatternKnown>
struct FillSmoothed {
  SmoothingInput<Scalar, Space, Offset> in;
  SmoothedRows<Scalar, Space, Offset, PatternKnown> out;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (!in.smooths(i)) {
      copy_tentative(i);
      return;
    }
    const RowFilter<Scalar> row = row_filter(i);
    const bool filtered = row.filtered;
    const Scalar lumped = row.lumped;
    const Scalar factor = in.damping(i, out.omega_over_rho, row);
    AggregateBatch batch;
    for (Offset at = out.offsets(i); at < out.offsets(i + 1);
         at += static_cast<Offset>(batch.size()) * in.m) {
      if constexpr (PatternKnown) {
        recall(i, at, batch);
      } else {
        collect_aggregates(in, i, filtered, batch);
        // Only where what both passes read is not what it was: an end in place of a loop for ever.
        if (batch.size() == 0) Kokkos::abort("tessera::smooth_prolongator: its input has changed");
        store_columns(at, batch);
      }
      if (in.m == 1) {
        fill_single(i, at, batch, factor, lumped, filtered);
      } else {
        fill_block(i, at, batch, factor);
      }
    }
  }

 private:
  KOKKOS_FUNCTION void copy_tentative(Ordinal i) const {
    for (Offset k = 0; k < in.tentative_length(i); ++k) {
      if constexpr (!PatternKnown)
        out.columns(out.offsets(i) + k) = in.T.columns(in.T.offsets(i) + k);
      out.values(out.offsets(i) + k) = in.T.values(in.T.offsets(i) + k);
    }
  }

  KOKKOS_FUNCTION void recall(Ordinal i, Offset at, AggregateBatch& batch) const {
    batch.next();
    const Offset end = Kokkos::min<Offset>(out.offsets(i + 1), at + smoothing_batch * in.m);
    for (Offset k = at; k < end; k += in.m)
      batch.insert(out.columns(k) / in.m);
  }

  KOKKOS_FUNCTION void store_columns(Offset at, const AggregateBatch& batch) const {
    for (int e = 0; e < batch.size(); ++e) {
      for (Ordinal b = 0; b < in.m; ++b)
        out.columns(at + e * in.m + b) = batch.key(e) * in.m + b;
    }
  }

  /// Whether row i of P has aggregate g; where the pattern is being made, it has every one.
  KOKKOS_FUNCTION bool in_pattern(Ordinal i, Ordinal g) const {
    if constexpr (PatternKnown) {
      if (g < 0) return true;
      for (Offset k = out.offsets(i); k < out.offsets(i + 1); k += in.m) {
        if (out.columns(k) == g * in.m) return true;
      }
      return false;
    } else {
      return true;
    }
  }

  /// Whether entry k of row i takes part; the others go to the diagonal.
  KOKKOS_FUNCTION bool kept(Ordinal i, Offset k, bool filtered) const {
    if (in.filter_squared == 0) return true;
    return (!filtered || in.strong(i, k)) && in_pattern(i, in.aggregate(in.A.columns(k)));
  }

  /// Of a known pattern once more, for what is kept in it.
  KOKKOS_FUNCTION RowFilter<Scalar> row_filter(Ordinal i) const {
    if constexpr (!PatternKnown) {
      return out.filters.extent(0) > 0 && !in.stands_alone(i) ? out.filters(i)
                                                              : RowFilter<Scalar>{};
    } else {
      const RowFilter<Scalar> row = in.filter(i);
      if (!in.may_filter(i)) return row;
      RowSums<Scalar> sums;
      for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k)
        in.add_entry(i, k, kept(i, k, row.filtered), sums);
      return in.filter_again(i, row, sums);
    }
  }

  KOKKOS_FUNCTION void fill_single(Ordinal i, Offset at, const AggregateBatch& batch, Scalar factor,
                                   Scalar lumped, bool filtered) const {
    Scalar sums[smoothing_batch];
    for (int e = 0; e < batch.size(); ++e)
      sums[e] = 0;
    for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k) {
      const Ordinal j = in.A.columns(k);
      const int e = batch.find(in.aggregate(j));
      if (e >= 0 && kept(i, k, filtered)) sums[e] += in.A.values(k) * in.T.values(in.T.offsets(j));
    }
    const int own = batch.find(in.aggregate(i));
    for (int e = 0; e < batch.size(); ++e)
      out.values(at + e) = in.smoothed(i, sums[e], e == own, factor, lumped);
  }

  KOKKOS_FUNCTION void fill_block(Ordinal i, Offset at, const AggregateBatch& batch,
                                  Scalar factor) const {
    Scalar* const row = out.values.data() + at;
    for (Ordinal e = 0; e < batch.size() * in.m; ++e)
      row[e] = 0;
    for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k) {
      const Ordinal j = in.A.columns(k);
      const int e = batch.find(in.aggregate(j));
      if (e < 0) continue;
      const Scalar weight = -factor * in.A.values(k);
      const Scalar* const t = in.T.values.data() + in.T.offsets(j);
      for (Ordinal b = 0; b < in.m; ++b)
        row[e * in.m + b] += weight * t[b];
    }
    const int own = batch.find(in.aggregate(i));
    if (own < 0) return;
    const Scalar* const t = in.T.values.data() + in.T.offsets(i);
    for (Ordinal b = 0; b < in.m; ++b)
      row[own * in.m + b] += t[b];
  }
};

template <class Scalar, class Space, class Offset, bool PatternKnown>
void fill_by_rows(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
                  const SmoothedRows<Scalar, Space, Offset, PatternKnown>& out) {
  Kokkos::parallel_for("tessera::smooth_prolongator::fill",
                       Kokkos::RangePolicy<Space>(exec, 0, in.A.num_rows),
                       FillSmoothed<Scalar, Space, Offset, PatternKnown>{in, out});
}

/// P, its rows counted and then filled. `lengths`, if given, receives those of its rows. Waits once
/// for `exec`.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smoothed_by_rows(const Space& exec,
                                                     SmoothingInput<Scalar, Space, Offset> in,
                                                     double omega_over_rho,
                                                     kernels::RowLengths* lengths = nullptr) {
  const Ordinal n = in.A.num_rows;
  const Array<Scalar, Space> near_nullspace = interpolated_near_nullspace(exec, in);
  in.near_nullspace = near_nullspace;
  Array<RowFilter<Scalar>, Space> filters;
  if (in.filter_squared > 0)
    filters = allocate<RowFilter<Scalar>>(exec, "tessera::smooth_prolongator::filters", n);
  auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", n + 1);
  Kokkos::parallel_for("tessera::smooth_prolongator::count", Kokkos::RangePolicy<Space>(exec, 0, n),
                       CountSmoothed<Scalar, Space, Offset>{in, offsets, filters});
  const auto found = kernels::lengths_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
  if (lengths != nullptr) *lengths = found;
  const auto num_entries = static_cast<std::size_t>(found.total);
  auto columns = allocate<Ordinal>(exec, "tessera::smooth_prolongator::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::smooth_prolongator::values", num_entries);
  fill_by_rows(exec, in,
               SmoothedRows<Scalar, Space, Offset, false>{static_cast<Scalar>(omega_over_rho),
                                                          offsets, columns, values, filters});
  return {n, in.T.num_cols, offsets, columns, values};
}

}  // namespace tessera::amg::detail
