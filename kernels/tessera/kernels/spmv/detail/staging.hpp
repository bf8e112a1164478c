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
#include <variant>

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
template <class Chosen, int max_rows_per_lane, class Prepare>
Chosen with_mapping(const CsrSpmvPlan<Kokkos::Cuda>& plan, const Prepare& prepare) {
  if (plan.staged_rows == max_staged_rows_per_lane)
    return prepare(cuda::RowMapping<1, max_staged_rows_per_lane>());
  if constexpr (max_rows_per_lane > max_staged_rows_per_lane) {
    if (plan.staged_rows == max_rows_per_lane)
      return prepare(cuda::RowMapping<1, max_rows_per_lane>());
  }
  if (plan.staged_rows > 1) return {};
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
      return {};
  }
}

/// The staged kernels that end in one of `Epilogues`.
template <class Storage, class Working, class Offset, class... Epilogues>
struct StagedRowsKernels {
  template <class Epilogue, int lanes, int rows>
  using Rows = cuda::StagedKernel<
      cuda::StagedRows<Storage, Working, Offset, Epilogue, cuda::RowMapping<lanes, rows>>>;
  template <class Epilogue, int lanes, int rows>
  using Patterns = cuda::StagedKernel<
      cuda::PatternRows<Storage, Working, Epilogue, cuda::RowMapping<lanes, rows>>>;
  using type =
      std::variant<Rows<Epilogues, 1, 1>..., Rows<Epilogues, 2, 1>..., Rows<Epilogues, 4, 1>...,
                   Rows<Epilogues, max_staged_row_lanes, 1>...,
                   Rows<Epilogues, 1, max_staged_rows_per_lane>..., Patterns<Epilogues, 1, 1>...,
                   Patterns<Epilogues, 2, 1>..., Patterns<Epilogues, 4, 1>...,
                   Patterns<Epilogues, max_staged_row_lanes, 1>...,
                   Patterns<Epilogues, 1, max_staged_rows_per_lane>...,
                   Patterns<Epilogues, 1, max_pattern_rows_per_lane>...>;
};

/// Those for an epilogue, which may turn out to be one that says the same with less to do.
template <class Storage, class Working, class Offset, class Epilogue>
struct StagedRowsChoice : StagedRowsKernels<Storage, Working, Offset, Epilogue> {};
template <class Storage, class Working, class Offset, class Scalar>
struct StagedRowsChoice<Storage, Working, Offset, ScaleAdd<Scalar>>
    : StagedRowsKernels<Storage, Working, Offset, ScaleAdd<Scalar>, Scaled<Scalar>> {};

/// Calls prepare(epilogue) with the epilogue that says the same with less to do, where there is
/// one.
template <class Chosen, class Epilogue, class Prepare>
Chosen with_least_epilogue(const Epilogue& epilogue, const Prepare& prepare) {
  return prepare(epilogue);
}
template <class Chosen, class Scalar, class Prepare>
Chosen with_least_epilogue(const ScaleAdd<Scalar>& epilogue, const Prepare& prepare) {
  return epilogue.beta == Scalar(0) ? prepare(Scaled<Scalar>{epilogue.alpha, epilogue.y})
                                    : prepare(epilogue);
}

/// The kernel of the plan, for epilogue(row, 0, (A x)(row, 0)) of every row; the plan, which says
/// how much shared memory a part needs, is that of `A`. None where the arrays do not allow it.
template <class Storage, class Working, class Offset, class Epilogue>
auto choose_staged_rows(const Kokkos::Cuda& exec, const CsrSpmvPlan<Kokkos::Cuda>& plan,
                        const CsrView<Storage, Kokkos::Cuda, Offset>& A,
                        const ConstMultiVectorView<Working, Kokkos::Cuda>& x,
                        const Epilogue& epilogue) {
  using Chosen = std::optional<typename StagedRowsChoice<Storage, Working, Offset, Epilogue>::type>;
  return with_least_epilogue<Chosen>(epilogue, [&](const auto& least) {
    if (plan.patterns.found) {
      return with_mapping<Chosen, max_pattern_rows_per_lane>(plan, [&](auto mapping) -> Chosen {
        return cuda::prepare_pattern_rows<decltype(mapping)>(exec, plan.part_entries, plan.patterns,
                                                             A, x.data(), least);
      });
    }
    return with_mapping<Chosen, max_staged_rows_per_lane>(plan, [&](auto mapping) -> Chosen {
      return cuda::prepare_staged_rows<decltype(mapping)>(exec, plan.part_entries, A, x.data(),
                                                          least);
    });
  });
}
#endif

}  // namespace tessera::kernels::detail
