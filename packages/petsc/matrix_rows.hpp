// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix of PETSc's over several processes as rows for Tessera.
#pragma once

#include <petscmat.h>

#include <cstdint>
#include <vector>

#include "petsc/several_processes.hpp"

namespace tessera::petsc {

/// Copies of one process's rows, with the numbers of all processes for their columns.
class MatrixRows {
 public:
  MatrixRows() = default;
  MatrixRows(const MatrixRows&) = delete;
  MatrixRows& operator=(const MatrixRows&) = delete;

  /// Copies the rows of `A`, of any type that converts to MPIAIJ. The same nonzeros give the same
  /// order. `with_pattern`: else the values alone. Collective; an error on all processes for a
  /// matrix that is not square, or whose columns are shared out otherwise than its rows.
  PetscErrorCode take(Mat A, bool with_pattern);

  std::int64_t num_rows() const { return m_num_rows; }
  const std::vector<double>& values() const { return m_values; }
  SeveralProcesses::Rows rows() const { return {m_offsets, m_columns, m_values}; }

 private:
  PetscErrorCode copy(Mat rows, bool with_pattern);

  std::int64_t m_num_rows = 0;
  std::vector<std::int64_t> m_offsets, m_columns;
  std::vector<double> m_values;
};

}  // namespace tessera::petsc
