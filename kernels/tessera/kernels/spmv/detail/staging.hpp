// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the staged CSR product, and the choice of its kernel where there is one.
#pragma once

#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/spmv/cuda/csr_pattern_spmv.hpp"
#include "tessera/kernels/spmv/cuda/csr_staged_spmv.hpp"
#endif

#include <optional>
#include <type_traits>

namespace tessera::kernels::detail {

template <class Space>
inline constexpr bool has_staged_rows = false;

/// The most lanes per row of the staged kernel.
inline constexpr int max_staged_row_lanes = 8;
/// The rows that a lane of it takes together where they are short.
inline constexpr int max_staged_rows_per_lane = 2;
/// The same with column patterns, where a part is shorter.
inline constexpr int max_pattern_rows_per_lane = 4;

/// Whether a plan is for a staged kernel, with column patterns or without.
template <class Space>
bool is_staged(const CsrSpmvPlan<Space>& plan) {
  return plan.algorithm == CsrSpmvAlgorithm::staged ||
         plan.algorithm == CsrSpmvAlgorithm::column_patterns;
}

/// Whether the staged kernel serves a matrix stored in one scalar beside vectors in another: where
/// the storage is short enough to make up for the conversion.
template <class Storage, class Working>
inline constexpr bool is_staged_pair =
    std::is_same_v<Storage, Working> || (std::is_same_v<Working, float> && sizeof(Storage) == 2);

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_staged_rows<Kokkos::Cuda> = cuda::has_bulk_copies;

/// Calls prepare(mapping) for as many lanes per row, or rows per lane, as the plan says.
template <int max_rows_per_lane, class Prepare>
std::optional<cuda::StagedLaunch> with_mapping(const CsrSpmvPlan<Kokkos::Cuda>& plan,
                                               const Prepare& prepare) {
  if (plan.staged_rows == max_staged_rows_per_lane)
    return prepare(cuda::RowMapping<1, max_staged_rows_per_lane>());
  if constexpr (max_rows_per_lane > max_staged_rows_per_lane) {
    if (plan.staged_rows == max_rows_per_lane)
      return prepare(cuda::RowMapping<1, max_rows_per_lane>());
  }
  if (plan.staged_rows > 1) return std::nullopt;
  switch (plan.staged_lanes) {
    case 1:
      return prepare(cuda::RowMapping<1, 1>());
    case 2:
      return prepare(cuda::RowMapping<2, 1>());
    case 4:
      return prepare(cuda::RowMapping<4, 1>());
    case max_staged_row_lanes:
      return prepare(cuda::RowMapping<max_staged_row_lanes, 1>());
    default:
      return std::nullopt;
  }
}

/// The kernel of the plan, for epilogue(row, 0, (A x)(row, 0)) of every row; the plan, which says
/// how much shared memory a part needs, is that of `A`. None where the arrays do not allow it.
template <class Storage, class Working, class Offset, class Epilogue>
std::optional<cuda::StagedLaunch> choose_staged_rows(
    const Kokkos::Cuda& exec, const CsrSpmvPlan<Kokkos::Cuda>& plan,
    const CsrView<Storage, Kokkos::Cuda, Offset>& A,
    const ConstMultiVectorView<Working, Kokkos::Cuda>& x, const Epilogue& epilogue) {
  if (plan.patterns.found) {
    return with_mapping<max_pattern_rows_per_lane>(plan, [&](auto mapping) {
      return cuda::prepare_pattern_rows<decltype(mapping)>(exec, plan.part_entries, plan.patterns,
                                                           A, x.data(), epilogue);
    });
  }
  return with_mapping<max_staged_rows_per_lane>(plan, [&](auto mapping) {
    return cuda::prepare_staged_rows<decltype(mapping)>(exec, plan.part_entries, A, x.data(),
                                                        epilogue);
  });
}
/// The same by an epilogue that says it with less to do, where beta is 0.
template <class Storage, class Offset, class Working>
std::optional<cuda::StagedLaunch> choose_staged_rows(
    const Kokkos::Cuda& exec, const CsrSpmvPlan<Kokkos::Cuda>& plan,
    const CsrView<Storage, Kokkos::Cuda, Offset>& A,
    const ConstMultiVectorView<Working, Kokkos::Cuda>& x, const ScaleAdd<Working>& epilogue) {
  using Least = Scaled<Working>;
  if (epilogue.beta == Working(0)) {
    return choose_staged_rows<Storage, Working, Offset, Least>(exec, plan, A, x,
                                                               Least{epilogue.alpha, epilogue.y});
  }
  return choose_staged_rows<Storage, Working, Offset, ScaleAdd<Working>>(exec, plan, A, x,
                                                                         epilogue);
}
#endif

}  // namespace tessera::kernels::detail
