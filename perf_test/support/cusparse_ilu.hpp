// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors by cuSPARSE: csrilu02, and SpSV for the two triangles.
#pragma once

#include "support/cusparse_product.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <string>

namespace tessera::perf {

/// T x = b by SpSV, for a triangle of a matrix that holds both factors.
class CusparseTriangle {
 public:
  using Matrix = kernels::Csr<double, DeviceSpace>;

  /// Analyses; x and b are where each solve reads and writes until `solve` names others.
  CusparseTriangle(const CusparseHandle& handle, const Matrix& factors, bool lower, double* b,
                   double* x)
      : m_handle(handle.get()) {
    try {
      prepare(factors, lower, b, x);
    } catch (...) {
      release();
      throw;
    }
  }
  CusparseTriangle(const CusparseTriangle&) = delete;
  CusparseTriangle& operator=(const CusparseTriangle&) = delete;
  ~CusparseTriangle() { release(); }

  void solve(const double* b, double* x) const {
    check(cusparseDnVecSetValues(m_b, const_cast<double*>(b)));
    check(cusparseDnVecSetValues(m_x, x));
    check(cusparseSpSV_solve(m_handle, none, &m_one, m_matrix, m_b, m_x, CUDA_R_64F,
                             CUSPARSE_SPSV_ALG_DEFAULT, m_plan));
  }

 private:
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;

  void prepare(const Matrix& A, bool lower, double* b, double* x) {
    check(cusparseCreateCsr(&m_matrix, A.num_rows, A.num_cols, A.num_entries(),
                            const_cast<int*>(A.offsets.data()), const_cast<int*>(A.columns.data()),
                            A.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diagonal = lower ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    check(cusparseSpMatSetAttribute(m_matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    check(
        cusparseSpMatSetAttribute(m_matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    check(cusparseCreateDnVec(&m_b, A.num_rows, b, CUDA_R_64F));
    check(cusparseCreateDnVec(&m_x, A.num_rows, x, CUDA_R_64F));
    check(cusparseSpSV_createDescr(&m_plan));
    std::size_t bytes = 0;
    check(cusparseSpSV_bufferSize(m_handle, none, &m_one, m_matrix, m_b, m_x, CUDA_R_64F,
                                  CUSPARSE_SPSV_ALG_DEFAULT, m_plan, &bytes));
    check(cudaMalloc(&m_buffer, std::max<std::size_t>(bytes, 1)));
    check(cusparseSpSV_analysis(m_handle, none, &m_one, m_matrix, m_b, m_x, CUDA_R_64F,
                                CUSPARSE_SPSV_ALG_DEFAULT, m_plan, m_buffer));
  }
  void release() {
    if (m_plan != nullptr) cusparseSpSV_destroyDescr(m_plan);
    if (m_x != nullptr) cusparseDestroyDnVec(m_x);
    if (m_b != nullptr) cusparseDestroyDnVec(m_b);
    if (m_matrix != nullptr) cusparseDestroySpMat(m_matrix);
    cudaFree(m_buffer);
  }

  cusparseHandle_t m_handle;
  double m_one = 1;
  cusparseSpMatDescr_t m_matrix = nullptr;
  cusparseDnVecDescr_t m_b = nullptr, m_x = nullptr;
  cusparseSpSVDescr_t m_plan = nullptr;
  void* m_buffer = nullptr;
};

/// Overwrites the values of A, whose rows are sorted and have their diagonals, with its factors.
inline void cusparse_ilu(const CusparseHandle& handle, const kernels::Csr<double, DeviceSpace>& A) {
  // NVIDIA marks these as deprecated, and has nothing in their place.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  cusparseMatDescr_t shape = nullptr;
  csrilu02Info_t info = nullptr;
  check(cusparseCreateMatDescr(&shape));
  check(cusparseCreateCsrilu02Info(&info));
  const int n = A.num_rows;
  const int entries = static_cast<int>(A.num_entries());
  int bytes = 0;
  check(cusparseDcsrilu02_bufferSize(handle.get(), n, entries, shape, A.values.data(),
                                     A.offsets.data(), A.columns.data(), info, &bytes));
  void* buffer = nullptr;
  check(cudaMalloc(&buffer, std::max(bytes, 1)));
  check(cusparseDcsrilu02_analysis(handle.get(), n, entries, shape, A.values.data(),
                                   A.offsets.data(), A.columns.data(), info,
                                   CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer));
  check(cusparseDcsrilu02(handle.get(), n, entries, shape, A.values.data(), A.offsets.data(),
                          A.columns.data(), info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer));
  int position = -1;
  const auto status = cusparseXcsrilu02_zeroPivot(handle.get(), info, &position);
  cudaFree(buffer);
  cusparseDestroyCsrilu02Info(info);
  cusparseDestroyMatDescr(shape);
#pragma GCC diagnostic pop
  if (status == CUSPARSE_STATUS_ZERO_PIVOT)
    throw std::runtime_error("csrilu02: zero pivot in row " + std::to_string(position));
  check(status);
}

}  // namespace tessera::perf
