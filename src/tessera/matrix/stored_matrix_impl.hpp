// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of stored_matrix.hpp.
#pragma once

#include "tessera/matrix/storage_names.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <cstdint>
#include <type_traits>

namespace tessera {

template <class Working, class Matrix>
StoredMatrix<Working, Matrix>::StoredMatrix(const Space& exec, Matrix matrix,
                                            std::shared_ptr<const void> owner)
    : m_owner(std::move(owner)), m_matrix(std::move(matrix)) {
  static_assert(kernels::HasProducts<view_type>);
  m_plan = kernels::analyse_spmv(exec, view());
}

template <class Working, class Matrix>
StorageInfo StoredMatrix<Working, Matrix>::info() const {
  using Format = kernels::FormatOf<Matrix>;
  return {detail::format_name(m_matrix), scalar_name<typename Format::storage_type>(),
          Format::type::template kernel_name<Working>(m_matrix, m_plan),
          Format::type::bytes(m_matrix)};
}

template <class Working, class Matrix>
void StoredMatrix<Working, Matrix>::apply(const Space& exec, Working alpha, const ConstVectors& x,
                                          Working beta, const Vectors& y) const {
  kernels::spmv<Working>(exec, m_plan, alpha, view(), x, beta, y);
}

template <class Working, class Matrix>
void StoredMatrix<Working, Matrix>::residual(const Space& exec, const ConstVectors& b,
                                             const ConstVectors& x, const Vectors& r) const {
  kernels::spmv_residual<Working>(exec, m_plan, view(), b, x, r);
}

template <class Working, class Matrix>
void StoredMatrix<Working, Matrix>::apply_dot(const Space& exec, const ConstVectors& x,
                                              const Vectors& y,
                                              const ArrayView<Working, Space>& result) const {
  kernels::spmv_dot<Working>(exec, m_plan, view(), x, y, result);
}

template <class Working, class Matrix>
void StoredMatrix<Working, Matrix>::jacobi_sweep(const Space& exec,
                                                 const ArrayView<const Working, Space>& d,
                                                 const ConstVectors& b, const ConstVectors& x_in,
                                                 const Vectors& x_out) const {
  kernels::jacobi_sweep<Working>(exec, m_plan, view(), d, b, x_in, x_out);
}

template <class Working, class Matrix>
void StoredMatrix<Working, Matrix>::chebyshev_step(const Space& exec,
                                                   const ArrayView<const Working, Space>& d,
                                                   Working alpha, Working beta,
                                                   const ConstVectors& b, const ConstVectors& x_in,
                                                   const Vectors& p, const Vectors& x_out) const {
  kernels::chebyshev_step<Working>(exec, m_plan, view(), d, alpha, beta, b, x_in, p, x_out);
}

template <class Working, class Matrix>
bool StoredMatrix<Working, Matrix>::write_rows(
    [[maybe_unused]] kernels::Step<Working>& step) const {
  constexpr bool is_narrow = std::is_same_v<Matrix, kernels::Csr<Working, Space, std::int32_t>>;
  constexpr bool is_wide = std::is_same_v<Matrix, kernels::Csr<Working, Space, std::int64_t>>;
  if constexpr (is_narrow || is_wide) {
    const auto A = view();
    step.num_rows = A.num_rows;
    step.num_entries = A.num_entries;
    step.columns = A.columns.data();
    step.values = A.values.data();
    if constexpr (is_narrow) step.offsets = A.offsets.data();
    if constexpr (is_wide) step.wide_offsets = A.offsets.data();
    return m_plan.algorithm != kernels::CsrSpmvAlgorithm::load_balanced;
  } else {
    return false;
  }
}

}  // namespace tessera
