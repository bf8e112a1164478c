// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the couplings of a row of classical multigrid are compared with.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels::detail {

/// Stores the largest coupling of each row with the sign of its diagonal, or infinity where the row
/// depends on nothing; and which rows stay.
template <class Scalar, class Space, class Offset>
struct DependenceScale {
  CsrView<Scalar, Space, Offset> A;
  DependenceOptions options;
  HubTest<Space, Offset> is_hub;
  Array<double, Space> scale;
  Array<std::int8_t, Space> stays;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    const bool hub = is_hub(i);
    Row row;
    for (Offset k = A.offsets(i); k < (hub ? A.offsets(i) : A.offsets(i + 1)); ++k)
      row.add(A.columns(k) == i, static_cast<double>(A.values(k)));
    store(i, hub, row);
  }
  /// By a group of lanes, which share the row's entries; i = -1 for none.
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal i) const {
    const bool hub = i >= 0 && is_hub(i);
    const Offset begin = i < 0 ? 0 : A.offsets(i);
    const Offset end = i < 0 || hub ? begin : A.offsets(i + 1);
    Row row;
    for (Offset k = begin + group.lane(); k < end; k += group.size())
      row.add(A.columns(k) == i, static_cast<double>(A.values(k)));
    row = row.joined(group);
    if (i >= 0 && group.lane() == 0) store(i, hub, row);
  }

 private:
  struct Row {
    double diagonal = 0;
    double sum = 0;  ///< of all entries
    double least = 0;  ///< coupling
    double greatest = 0;

    KOKKOS_FUNCTION void add(bool on_diagonal, double value) {
      sum += value;
      if (on_diagonal) {
        diagonal += value;
      } else {
        least = Kokkos::min(least, value);
        greatest = Kokkos::max(greatest, value);
      }
    }
    KOKKOS_FUNCTION Row joined(const LaneGroup& group) const {
      const auto smaller = [](double a, double b) { return Kokkos::min(a, b); };
      const auto larger = [](double a, double b) { return Kokkos::max(a, b); };
      return {group.sum(diagonal), group.sum(sum), group.reduce(least, smaller),
              group.reduce(greatest, larger)};
    }
  };

  KOKKOS_FUNCTION void store(Ordinal i, bool hub, const Row& row) const {
    const bool unrelaxed = row.diagonal == 0 && (row.least < 0 || row.greatest > 0);
    const bool decided = options.max_row_sum < 1 &&
                         Kokkos::abs(row.sum) > options.max_row_sum * Kokkos::abs(row.diagonal);
    const double sign = row.diagonal < 0 ? -1 : 1;
    const double opposite = sign < 0 ? row.greatest : -row.least;
    const double largest = options.by_sign ? opposite : Kokkos::max(row.greatest, -row.least);
    stays(i) = hub || unrelaxed ? 1 : 0;
    scale(i) =
        sign * (hub || unrelaxed || decided ? Kokkos::Experimental::infinity_v<double> : largest);
  }
};

}  // namespace tessera::kernels::detail
