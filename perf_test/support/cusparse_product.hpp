// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse matrix times a vector by cuSPARSE.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cusparse.h>
#include <stdexcept>

namespace tessera::perf {

inline void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// cuSPARSE on the execution space's stream.
class CusparseHandle {
 public:
  explicit CusparseHandle(const DeviceSpace& exec) {
    check(cusparseCreate(&m_handle));
    check(cusparseSetStream(m_handle, exec.cuda_stream()));
  }
  CusparseHandle(const CusparseHandle&) = delete;
  CusparseHandle& operator=(const CusparseHandle&) = delete;
  ~CusparseHandle() { cusparseDestroy(m_handle); }

  cusparseHandle_t get() const { return m_handle; }

 private:
  cusparseHandle_t m_handle = nullptr;
};

/// y = A x by one of cuSPARSE's algorithms, analysed once.
template <class Scalar>
class CusparseProduct {
 public:
  using Vectors = MultiVector<Scalar, DeviceSpace>;

  CusparseProduct(const CusparseHandle& handle, const kernels::Csr<Scalar, DeviceSpace>& A,
                  const Vectors& x, const Vectors& y, cusparseSpMVAlg_t algorithm)
      : m_handle(handle.get()), m_A(A), m_x(x), m_y(y), m_algorithm(algorithm) {
    try {
      prepare();
    } catch (...) {
      release();
      throw;
    }
  }
  CusparseProduct(const CusparseProduct&) = delete;
  CusparseProduct& operator=(const CusparseProduct&) = delete;
  ~CusparseProduct() { release(); }

  void multiply() const {
    check(cusparseSpMV(m_handle, none, &m_one, m_matrix, m_from, &m_zero, m_to, type, m_algorithm,
                       m_buffer));
  }

 private:
  static constexpr auto type = std::is_same_v<Scalar, double> ? CUDA_R_64F : CUDA_R_32F;
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;

  void prepare() {
    check(cusparseCreateCsr(
        &m_matrix, m_A.num_rows, m_A.num_cols, m_A.num_entries(),
        const_cast<int*>(m_A.offsets.data()), const_cast<int*>(m_A.columns.data()),
        m_A.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    check(cusparseCreateDnVec(&m_from, m_A.num_cols, m_x.data(), type));
    check(cusparseCreateDnVec(&m_to, m_A.num_rows, m_y.data(), type));
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(m_handle, none, &m_one, m_matrix, m_from, &m_zero, m_to, type,
                                  m_algorithm, &bytes));
    if (bytes > 0) check(cudaMalloc(&m_buffer, bytes));
    check(cusparseSpMV_preprocess(m_handle, none, &m_one, m_matrix, m_from, &m_zero, m_to, type,
                                  m_algorithm, m_buffer));
  }

  void release() {
    if (m_to != nullptr) cusparseDestroyDnVec(m_to);
    if (m_from != nullptr) cusparseDestroyDnVec(m_from);
    if (m_matrix != nullptr) cusparseDestroySpMat(m_matrix);
    cudaFree(m_buffer);
  }

  cusparseHandle_t m_handle;
  kernels::Csr<Scalar, DeviceSpace> m_A;
  Vectors m_x, m_y;
  cusparseSpMVAlg_t m_algorithm;
  Scalar m_one = 1, m_zero = 0;
  cusparseSpMatDescr_t m_matrix = nullptr;
  cusparseDnVecDescr_t m_from = nullptr, m_to = nullptr;
  void* m_buffer = nullptr;
};

}  // namespace tessera::perf
