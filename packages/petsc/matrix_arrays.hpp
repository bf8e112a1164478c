// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix of PETSc's as arrays for Tessera.
#pragma once

#include <petscmat.h>

#include <cstdint>
#include <vector>

#include "tessera.h"

namespace tessera::petsc {

/// The arrays of a matrix that lies in one process: PETSc's own where it stores what Tessera reads,
/// which are AIJ with 32-bit indices and BAIJ with blocks of one; of others what differs is copied.
/// Holds a reference on the matrix until it is released.
class MatrixArrays {
 public:
  MatrixArrays() = default;
  MatrixArrays(const MatrixArrays&) = delete;
  MatrixArrays& operator=(const MatrixArrays&) = delete;

  /// Takes the arrays of `A`, of none before. `copied`: of a copy, which stays as it is whatever
  /// becomes of `A`. A matrix that is not square, or on several processes, is an error.
  PetscErrorCode take(Mat A, PetscBool copied);
  PetscErrorCode release();
  void swap(MatrixArrays& other);

  const tessera_matrix& matrix() const { return m_matrix; }
  /// Rows, with all of each block's.
  std::int64_t num_rows() const {
    return m_matrix.rows * (m_matrix.block_size > 1 ? m_matrix.block_size : 1);
  }

  /// Whether the arrays are those of the matrix still: new nonzeros move them.
  PetscErrorCode are_current(PetscBool* current) const;

 private:
  PetscErrorCode take_aij();
  PetscErrorCode take_baij();
  PetscErrorCode take_pattern(const PetscInt* offsets, const PetscInt* columns);

  Mat m_local = nullptr;  ///< whose arrays these are: SeqAIJ or SeqBAIJ
  PetscObjectState m_state = 0;  ///< of its nonzeros
  tessera_matrix m_matrix{};
  std::vector<std::int32_t> m_columns;  ///< where PETSc's have 64 bits
  std::vector<PetscScalar> m_values;  ///< where PETSc's are blocks column by column
};

}  // namespace tessera::petsc
