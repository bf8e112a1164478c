// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/matrix_rows.hpp"

#include <petsc/private/petscimpl.h>

#include <limits>

namespace tessera::petsc {

PetscErrorCode MatrixRows::take(Mat A, bool with_pattern) {
  const MPI_Comm processes = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  PetscInt rows = 0, columns = 0, own[2] = {0, 0};
  PetscBool aij = PETSC_FALSE;
  Mat converted = nullptr, local = nullptr;
  PetscFunctionBegin;
  PetscCall(MatGetSize(A, &rows, &columns));
  PetscCheck(rows == columns, processes, PETSC_ERR_ARG_SIZ,
             "-pc_type tessera needs a square matrix, and this one is %" PetscInt_FMT
             " by %" PetscInt_FMT,
             rows, columns);
  PetscCall(MatGetLocalSize(A, &own[0], &own[1]));
  const int other = own[0] != own[1] ? 1 : 0;
  int any_other = 0;
  PetscCallMPI(MPI_Allreduce(&other, &any_other, 1, MPI_INT, MPI_MAX, processes));
  PetscCheck(any_other == 0, processes, PETSC_ERR_ARG_SIZ,
             "-pc_type tessera needs a matrix whose columns are shared out as its rows are");
  m_num_rows = own[0];
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIAIJ, &aij));
  if (!aij) PetscCall(MatConvert(A, MATMPIAIJ, MAT_INITIAL_MATRIX, &converted));
  PetscCall(MatMPIAIJGetLocalMat(aij ? A : converted, MAT_INITIAL_MATRIX, &local));
  PetscCall(MatDestroy(&converted));
  PetscCall(copy(local, with_pattern));
  PetscCall(MatDestroy(&local));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixRows::copy(Mat rows, bool with_pattern) {
  const PetscInt *offsets = nullptr, *columns = nullptr;
  const PetscScalar* values = nullptr;
  PetscInt num_rows = 0;
  PetscBool done = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(rows, 0, PETSC_FALSE, PETSC_FALSE, &num_rows, &offsets, &columns, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "the matrix does not show its nonzeros");
  const PetscInt entries = num_rows > 0 ? offsets[num_rows] : 0;
  if (with_pattern) {
    m_offsets.assign(static_cast<std::size_t>(num_rows) + 1, 0);
    if (num_rows > 0) m_offsets.assign(offsets, offsets + num_rows + 1);
    m_columns.assign(columns, columns + entries);
  }
  PetscCall(
      MatRestoreRowIJ(rows, 0, PETSC_FALSE, PETSC_FALSE, &num_rows, &offsets, &columns, &done));
  PetscCall(MatSeqAIJGetArrayRead(rows, &values));
  m_values.assign(values, values + entries);
  PetscCall(MatSeqAIJRestoreArrayRead(rows, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
