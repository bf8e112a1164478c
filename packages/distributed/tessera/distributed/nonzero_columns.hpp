// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is left of near-nullspace vectors on one process.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <vector>

namespace tessera::distributed {

/// Counts what is not zero in column `j`.
template <class Space>
struct CountNonzeros {
  ConstMultiVectorView<double, Space> v;
  std::size_t j;

  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal& sum) const { sum += v(i, j) != 0 ? 1 : 0; }
};

/// A copy of those columns that are not zero all through: of a vector's part on one process nothing
/// may be left.
template <class Space>
MultiVector<double, Space> without_zero_columns(const Space& exec,
                                                const ConstMultiVectorView<double, Space>& v) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < v.extent(1); ++j) {
    Ordinal nonzeros = 0;
    Kokkos::parallel_reduce("tessera::distributed::without_zero_columns",
                            Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(v.extent(0))),
                            CountNonzeros<Space>{v, j}, nonzeros);
    if (nonzeros > 0) kept.push_back(j);
  }
  const auto copy = allocate_multivector<double>(exec, "tessera::distributed::near_nullspace",
                                                 v.extent(0), kept.size());
  for (std::size_t j = 0; j < kept.size(); ++j)
    Kokkos::deep_copy(exec, Kokkos::subview(copy, Kokkos::ALL, j),
                      Kokkos::subview(v, Kokkos::ALL, kept[j]));
  return copy;
}

}  // namespace tessera::distributed
