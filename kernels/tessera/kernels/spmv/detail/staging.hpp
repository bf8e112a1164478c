// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the staged CSR product, and the product where there is one.
#pragma once

#include "tessera/kernels/spmv/csr/csr_spmv.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/spmv/cuda/csr_pattern_spmv.hpp"
#include "tessera/kernels/spmv/cuda/csr_staged_spmv.hpp"
#endif

#include <string>
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

/// Calls launch(dealing) for as many lanes per row, or rows per lane, as the plan says.
template <int max_rows_per_lane, class Launch>
bool with_mapping(const CsrSpmvPlan<Kokkos::Cuda>& plan, const Launch& launch) {
  if (plan.staged_rows == max_staged_rows_per_lane)
    return launch(cuda::RowMapping<1, max_staged_rows_per_lane>());
  if constexpr (max_rows_per_lane > max_staged_rows_per_lane) {
    if (plan.staged_rows == max_rows_per_lane)
      return launch(cuda::RowMapping<1, max_rows_per_lane>());
  }
  if (plan.staged_rows > 1) return false;
  switch (plan.staged_lanes) {
    case 1:
      return launch(cuda::RowMapping<1, 1>());
    case 2:
      return launch(cuda::RowMapping<2, 1>());
    case 4:
      return launch(cuda::RowMapping<4, 1>());
    case max_staged_row_lanes:
      return launch(cuda::RowMapping<max_staged_row_lanes, 1>());
    default:
      return false;
  }
}

/// The kernel of the plan.
template <class Storage, class Working, class Offset, class Epilogue>
bool sweep_by_lanes(const Kokkos::Cuda& exec, const std::string& label,
                    const CsrSpmvPlan<Kokkos::Cuda>& plan,
                    const CsrView<Storage, Kokkos::Cuda, Offset>& A, const Working* x,
                    const Epilogue& epilogue) {
  if (plan.patterns.found) {
    return with_mapping<max_pattern_rows_per_lane>(plan, [&](auto mapping) {
      return cuda::sweep_pattern_rows<decltype(mapping)>(
          exec, label, plan.launches, plan.part_entries, plan.patterns, A, x, epilogue);
    });
  }
  return with_mapping<max_staged_rows_per_lane>(plan, [&](auto mapping) {
    return cuda::sweep_staged_rows<decltype(mapping)>(exec, label, plan.launches, plan.part_entries,
                                                      A, x, epilogue);
  });
}
#endif

/// The epilogue that says the same with less to do, where there is one: calls launch(epilogue).
template <class Epilogue, class Launch>
bool with_least_epilogue(const Epilogue& epilogue, const Launch& launch) {
  return launch(epilogue);
}
template <class Scalar, class Launch>
bool with_least_epilogue(const ScaleAdd<Scalar>& epilogue, const Launch& launch) {
  return epilogue.beta == Scalar(0) ? launch(Scaled<Scalar>{epilogue.alpha, epilogue.y})
                                    : launch(epilogue);
}

/// epilogue(row, 0, (A x)(row, 0)) for every row; the plan, which says how much shared memory a
/// part needs, is that of `A`. Returns false, with nothing done, where the space, the scalars or
/// the arrays do not allow it.
template <class Storage, class Working, class Space, class Offset, class Epilogue>
bool sweep_staged_rows([[maybe_unused]] const Space& exec,
                       [[maybe_unused]] const std::string& label,
                       [[maybe_unused]] const CsrSpmvPlan<Space>& plan,
                       [[maybe_unused]] const CsrView<Storage, Space, Offset>& A,
                       [[maybe_unused]] const ConstMultiVectorView<Working, Space>& x,
                       [[maybe_unused]] const Epilogue& epilogue) {
  if constexpr (has_staged_rows<Space> && is_staged_pair<Storage, Working>) {
    return with_least_epilogue(epilogue, [&](const auto& least) {
      return sweep_by_lanes(exec, label, plan, A, x.data(), least);
    });
  } else {
    return false;
  }
}

}  // namespace tessera::kernels::detail
