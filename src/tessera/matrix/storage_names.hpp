// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tables and reports call formats, scalars and kernels, and how many bytes a matrix takes.
#pragma once

#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/precision/minifloat.hpp"
#include "tessera/kernels/spmv/csr/csr_spmv.hpp"
#include "tessera/kernels/spmv/hyb/hyb_spmv.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"

#include <string>

namespace tessera {

/// "double", "float", "half", "bfloat16", "fp8_e4m3" or "fp8_e5m2".
template <class Scalar>
constexpr const char* scalar_name() {
  if constexpr (std::is_same_v<Scalar, double>) return "double";
  if constexpr (std::is_same_v<Scalar, float>) return "float";
  if constexpr (std::is_same_v<Scalar, Half>) return "half";
  if constexpr (std::is_same_v<Scalar, BFloat16>) return "bfloat16";
  if constexpr (std::is_same_v<Scalar, Fp8E4M3>) return "fp8_e4m3";
  if constexpr (std::is_same_v<Scalar, Fp8E5M2>) return "fp8_e5m2";
}

namespace detail {

template <class Scalar, class Space, class Offset>
std::string format_name(const kernels::Csr<Scalar, Space, Offset>&) {
  return "csr";
}
template <class Storage, class Space>
std::string format_name(const kernels::Mbsr<Storage, Space>& A) {
  return A.layout == kernels::TileLayout::packed ? "mbsr packed" : "mbsr dense";
}
template <class Storage, class Space>
std::string format_name(const kernels::Ell<Storage, Space>&) {
  return "ell";
}
template <class Storage, class Space>
std::string format_name(const kernels::Hyb<Storage, Space>&) {
  return "hyb";
}
template <class Storage, class Space>
std::string format_name(const kernels::Coo<Storage, Space>&) {
  return "coo";
}

template <class Scalar, class Space, class Offset>
const char* storage_name(const kernels::Csr<Scalar, Space, Offset>&) {
  return scalar_name<Scalar>();
}
template <class Matrix>
const char* storage_name(const Matrix&) {
  return scalar_name<typename Matrix::storage_type>();
}

template <class Scalar, class Space, class Offset>
std::size_t bytes_of(const kernels::Csr<Scalar, Space, Offset>& A) {
  return A.offsets.span() * sizeof(Offset) + A.columns.span() * sizeof(Ordinal) +
         A.values.span() * sizeof(Scalar);
}
template <class Matrix>
std::size_t bytes_of(const Matrix& A) {
  return A.bytes();
}

inline std::string with_lanes(const char* kernel, int lanes, const char* of) {
  if (lanes <= 1) return kernel;
  return std::string(kernel) + ", " + std::to_string(lanes) + " lanes per " + of;
}

template <class Space>
std::string kernel_name(const kernels::CsrSpmvPlan<Space>& plan) {
  switch (plan.algorithm) {
    case kernels::CsrSpmvAlgorithm::staged:
      return with_lanes("staged", plan.staged_lanes, "row");
    case kernels::CsrSpmvAlgorithm::column_patterns:
      return with_lanes("column patterns", plan.staged_lanes, "row");
    case kernels::CsrSpmvAlgorithm::load_balanced:
      return "load-balanced";
    case kernels::CsrSpmvAlgorithm::classical:
      break;
  }
  return with_lanes("rows", plan.threads_per_row, "row");
}
template <class Space>
std::string kernel_name(const kernels::MbsrSpmvPlan<Space>& plan) {
  switch (plan.kernel) {
    case kernels::MbsrSpmvKernel::staged:
      return with_lanes("staged", plan.staged_lanes, "tile row");
    case kernels::MbsrSpmvKernel::load_balanced:
      return "load-balanced";
    case kernels::MbsrSpmvKernel::tensor_core:
      return "tensor cores";
    case kernels::MbsrSpmvKernel::tile_row:
      break;
  }
  return "tile rows";
}
inline std::string kernel_name(const kernels::EllSpmvPlan& plan) {
  return with_lanes("rows", plan.threads_per_row, "row");
}
template <class Space>
std::string kernel_name(const kernels::CooSpmvPlan<Space>&) {
  return "segmented sums";
}
template <class Space>
std::string kernel_name(const kernels::HybSpmvPlan<Space>& plan) {
  return with_lanes("rows and rest", plan.ell.threads_per_row, "row");
}

/// What `kernel_name` goes on with where several vectors of `Working` have another kernel.
template <class Working, class Matrix, class Plan>
std::string several_vectors_name(const Matrix&, const Plan&) {
  return {};
}
template <class Working, class Storage, class Space>
std::string several_vectors_name(const kernels::Mbsr<Storage, Space>&,
                                 const kernels::MbsrSpmvPlan<Space>& plan) {
  const int from = kernels::tensor_core_columns<Arithmetic<Storage, Working>>(plan);
  if (from <= 1) return {};
  return ", tensor cores from " + std::to_string(from) + " vectors on";
}

}  // namespace detail
}  // namespace tessera
