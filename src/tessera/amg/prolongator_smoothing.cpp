// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/prolongator_smoothing.hpp"

#include <type_traits>

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

/// What filtering makes of a row: found once, for the pattern, and used again for the values.
template <class Scalar>
struct RowFilter {
  bool filtered;  ///< weak entries are left out
  Scalar lumped;  ///< their sum, which goes to the diagonal
  Scalar undamped;  ///< the factor by which the row wants less damping
};

/// What both passes read, and which entries of A they see.
template <class Scalar, class Space, class Offset>
struct SmoothingInput {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Scalar, Space> inverse_diagonal;
  kernels::CsrView<Scalar, Space, Offset> T;
  ArrayView<const Ordinal, Space> aggregate_of;
  Ordinal block_size;
  Ordinal m;
  double filter_squared;
  ArrayView<const double, Space> scale;
  ConstMultiVectorView<Scalar, Space> coarse_candidates;
  Scalar spectral_radius;
  std::size_t longest_row;
  ArrayView<const Scalar, Space> weights = {};
  ArrayView<const Scalar, Space> candidates = {};  ///< by row, where filters look at them

  /// Whether row i of P is smoothed, or T's.
  KOKKOS_FUNCTION bool smooths(Ordinal i) const {
    return static_cast<std::size_t>(A.offsets(i + 1) - A.offsets(i)) <= longest_row;
  }
  KOKKOS_FUNCTION Offset tentative_length(Ordinal i) const {
    return T.offsets(i + 1) - T.offsets(i);
  }
  KOKKOS_FUNCTION Scalar weight(Ordinal row) const {
    return weights.extent(0) == 0 ? Scalar(1) : weights(row);
  }

  KOKKOS_FUNCTION Ordinal aggregate(Ordinal row) const {
    return aggregate_of(block_size == 1 ? row : row / block_size);
  }

  /// The candidate's value in a row; 0 in a row without an aggregate.
  KOKKOS_FUNCTION Scalar candidate(Ordinal row) const {
    return candidates.extent(0) == 0 ? interpolated_candidate(row) : candidates(row);
  }
  KOKKOS_FUNCTION Scalar interpolated_candidate(Ordinal row) const {
    const Ordinal g = aggregate(row);
    return g < 0 ? Scalar(0) : T.values(T.offsets(row)) * coarse_candidates(g, 0);
  }
  /// What entry k of row i adds to the diagonal in its place: the same product with the candidate.
  KOKKOS_FUNCTION Scalar on_diagonal(Ordinal i, Offset k) const {
    return A.values(k) * candidate(A.columns(k)) / candidate(i);
  }

  /// The weak entries of row i are left out, but not where their sum would (nearly) cancel the
  /// diagonal that it is added to.
  KOKKOS_FUNCTION RowFilter<Scalar> filter(Ordinal i) const {
    const RowFilter<Scalar> none{false, 0, 1};
    if (filter_squared == 0 || candidate(i) == Scalar(0)) return none;
    Scalar sum = 0;
    Scalar couplings = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (!strong(i, k)) {
        sum += on_diagonal(i, k);
      } else if (A.columns(k) != i) {
        couplings += Kokkos::abs(A.values(k));
      }
    }
    if (nearly_cancels(i, sum)) return none;
    return {true, sum, undamped(i, sum, couplings)};
  }
  KOKKOS_FUNCTION Scalar filtered_inverse(Ordinal i, Scalar lumped) const {
    const Scalar inverse = inverse_diagonal(i);
    return lumped == Scalar(0) ? inverse : inverse / (Scalar(1) + lumped * inverse);
  }
  /// By how much less a filtered row wants to be damped. The spectral radius is that of all of A;
  /// without the weak entries the row's own Gershgorin bound, from the sum of its `couplings`'
  /// magnitudes, may be far below it, as between the lines of a strongly anisotropic problem.
  KOKKOS_FUNCTION Scalar undamped(Ordinal i, Scalar lumped, Scalar couplings) const {
    if (spectral_radius == Scalar(0)) return 1;
    const Scalar bound = 1 + couplings * Kokkos::abs(filtered_inverse(i, lumped));
    return Kokkos::max(Scalar(1), spectral_radius / bound);
  }
  KOKKOS_FUNCTION bool nearly_cancels(Ordinal i, Scalar sum) const {
    return Scalar(1) + sum * inverse_diagonal(i) < Scalar(0.1);
  }

  /// Whether row i of P is empty: nothing that the row's own diagonal decides is interpolated.
  KOKKOS_FUNCTION bool stands_alone(Ordinal i) const {
    return filter_squared > 0 && !Kokkos::isfinite(scale(i));
  }

  /// Whether entry k of row i is on the diagonal or strong.
  KOKKOS_FUNCTION bool strong(Ordinal i, Offset k) const {
    const Ordinal j = A.columns(k);
    if (j == i) return true;
    return kernels::is_strong(static_cast<double>(A.values(k)), scale(i), scale(j), filter_squared);
  }
};

/// The candidates by row.
template <class Scalar, class Space, class Offset>
struct InterpolateCandidates {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Scalar, Space> candidates;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { candidates(i) = in.interpolated_candidate(i); }
};

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

template <class Scalar, class Space, class Offset>
SmoothingInput<Scalar, Space, Offset> smoothing_input(
    const kernels::CsrView<Scalar, Space, Offset>& A,
    const ArrayView<const Scalar, Space>& inverse_diagonal,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row) {
  require(A.num_rows == A.num_cols && A.num_rows == tentative.T.num_rows, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix of T's " + std::to_string(tentative.T.num_rows) + " rows";
  });
  const auto m = static_cast<Ordinal>(tentative.coarse_candidates.extent(1));
  const double theta = filter.theta;
  const bool fits = theta > 0 && tentative.block_size == 1 && m == 1 &&
                    filter.scale.extent(0) == static_cast<std::size_t>(A.num_rows);
  require(theta == 0 || fits, [&] {
    return "filter.theta = " + std::to_string(theta) + " with a scale of " +
           std::to_string(filter.scale.extent(0)) +
           " entries; expected 0, or a positive number with one unknown a vertex, one candidate "
           "and one entry a row";
  });
  return {A,
          inverse_diagonal,
          tentative.T.view(),
          tentative.aggregate_of,
          tentative.block_size,
          m,
          theta * theta,
          filter.scale,
          tentative.coarse_candidates,
          static_cast<Scalar>(filter.spectral_radius),
          longest_row};
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row, const NonDeduced<ArrayView<const Scalar, Space>>& weights,
    kernels::RowLengths* lengths) {
  auto in = smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require(weights.extent(0) == 0 || weights.extent(0) == static_cast<std::size_t>(A.num_rows), [&] {
    return "there are " + std::to_string(weights.extent(0)) +
           " weights; expected none, or one for each of " + std::to_string(A.num_rows) + " rows";
  });
  in.weights = weights;
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  const bool filters_rows = in.filter_squared > 0;
  Array<Scalar, Space> candidates;
  Array<RowFilter<Scalar>, Space> filters;
  if (filters_rows) {
    candidates = allocate<Scalar>(exec, "tessera::smooth_prolongator::candidates", A.num_rows);
    filters = allocate<RowFilter<Scalar>>(exec, "tessera::smooth_prolongator::filters", A.num_rows);
    Kokkos::parallel_for("tessera::smooth_prolongator::candidates", rows,
                         InterpolateCandidates<Scalar, Space, Offset>{in, candidates});
    in.candidates = candidates;
  }
  auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", A.num_rows + 1);
  Kokkos::parallel_for("tessera::smooth_prolongator::count", rows,
                       CountSmoothed<Scalar, Space, Offset>{in, offsets, filters});
  const auto found = kernels::lengths_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
  if (lengths != nullptr) *lengths = found;
  const auto num_entries = static_cast<std::size_t>(found.total);
  auto columns = allocate<Ordinal>(exec, "tessera::smooth_prolongator::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::smooth_prolongator::values", num_entries);
  Kokkos::parallel_for(
      "tessera::smooth_prolongator::fill", rows,
      FillSmoothed<Scalar, Space, Offset, false>{in, static_cast<Scalar>(omega_over_rho), offsets,
                                                 columns, values, filters});
  return {A.num_rows, tentative.T.num_cols, offsets, columns, values};
}

template <class Scalar, class Space, class Offset>
void smooth_prolongator_numeric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& P,
                                const WeakFilter<Space>& filter, std::size_t longest_row) {
  const auto in = smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require(P.num_rows == A.num_rows && P.num_cols == tentative.T.num_cols, [&] {
    return "P is " + std::to_string(P.num_rows) + " by " + std::to_string(P.num_cols) +
           "; expected T's shape, " + std::to_string(tentative.T.num_rows) + " by " +
           std::to_string(tentative.T.num_cols);
  });
  Kokkos::parallel_for(
      "tessera::smooth_prolongator::refill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      FillSmoothed<Scalar, Space, Offset, true>{in, static_cast<Scalar>(omega_over_rho), P.offsets,
                                                P.columns, P.values});
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                         \
  template kernels::Csr<SCALAR, SPACE, OFFSET> smooth_prolongator(                         \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const WeakFilter<SPACE>&, std::size_t,      \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, kernels::RowLengths*);            \
  template void smooth_prolongator_numeric(                                                \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const kernels::Csr<SCALAR, SPACE, OFFSET>&, \
      const WeakFilter<SPACE>&, std::size_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
