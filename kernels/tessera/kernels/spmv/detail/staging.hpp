// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the staged CSR product, and the product where there is one.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/cuda/csr_staged_spmv.hpp"
#endif

#include <string>
#include <type_traits>

namespace tessera::kernels::detail {

template <class Space>
inline constexpr bool has_staged_rows = false;

/// The most lanes a row of the staged kernel.
inline constexpr int most_staged_row_lanes = 8;

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_staged_rows<Kokkos::Cuda> = cuda::has_bulk_copies;

/// The kernel for as many lanes a row as the plan says.
template <class Scalar, class Offset, class Epilogue>
bool sweep_by_lanes(const Kokkos::Cuda& exec, const std::string& label,
                    const CsrSpmvPlan<Kokkos::Cuda>& plan,
                    const CsrView<Scalar, Kokkos::Cuda, Offset>& A, const Scalar* x,
                    const Epilogue& epilogue) {
  const std::int32_t entries = plan.part_entries;
  switch (plan.staged_lanes) {
    case 1:
      return cuda::sweep_staged_rows<1>(exec, label, entries, A, x, epilogue);
    case 2:
      return cuda::sweep_staged_rows<2>(exec, label, entries, A, x, epilogue);
    case 4:
      return cuda::sweep_staged_rows<4>(exec, label, entries, A, x, epilogue);
    case most_staged_row_lanes:
      return cuda::sweep_staged_rows<most_staged_row_lanes>(exec, label, entries, A, x, epilogue);
    default:
      return false;
  }
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
  if constexpr (has_staged_rows<Space> && std::is_same_v<Storage, Working>) {
    return with_least_epilogue(epilogue, [&](const auto& least) {
      return sweep_by_lanes(exec, label, plan, A, x.data(), least);
    });
  } else {
    return false;
  }
}

}  // namespace tessera::kernels::detail
