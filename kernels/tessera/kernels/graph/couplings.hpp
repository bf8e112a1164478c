// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How strongly nodes are coupled, and aggregates of them: what pairwise aggregation goes by.
#pragma once

#include "tessera/kernels/format/add.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/segments.hpp"

namespace tessera::kernels::pairwise_detail {

/// Nodes i and j are coupled by weights_ij / max(scale_i, scale_j). The weights are symmetric to
/// the last bit, so that the two ends of an edge see the same number.
template <class Space, class Offset>
struct Couplings {
  Csr<double, Space, Offset> weights;
  Array<double, Space> scale;  ///< above 0 where there is a coupling; infinite for a hub
};

template <class Scalar, class Space, class Offset>
struct TakeMagnitudes {
  CsrView<Scalar, Space, Offset> A;
  Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    const double magnitude = Kokkos::abs(static_cast<double>(A.values(k)));
    values(k) = magnitude >= 0 ? magnitude : 0;
  }
};

/// |A|, with 0 for NaN, which is no coupling.
template <class Scalar, class Space, class Offset>
Array<double, Space> magnitudes(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  auto values = allocate<double>(exec, "tessera::pairwise::magnitudes", A.num_entries);
  Kokkos::parallel_for("tessera::pairwise::magnitudes",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_entries),
                       TakeMagnitudes<Scalar, Space, Offset>{A, values});
  return values;
}

/// M + M^T. The sums of both directions of an edge are of the same two numbers, and so the same.
template <class Space, class Offset>
Csr<double, Space, Offset> plus_transpose(const Space& exec,
                                          const CsrView<double, Space, Offset>& M) {
  return add(exec, 1.0, M, 1.0, transpose(exec, M).view());
}

template <class Space, class Offset>
struct ReplaceMissingScale {
  CsrView<double, Space, Offset> W;
  Array<double, Space> scale;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (scale(v) > 0) return;
    double largest = 0;
    for (Offset k = W.offsets(v); k < W.offsets(v + 1); ++k) {
      if (W.columns(k) != v) largest = Kokkos::max(largest, W.values(k));
    }
    scale(v) = largest;
  }
};

/// The largest coupling for a scale that is not above 0.
template <class Space, class Offset>
void replace_missing_scales(const Space& exec, const Couplings<Space, Offset>& couplings) {
  const auto W = couplings.weights.view();
  Kokkos::parallel_for("tessera::pairwise::missing_scales",
                       Kokkos::RangePolicy<Space>(exec, 0, W.num_rows),
                       ReplaceMissingScale<Space, Offset>{W, couplings.scale});
}

/// An infinite scale for each hub.
template <class Space, class Offset>
struct ScaleHubs {
  HubTest<Space, Offset> is_hub;
  Array<double, Space> scale;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (is_hub(v)) scale(v) = Kokkos::Experimental::infinity_v<double>;
  }
};

/// Algorithm 17, line 2, without the factor 1/2 of weights and diagonal alike.
template <class Scalar, class Space, class Offset>
Couplings<Space, Offset> couplings_of(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                      std::size_t longest_row) {
  const auto values = magnitudes(exec, A);
  Couplings<Space, Offset> couplings;
  couplings.weights =
      plus_transpose(exec, CsrView<double, Space, Offset>{A.num_rows, A.num_cols, A.num_entries,
                                                          A.offsets, A.columns, values});
  const auto scale = allocate<double>(exec, "tessera::pairwise::scale", A.num_rows);
  extract_diagonal(exec, couplings.weights.view(), scale);
  couplings.scale = scale;
  const HubTest<Space, Offset> is_hub{A.offsets, 1, longest_row};
  Kokkos::parallel_for("tessera::pairwise::hubs", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       ScaleHubs<Space, Offset>{is_hub, scale});
  replace_missing_scales(exec, couplings);
  return couplings;
}

/// Visits each weight between a member of aggregate `g` and one of an aggregate that follows it, in
/// the order of members and of their rows.
template <class Space, class Offset>
struct WeightsToLater {
  CsrView<double, Space, Offset> weights;
  Array<const Ordinal, Space> aggregate_of;
  Segments<Space> members_of;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal g, const Visit& visit) const {
    for (Ordinal m = members_of.offsets(g); m < members_of.offsets(g + 1); ++m) {
      const Ordinal v = members_of.members(m);
      for (Offset k = weights.offsets(v); k < weights.offsets(v + 1); ++k) {
        const Ordinal other = aggregate_of(weights.columns(k));
        if (other > g) visit(other, weights.values(k));
      }
    }
  }
};

template <class Space, class Offset>
struct CountLater {
  WeightsToLater<Space, Offset> later;
  Array<Offset, Space> counts;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    Offset count = 0;
    later.for_each(g, [&](Ordinal, double) { ++count; });
    counts(g) = count;
  }
};

template <class Space, class Offset>
struct FillLater {
  WeightsToLater<Space, Offset> later;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<double, Space> values;
  Array<double, Space> fine_scale;
  Array<double, Space> scale;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    Offset next = offsets(g);
    later.for_each(g, [&](Ordinal other, double weight) {
      columns(next) = other;
      values(next) = weight;
      ++next;
    });
    double sum = 0;
    for (Ordinal m = later.members_of.offsets(g); m < later.members_of.offsets(g + 1); ++m)
      sum += fine_scale(later.members_of.members(m));
    scale(g) = sum;
  }
};

/// The couplings of aggregates. Not computed as P^T W P: sparse products sum in an order that may
/// differ between devices, and would sum the two directions of an edge in different orders.
template <class Space, class Offset>
Couplings<Space, Offset> couplings_between(const Space& exec, const Couplings<Space, Offset>& fine,
                                           const Aggregates<Space>& aggregates) {
  const Ordinal n = aggregates.num_aggregates;
  const Kokkos::RangePolicy<Space> range(exec, 0, n);
  const WeightsToLater<Space, Offset> later{fine.weights.view(), aggregates.aggregate_of,
                                            group_by<Space>(exec, aggregates.aggregate_of, n)};
  auto offsets = allocate<Offset>(exec, "tessera::pairwise::offsets", n + 1);
  Kokkos::parallel_for("tessera::pairwise::count", range,
                       CountLater<Space, Offset>{later, offsets});
  const std::size_t total = counts_to_offsets<Offset, Space>(exec, offsets);
  auto columns = allocate<Ordinal>(exec, "tessera::pairwise::columns", total);
  auto values = allocate<double>(exec, "tessera::pairwise::values", total);
  auto scale = allocate<double>(exec, "tessera::pairwise::scale", n);
  Kokkos::parallel_for(
      "tessera::pairwise::fill", range,
      FillLater<Space, Offset>{later, offsets, columns, values, fine.scale, scale});
  // `add` sums the entries of an edge, whose order is the same in this matrix and its transpose.
  return {
      plus_transpose(exec, CsrView<double, Space, Offset>{n, n, total, offsets, columns, values}),
      scale};
}

}  // namespace tessera::kernels::pairwise_detail
