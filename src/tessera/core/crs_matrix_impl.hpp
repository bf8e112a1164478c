// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of CrsMatrix.
#pragma once

#include "tessera/core/crs_matrix.hpp"
#include "tessera/core/error.hpp"

#include <string>
#include <utility>

namespace tessera {
namespace detail {

template <class Scalar, class Space, class Offset>
void require_lengths(const kernels::Csr<Scalar, Space, Offset>& A) {
  require(A.num_rows >= 0 && A.num_cols >= 0, [&] {
    return "the matrix is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected sizes that are not negative";
  });
  require(A.offsets.extent(0) == static_cast<std::size_t>(A.num_rows) + 1, [&] {
    return "offsets has length " + std::to_string(A.offsets.extent(0)) +
           ", expected num_rows + 1, " + std::to_string(static_cast<std::size_t>(A.num_rows) + 1);
  });
  require(A.columns.extent(0) == A.values.extent(0), [&] {
    return "columns has length " + std::to_string(A.columns.extent(0)) + " and values has length " +
           std::to_string(A.values.extent(0)) + ", expected the same";
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
CrsMatrix<Scalar, Space, Offset>::CrsMatrix(const Space& exec, arrays_type arrays,
                                            std::shared_ptr<const void> owner)
    : m_owner(std::move(owner)), m_arrays(std::move(arrays)) {
  if (m_arrays.num_rows == 0 && m_arrays.offsets.extent(0) == 0) {
    m_arrays.offsets = Array<Offset, Space>(Kokkos::view_alloc(exec, "tessera::offsets"), 1);
  }
  detail::require_lengths(m_arrays);
  m_plan = kernels::analyse_spmv(exec, view());
}

template <class Scalar, class Space, class Offset>
void CrsMatrix<Scalar, Space, Offset>::apply(const Space& exec, Scalar alpha, const ConstVectors& x,
                                             Scalar beta, const Vectors& y) const {
  kernels::spmv(exec, m_plan, alpha, view(), x, beta, y);
}

template <class Scalar, class Space, class Offset>
void CrsMatrix<Scalar, Space, Offset>::residual(const Space& exec, const ConstVectors& b,
                                                const ConstVectors& x, const Vectors& r) const {
  kernels::residual(exec, m_plan, view(), b, x, r);
}

template <class Scalar, class Space, class Offset>
void CrsMatrix<Scalar, Space, Offset>::apply_dot(const Space& exec, const ConstVectors& x,
                                                 const Vectors& y,
                                                 const ArrayView<Scalar, Space>& result) const {
  kernels::spmv_dot(exec, m_plan, view(), x, y, result);
}

}  // namespace tessera
