// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values of the smoothed prolongator.
#pragma once

#include "tessera/amg/detail/smoothed_pattern.hpp"

#include <type_traits>

namespace tessera::amg::detail {

/// The values, and the columns too unless the pattern is known.
template <class Scalar, class Space, class Offset, bool PatternKnown>
struct FillSmoothed {
  SmoothingInput<Scalar, Space, Offset> in;
  Scalar omega_over_rho;
  Array<const Offset, Space> offsets;
  std::conditional_t<PatternKnown, Array<const Ordinal, Space>, Array<Ordinal, Space>> columns;
  Array<Scalar, Space> values;
  Array<RowFilter<Scalar>, Space> filters = {};  ///< as CountSmoothed found them

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (!in.smooths(i)) {
      copy_tentative(i);
      return;
    }
    const RowFilter<Scalar> row = row_filter(i);
    const bool filtered = row.filtered;
    const Scalar lumped = row.lumped;
    const Scalar factor =
        omega_over_rho * in.weight(i) * in.filtered_inverse(i, lumped) * row.undamped;
    AggregateBatch batch;
    for (Offset at = offsets(i); at < offsets(i + 1);
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
      if constexpr (!PatternKnown) columns(offsets(i) + k) = in.T.columns(in.T.offsets(i) + k);
      values(offsets(i) + k) = in.T.values(in.T.offsets(i) + k);
    }
  }

  KOKKOS_FUNCTION void recall(Ordinal i, Offset at, AggregateBatch& batch) const {
    batch.next();
    const Offset end = Kokkos::min<Offset>(offsets(i + 1), at + smoothing_batch * in.m);
    for (Offset k = at; k < end; k += in.m)
      batch.insert(columns(k) / in.m);
  }

  KOKKOS_FUNCTION void store_columns(Offset at, const AggregateBatch& batch) const {
    for (int e = 0; e < batch.size(); ++e) {
      for (Ordinal b = 0; b < in.m; ++b)
        columns(at + e * in.m + b) = batch.key(e) * in.m + b;
    }
  }

  /// Whether row i of P has aggregate g; where the pattern is being made, it has every one.
  KOKKOS_FUNCTION bool in_pattern(Ordinal i, Ordinal g) const {
    if (!PatternKnown || g < 0) return true;
    for (Offset k = offsets(i); k < offsets(i + 1); k += in.m) {
      if (columns(k) == g * in.m) return true;
    }
    return false;
  }

  /// Whether entry k of row i takes part; the others go to the diagonal.
  KOKKOS_FUNCTION bool kept(Ordinal i, Offset k, bool filtered) const {
    if (in.filter_squared == 0) return true;
    return (!filtered || in.strong(i, k)) && in_pattern(i, in.aggregate(in.A.columns(k)));
  }

  /// A known pattern may have no place for what is strong by now: that goes to the diagonal, too,
  /// unless it would (nearly) cancel it.
  KOKKOS_FUNCTION RowFilter<Scalar> row_filter(Ordinal i) const {
    if constexpr (!PatternKnown) {
      return filters.extent(0) > 0 && !in.stands_alone(i) ? filters(i)
                                                          : RowFilter<Scalar>{false, 0, 1};
    } else {
      RowFilter<Scalar> row = in.filter(i);
      if (in.filter_squared == 0 || in.candidate(i) == Scalar(0)) return row;
      Scalar sum = 0;
      Scalar couplings = 0;
      for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k) {
        if (!kept(i, k, row.filtered)) {
          sum += in.on_diagonal(i, k);
        } else if (in.A.columns(k) != i) {
          couplings += Kokkos::abs(in.A.values(k));
        }
      }
      row.lumped = in.nearly_cancels(i, sum) ? Scalar(0) : sum;
      row.undamped = row.filtered ? in.undamped(i, row.lumped, couplings) : Scalar(1);
      return row;
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
    for (int e = 0; e < batch.size(); ++e) {
      Scalar value = -factor * sums[e];
      if (e == own) value += (Scalar(1) - factor * lumped) * in.T.values(in.T.offsets(i));
      values(at + e) = value;
    }
  }

  KOKKOS_FUNCTION void fill_block(Ordinal i, Offset at, const AggregateBatch& batch,
                                  Scalar factor) const {
    Scalar* const row = values.data() + at;
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

}  // namespace tessera::amg::detail
