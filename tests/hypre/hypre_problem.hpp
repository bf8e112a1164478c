// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shares of rows as hypre's matrices and vectors, and hypre's messages.
#pragma once

#include "distributed/shares.hpp"

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_tessera.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {

/// A matrix of hypre's with these rows on this process, the first of which is row `first`.
class HypreMatrix {
 public:
  HypreMatrix(std::int64_t first, const HostShare& rows, std::int64_t columns_first,
              std::int64_t columns)
      : m_first(static_cast<HYPRE_BigInt>(first)) {
    const auto last = static_cast<HYPRE_BigInt>(first + rows.num_rows() - 1);
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, m_first, last, static_cast<HYPRE_BigInt>(columns_first),
                         static_cast<HYPRE_BigInt>(columns_first + columns - 1), &m_matrix);
    HYPRE_IJMatrixSetObjectType(m_matrix, HYPRE_PARCSR);
    fill(rows);
  }
  HypreMatrix(std::int64_t first, const HostShare& rows)
      : HypreMatrix(first, rows, first, rows.num_rows()) {}
  ~HypreMatrix() { HYPRE_IJMatrixDestroy(m_matrix); }
  HypreMatrix(const HypreMatrix&) = delete;
  HypreMatrix& operator=(const HypreMatrix&) = delete;

  /// Other values in the same pattern.
  void fill(const HostShare& rows) {
    HYPRE_IJMatrixInitialize(m_matrix);
    for (int i = 0; i < rows.num_rows(); ++i) {
      const auto begin = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(i)]);
      const auto end = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(i) + 1]);
      std::vector<HYPRE_BigInt> columns(rows.columns.begin() + static_cast<std::ptrdiff_t>(begin),
                                        rows.columns.begin() + static_cast<std::ptrdiff_t>(end));
      auto count = static_cast<HYPRE_Int>(end - begin);
      const HYPRE_BigInt row = m_first + i;
      HYPRE_IJMatrixSetValues(m_matrix, 1, &count, &row, columns.data(), &rows.values[begin]);
    }
    HYPRE_IJMatrixAssemble(m_matrix);
  }
  HYPRE_ParCSRMatrix get() const {
    void* object = nullptr;
    HYPRE_IJMatrixGetObject(m_matrix, &object);
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }

 private:
  HYPRE_BigInt m_first;
  HYPRE_IJMatrix m_matrix = nullptr;
};

class HypreVector {
 public:
  HypreVector(std::int64_t first, const std::vector<double>& entries)
      : m_first(static_cast<HYPRE_BigInt>(first)), m_size(static_cast<HYPRE_Int>(entries.size())) {
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, m_first, m_first + m_size - 1, &m_vector);
    HYPRE_IJVectorSetObjectType(m_vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(m_vector);
    if (m_size > 0) HYPRE_IJVectorSetValues(m_vector, m_size, numbers().data(), entries.data());
    HYPRE_IJVectorAssemble(m_vector);
  }
  ~HypreVector() { HYPRE_IJVectorDestroy(m_vector); }
  HypreVector(const HypreVector&) = delete;
  HypreVector& operator=(const HypreVector&) = delete;

  HYPRE_ParVector get() const {
    void* object = nullptr;
    HYPRE_IJVectorGetObject(m_vector, &object);
    return static_cast<HYPRE_ParVector>(object);
  }
  std::vector<double> entries() const {
    std::vector<double> copy(static_cast<std::size_t>(m_size));
    if (m_size > 0) HYPRE_IJVectorGetValues(m_vector, m_size, numbers().data(), copy.data());
    return copy;
  }

 private:
  std::vector<HYPRE_BigInt> numbers() const {
    std::vector<HYPRE_BigInt> made(static_cast<std::size_t>(m_size));
    std::iota(made.begin(), made.end(), m_first);
    return made;
  }
  HYPRE_BigInt m_first;
  HYPRE_Int m_size;
  HYPRE_IJVector m_vector = nullptr;
};

/// A HYPRE_Solver of Tessera's with parameters in words.
class TesseraHandle {
 public:
  explicit TesseraHandle(const std::string& words = "") {
    HYPRE_TesseraCreate(&m_solver);
    HYPRE_TesseraSetParameters(m_solver, words.c_str());
  }
  ~TesseraHandle() { HYPRE_TesseraDestroy(m_solver); }
  TesseraHandle(const TesseraHandle&) = delete;
  TesseraHandle& operator=(const TesseraHandle&) = delete;
  HYPRE_Solver get() const { return m_solver; }

  std::pair<int, int> setups_and_updates() const {
    HYPRE_Int setups = 0;
    HYPRE_Int updates = 0;
    HYPRE_TesseraGetNumSetups(m_solver, &setups, &updates);
    return {static_cast<int>(setups), static_cast<int>(updates)};
  }

 private:
  HYPRE_Solver m_solver = nullptr;
};

/// The message of the last failure, which is forgotten; hypre's flag is cleared.
inline std::string take_message() {
  const char* text = nullptr;
  HYPRE_TesseraGetErrorMessage(&text);
  HYPRE_ClearAllErrors();
  return text == nullptr ? "null" : text;
}

}  // namespace tessera::test
