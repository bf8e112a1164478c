// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/matrix_arrays.hpp"

#include <petsc/private/petscimpl.h>

#include <limits>
#include <utility>

#include "petsc/scalar.hpp"

namespace tessera::petsc {

namespace {

/// The part of `A` that is AIJ or BAIJ of one process, with a reference on it: `A` itself, what it
/// holds, or else a conversion.
PetscErrorCode local_part(Mat A, Mat* local) {
  PetscBool seq = PETSC_FALSE, mpi_aij = PETSC_FALSE, mpi_baij = PETSC_FALSE,
            mpi_sbaij = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(PetscObjectBaseTypeCompareAny(reinterpret_cast<PetscObject>(A), &seq, MATSEQAIJ,
                                          MATSEQBAIJ, ""));
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIAIJ, &mpi_aij));
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIBAIJ, &mpi_baij));
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(A), MATMPISBAIJ, &mpi_sbaij));
  if (seq || mpi_aij || mpi_baij) {
    *local = A;
    if (mpi_aij) PetscCall(MatMPIAIJGetSeqAIJ(A, local, nullptr, nullptr));
    if (mpi_baij) PetscCall(MatMPIBAIJGetSeqBAIJ(A, local, nullptr, nullptr));
    PetscCall(PetscObjectReference(reinterpret_cast<PetscObject>(*local)));
  } else if (mpi_sbaij) {
    Mat converted = nullptr;
    PetscCall(MatConvert(A, MATMPIAIJ, MAT_INITIAL_MATRIX, &converted));
    PetscCall(local_part(converted, local));
    PetscCall(MatDestroy(&converted));
  } else {
    PetscCall(MatConvert(A, MATSEQAIJ, MAT_INITIAL_MATRIX, local));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode MatrixArrays::take(Mat A, PetscBool copied) {
  PetscMPIInt size = 0;
  PetscInt rows = 0, columns = 0;
  PetscBool baij = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(A)), &size));
  PetscCheck(
      size == 1, PetscObjectComm(reinterpret_cast<PetscObject>(A)), PETSC_ERR_SUP,
      "this -pc_type tessera was built without what several processes need (MPI, a shared Kokkos "
      "and Tessera's component distributed), and the matrix is distributed over %d. "
      "Use it on each process's part: -pc_type bjacobi -sub_pc_type tessera, or with overlap "
      "-pc_type asm -sub_pc_type tessera; or gather the system on one process: -pc_type telescope "
      "-pc_telescope_reduction_factor %d -telescope_pc_type tessera",
      size, size);
  PetscCall(MatGetSize(A, &rows, &columns));
  PetscCheck(rows == columns, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
             "-pc_type tessera needs a square matrix, and this one is %" PetscInt_FMT
             " by %" PetscInt_FMT,
             rows, columns);
  PetscCheck(rows <= std::numeric_limits<std::int32_t>::max(), PETSC_COMM_SELF, PETSC_ERR_SUP,
             "-pc_type tessera takes up to 2147483647 rows, and this matrix has %" PetscInt_FMT,
             rows);
  PetscCall(local_part(A, &m_local));
  if (copied) {
    Mat copy = nullptr;
    PetscCall(MatDuplicate(m_local, MAT_COPY_VALUES, &copy));
    PetscCall(MatDestroy(&m_local));
    m_local = copy;
  }
  PetscCall(MatGetNonzeroState(m_local, &m_state));
  m_matrix = {};
  m_matrix.value_type = scalar_type;
  m_matrix.offset_type = sizeof(PetscInt) == sizeof(std::int64_t) ? TESSERA_INT64 : TESSERA_INT32;
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(m_local), MATSEQBAIJ, &baij));
  PetscCall(baij ? take_baij() : take_aij());
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixArrays::take_pattern(const PetscInt* offsets, const PetscInt* columns) {
  PetscFunctionBegin;
  m_matrix.offsets = offsets;
  m_matrix.entries = m_matrix.rows > 0 ? offsets[m_matrix.rows] : 0;
  if constexpr (sizeof(PetscInt) == sizeof(std::int32_t)) {
    m_matrix.columns = reinterpret_cast<const std::int32_t*>(columns);
  } else {
    m_columns.assign(columns, columns + m_matrix.entries);
    m_matrix.columns = m_columns.data();
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixArrays::take_aij() {
  const PetscInt *offsets = nullptr, *columns = nullptr;
  const PetscScalar* values = nullptr;
  PetscInt rows = 0;
  PetscBool done = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(m_local, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "the matrix does not show its nonzeros");
  m_matrix.rows = rows;
  PetscCall(take_pattern(offsets, columns));
  PetscCall(
      MatRestoreRowIJ(m_local, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done));
  // The arrays stay where they are for as long as the nonzeros do.
  PetscCall(MatSeqAIJGetArrayRead(m_local, &values));
  m_matrix.values = values;
  PetscCall(MatSeqAIJRestoreArrayRead(m_local, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixArrays::take_baij() {
  const PetscInt *offsets = nullptr, *columns = nullptr;
  PetscScalar* values = nullptr;
  PetscInt rows = 0, block_size = 0;
  PetscBool done = PETSC_FALSE;
  PetscObjectState state = 0;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(m_local, &block_size));
  PetscCall(MatGetRowIJ(m_local, 0, PETSC_FALSE, PETSC_TRUE, &rows, &offsets, &columns, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "the matrix does not show its nonzeros");
  m_matrix.rows = rows;
  m_matrix.block_size = static_cast<std::int32_t>(block_size);
  PetscCall(take_pattern(offsets, columns));
  PetscCall(MatRestoreRowIJ(m_local, 0, PETSC_FALSE, PETSC_TRUE, &rows, &offsets, &columns, &done));
  // Only read: a new state would have PETSc set up again at each solve.
  PetscCall(PetscObjectStateGet(reinterpret_cast<PetscObject>(m_local), &state));
  PetscCall(MatSeqBAIJGetArray(m_local, &values));
  if (block_size == 1) {
    m_matrix.values = values;
  } else {
    const auto b = static_cast<std::size_t>(block_size);
    const auto blocks = static_cast<std::size_t>(m_matrix.entries);
    m_values.resize(blocks * b * b);
    for (std::size_t k = 0; k < blocks; ++k)
      for (std::size_t i = 0; i < b; ++i)
        for (std::size_t j = 0; j < b; ++j)
          m_values[(k * b + i) * b + j] = values[(k * b + j) * b + i];
    m_matrix.values = m_values.data();
  }
  PetscCall(MatSeqBAIJRestoreArray(m_local, &values));
  PetscCall(PetscObjectStateSet(reinterpret_cast<PetscObject>(m_local), state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixArrays::release() {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&m_local));
  m_matrix = {};
  m_columns = {};
  m_values = {};
  PetscFunctionReturn(PETSC_SUCCESS);
}

void MatrixArrays::swap(MatrixArrays& other) {
  std::swap(m_local, other.m_local);
  std::swap(m_state, other.m_state);
  std::swap(m_matrix, other.m_matrix);
  m_columns.swap(other.m_columns);
  m_values.swap(other.m_values);
}

PetscErrorCode MatrixArrays::are_current(PetscBool* current) const {
  PetscObjectState state = 0;
  PetscFunctionBegin;
  PetscCall(MatGetNonzeroState(m_local, &state));
  *current = state == m_state ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
