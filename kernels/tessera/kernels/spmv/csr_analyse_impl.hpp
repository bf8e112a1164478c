// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv`.
#pragma once

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"

#include <algorithm>
#include <limits>

namespace tessera::kernels {
namespace detail {

/// The smallest power of two, at most the width of a warp, that leaves a lane at most about two
/// entries of a mean row: shorter strides waste lanes, longer ones lose coalescing (hypre paper,
/// section 2).
inline int threads_for(double mean_row_length) {
  int threads = 1;
  while (threads < 32 && 2.5 * threads < mean_row_length)
    threads *= 2;
  return threads;
}

/// Entries plus row ends a team: on a device what fits a little scratch memory, on a host a few
/// shares a thread.
template <class Space>
std::size_t balanced_share(const Space& exec, std::size_t steps) {
  if constexpr (is_host_space<Space>) {
    const auto shares = static_cast<std::size_t>(exec.concurrency()) * 4;
    return std::max<std::size_t>(1024, steps / shares + 1);
  } else {
    return 1024;
  }
}

template <class Space, class Offset>
void find_first_rows(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                     Ordinal num_rows, std::size_t steps, std::size_t share,
                     const ArrayView<Ordinal, Space>& first_row) {
  Kokkos::parallel_for(
      "tessera::spmv_first_rows", Kokkos::RangePolicy<Space>(exec, 0, first_row.extent(0)),
      KOKKOS_LAMBDA(const int team) {
        const std::size_t step = Kokkos::min(team * share, steps);
        Ordinal low = 0;
        Ordinal high = num_rows;
        while (low < high) {  // the number of rows i with offsets(i + 1) + i + 1 <= step
          const Ordinal middle = low + (high - low) / 2;
          const bool ended = static_cast<std::size_t>(offsets(middle + 1)) + middle + 1 <= step;
          if (ended) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        first_row(team) = low;
      });
}

template <class Space, class Offset>
std::size_t longest_row(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                        Ordinal num_rows) {
  Offset longest = 0;
  Kokkos::parallel_reduce(
      "tessera::spmv_longest_row", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row, Offset& mine) {
        mine = Kokkos::max(mine, offsets(row + 1) - offsets(row));
      },
      Kokkos::Max<Offset>(longest));
  return num_rows == 0 ? 0 : static_cast<std::size_t>(longest);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  // A row that is both long and much longer than the mean holds up its team (Ginkgo thesis,
  // chapter 4, decides by the same two figures).
  const double mean = A.num_rows == 0 ? 0.0 : static_cast<double>(A.num_entries) / A.num_rows;
  const auto longest =
      static_cast<double>(detail::longest_row<Space, Offset>(exec, A.offsets, A.num_rows));
  const bool uneven = longest > 256 && longest > 16 * mean && exec.concurrency() > 1;
  return analyse_spmv(exec, A,
                      uneven ? CsrSpmvAlgorithm::load_balanced : CsrSpmvAlgorithm::classical);
}

template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                CsrSpmvAlgorithm algorithm) {
  CsrSpmvPlan<Space> plan;
  if (A.num_rows == 0) return plan;
  if constexpr (!is_host_space<Space>) {
    plan.threads_per_row = detail::threads_for(static_cast<double>(A.num_entries) / A.num_rows);
  }
  if (algorithm == CsrSpmvAlgorithm::classical) return plan;

  const std::size_t steps = A.num_entries + A.num_rows;
  plan.algorithm = algorithm;
  plan.entries_per_team = detail::balanced_share(exec, steps);
  const std::size_t teams = (steps - 1) / plan.entries_per_team + 1;
  plan.first_row = allocate<Ordinal>(exec, "tessera::spmv_first_row", teams + 1);
  // Sized for double, so that the plan serves the same pattern in any precision.
  plan.workspace = allocate<std::byte>(exec, "tessera::spmv_workspace",
                                       2 * teams * detail::max_columns_at_once * sizeof(double));
  detail::find_first_rows<Space, Offset>(exec, A.offsets, A.num_rows, steps, plan.entries_per_team,
                                         plan.first_row);
  return plan;
}

}  // namespace tessera::kernels
