// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse matrix times a sparse matrix by cuSPARSE.
#pragma once

#include "support/cusparse_product.hpp"

#include <functional>

namespace tessera::perf {

/// Memory for cuSPARSE's steps, from the pool that Kokkos allocates from, freed at the end of its
/// scope.
class CusparseBuffer {
 public:
  CusparseBuffer(const DeviceSpace& exec, std::size_t bytes) : m_stream(exec.cuda_stream()) {
    if (bytes > 0) check(cudaMallocAsync(&m_data, bytes, m_stream));
  }
  CusparseBuffer(const CusparseBuffer&) = delete;
  CusparseBuffer& operator=(const CusparseBuffer&) = delete;
  ~CusparseBuffer() { free(); }

  void free() {
    if (m_data != nullptr) cudaFreeAsync(m_data, m_stream);
    m_data = nullptr;
  }
  void* get() const { return m_data; }

 private:
  cudaStream_t m_stream;
  void* m_data = nullptr;
};

/// C = A B by one of cuSPARSE's algorithms; everything from CSR in to CSR out.
class CusparseSpgemm {
 public:
  using Matrix = kernels::Csr<double, DeviceSpace>;

  CusparseSpgemm(const DeviceSpace& exec, const CusparseHandle& handle,
                 cusparseSpGEMMAlg_t algorithm)
      : m_exec(exec), m_handle(handle.get()), m_algorithm(algorithm) {}

  Matrix multiply(const Matrix& A, const Matrix& B) const {
    Operation op(m_exec, A, B);
    const auto estimate = [&](std::size_t& bytes, void* memory) {
      check(cusparseSpGEMM_workEstimation(m_handle, none, none, &one, op.a, op.b, &zero, op.c,
                                          CUDA_R_64F, m_algorithm, op.state, &bytes, memory));
    };
    const auto compute = [&](std::size_t& bytes, void* memory) {
      check(cusparseSpGEMM_compute(m_handle, none, none, &one, op.a, op.b, &zero, op.c, CUDA_R_64F,
                                   m_algorithm, op.state, &bytes, memory));
    };
    std::size_t estimate_bytes = 0;
    estimate(estimate_bytes, nullptr);
    const CusparseBuffer estimate_memory(m_exec, estimate_bytes);
    estimate(estimate_bytes, estimate_memory.get());
    std::size_t compute_bytes = 0;
    if (m_algorithm == CUSPARSE_SPGEMM_ALG2 || m_algorithm == CUSPARSE_SPGEMM_ALG3) {
      compute_bytes = estimate_memory_of_chunks(op);
    } else {
      compute(compute_bytes, nullptr);
    }
    const CusparseBuffer compute_memory(m_exec, compute_bytes);
    compute(compute_bytes, compute_memory.get());
    const Matrix C = op.allocate_result();
    check(cusparseSpGEMM_copy(m_handle, none, none, &one, op.a, op.b, &zero, op.c, CUDA_R_64F,
                              m_algorithm, op.state));
    return C;
  }

  /// Prepares SpGEMMreuse for A B; `time` receives its compute step.
  double time_reuse(const Matrix& A, const Matrix& B,
                    const std::function<double(const std::function<void()>&)>& time) const {
    Operation op(m_exec, A, B);
    std::size_t sizes[5] = {};
    const auto estimate = [&](void* memory) {
      check(cusparseSpGEMMreuse_workEstimation(m_handle, none, none, op.a, op.b, op.c, m_algorithm,
                                               op.state, &sizes[0], memory));
    };
    const auto find_entries = [&](void* second, void* third, void* fourth) {
      check(cusparseSpGEMMreuse_nnz(m_handle, none, none, op.a, op.b, op.c, m_algorithm, op.state,
                                    &sizes[1], second, &sizes[2], third, &sizes[3], fourth));
    };
    const auto copy = [&](void* fifth) {
      check(cusparseSpGEMMreuse_copy(m_handle, none, none, op.a, op.b, op.c, m_algorithm, op.state,
                                     &sizes[4], fifth));
    };
    estimate(nullptr);
    const CusparseBuffer first(m_exec, sizes[0]);
    estimate(first.get());
    find_entries(nullptr, nullptr, nullptr);
    const CusparseBuffer second(m_exec, sizes[1]), third(m_exec, sizes[2]),
        fourth(m_exec, sizes[3]);
    find_entries(second.get(), third.get(), fourth.get());
    const Matrix C = op.allocate_result();
    copy(nullptr);
    const CusparseBuffer fifth(m_exec, sizes[4]);
    copy(fifth.get());
    return time([&] {
      check(cusparseSpGEMMreuse_compute(m_handle, none, none, &one, op.a, op.b, &zero, op.c,
                                        CUDA_R_64F, m_algorithm, op.state));
    });
  }

 private:
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr double one = 1.0, zero = 0.0;

  /// What all steps of one product take.
  struct Operation {
    DeviceSpace exec;
    Ordinal num_rows, num_cols;
    Array<int, DeviceSpace> offsets;
    cusparseSpMatDescr_t a = nullptr, b = nullptr, c = nullptr;
    cusparseSpGEMMDescr_t state = nullptr;

    Operation(const DeviceSpace& on, const Matrix& A, const Matrix& B)
        : exec(on),
          num_rows(A.num_rows),
          num_cols(B.num_cols),
          offsets(allocate<int>(on, "tessera::perf::offsets", A.num_rows + 1)) {
      describe(a, A.num_rows, A.num_cols, A.num_entries(), A.offsets.data(), A.columns.data(),
               A.values.data());
      describe(b, B.num_rows, B.num_cols, B.num_entries(), B.offsets.data(), B.columns.data(),
               B.values.data());
      describe(c, A.num_rows, B.num_cols, 0, offsets.data(), nullptr, nullptr);
      check(cusparseSpGEMM_createDescr(&state));
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation() {
      cusparseSpGEMM_destroyDescr(state);
      for (const auto matrix : {a, b, c})
        cusparseDestroySpMat(matrix);
    }

    static void describe(cusparseSpMatDescr_t& matrix, Ordinal rows, Ordinal cols,
                         std::size_t entries, const int* row_offsets, const int* columns,
                         const double* values) {
      check(cusparseCreateCsr(&matrix, rows, cols, static_cast<std::int64_t>(entries),
                              const_cast<int*>(row_offsets), const_cast<int*>(columns),
                              const_cast<double*>(values), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    }

    /// Arrays for the entries that C turned out to have.
    Matrix allocate_result() const {
      std::int64_t rows = 0, cols = 0, entries = 0;
      check(cusparseSpMatGetSize(c, &rows, &cols, &entries));
      const auto columns = allocate<int>(exec, "tessera::perf::columns", entries);
      const auto values = allocate<double>(exec, "tessera::perf::values", entries);
      check(cusparseCsrSetPointers(c, offsets.data(), columns.data(), values.data()));
      return {num_rows, num_cols, offsets, columns, values};
    }
  };

  /// Bytes that ALG2 and ALG3 compute in, with a fifth of the products at a time.
  std::size_t estimate_memory_of_chunks(const Operation& op) const {
    std::size_t analysis_bytes = 0, compute_bytes = 0;
    const auto estimate = [&](void* memory, std::size_t* result) {
      check(cusparseSpGEMM_estimateMemory(m_handle, none, none, &one, op.a, op.b, &zero, op.c,
                                          CUDA_R_64F, m_algorithm, op.state, 0.2f, &analysis_bytes,
                                          memory, result));
    };
    estimate(nullptr, nullptr);
    const CusparseBuffer analysis_memory(m_exec, analysis_bytes);
    estimate(analysis_memory.get(), &compute_bytes);
    return compute_bytes;
  }

  DeviceSpace m_exec;
  cusparseHandle_t m_handle;
  cusparseSpGEMMAlg_t m_algorithm;
};

}  // namespace tessera::perf
