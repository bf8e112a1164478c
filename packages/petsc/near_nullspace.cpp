// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/near_nullspace.hpp"

#include <petsc/private/petscimpl.h>

#include <algorithm>
#include <utility>

#include "petsc/scalar.hpp"
#include "petsc/status.hpp"

namespace tessera::petsc {

namespace {

/// Appends what tells one object, or one content of it, from another.
PetscErrorCode append_identity(PetscObject object, std::vector<std::int64_t>& identity) {
  PetscObjectId id = 0;
  PetscObjectState state = 0;
  PetscFunctionBegin;
  PetscCall(PetscObjectGetId(object, &id));
  PetscCall(PetscObjectStateGet(object, &state));
  identity.push_back(id);
  identity.push_back(state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// The space whose vectors stand for the near-nullspace of `A`, or null. A constant alone says
/// nothing that Tessera does not assume.
PetscErrorCode space_of(Mat A, MatNullSpace* space) {
  PetscInt vectors = 0;
  PetscFunctionBegin;
  PetscCall(MatGetNearNullSpace(A, space));
  if (*space == nullptr) {
    PetscCall(MatGetNullSpace(A, space));
    if (*space != nullptr) PetscCall(MatNullSpaceGetVecs(*space, nullptr, &vectors, nullptr));
    if (vectors == 0) *space = nullptr;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode identity_of(MatNullSpace space, std::vector<std::int64_t>& identity) {
  PetscInt count = 0;
  const Vec* vectors = nullptr;
  PetscFunctionBegin;
  PetscCall(append_identity(reinterpret_cast<PetscObject>(space), identity));
  PetscCall(MatNullSpaceGetVecs(space, nullptr, &count, &vectors));
  for (PetscInt j = 0; j < count; ++j)
    PetscCall(append_identity(reinterpret_cast<PetscObject>(vectors[j]), identity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// This process's entries of the vectors, column after column; a constant comes first.
template <class Scalar>
PetscErrorCode columns_of(MatNullSpace space, std::int64_t rows, std::vector<Scalar>& columns,
                          PetscInt* count) {
  PetscBool has_constant = PETSC_FALSE;
  const Vec* vectors = nullptr;
  PetscFunctionBegin;
  PetscCall(MatNullSpaceGetVecs(space, &has_constant, count, &vectors));
  columns.clear();
  columns.reserve(static_cast<std::size_t>(rows) * (*count + 1));
  if (has_constant) columns.assign(static_cast<std::size_t>(rows), 1);
  for (PetscInt j = 0; j < *count; ++j) {
    PetscInt length = 0;
    const PetscScalar* entries = nullptr;
    PetscCall(VecGetLocalSize(vectors[j], &length));
    PetscCheck(length == rows, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
               "vector %" PetscInt_FMT " of the near-nullspace has %" PetscInt_FMT
               " entries, and the matrix %lld rows",
               j, length, static_cast<long long>(rows));
    PetscCall(VecGetArrayRead(vectors[j], &entries));
    columns.insert(columns.end(), entries, entries + length);
    PetscCall(VecRestoreArrayRead(vectors[j], &entries));
  }
  if (has_constant) ++*count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode NearNullspace::set_coordinates(PetscInt dimension, PetscInt nodes,
                                              const PetscReal* coordinates) {
  PetscFunctionBegin;
  PetscCheck(nodes == 0 || coordinates != nullptr, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL,
             "the coordinates are null");
  m_dimension = dimension;
  m_nodes = nodes;
  m_coordinates.resize(static_cast<std::size_t>(dimension) * nodes);
  for (PetscInt d = 0; d < dimension; ++d)
    for (PetscInt i = 0; i < nodes; ++i)
      m_coordinates[static_cast<std::size_t>(d) * nodes + i] =
          coordinates[static_cast<std::size_t>(i) * dimension + d];
  ++m_version;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearNullspace::pass_on(Mat A, std::int64_t rows, tessera_solver* solver,
                                      bool* changed) {
  PetscInt block_size = 1;
  MatNullSpace space = nullptr;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(A, &block_size));
  PetscCall(space_of(A, &space));
  const bool with_coordinates = space == nullptr && rows > 0 &&
                                (m_dimension == 2 || m_dimension == 3) &&
                                static_cast<std::int64_t>(m_nodes) * m_dimension == rows;
  std::vector<std::int64_t> now{block_size};
  if (space != nullptr) PetscCall(identity_of(space, now));
  if (with_coordinates) now.push_back(m_version);
  *changed = now != m_passed;
  if (!*changed) PetscFunctionReturn(PETSC_SUCCESS);

  m_passed.clear();
  // A block size of 1 is what PETSc assumes where the program said nothing.
  TESSERA_CALL(
      tessera_set_block_size(solver, block_size > 1 ? static_cast<std::int32_t>(block_size) : 0));
  TESSERA_CALL(tessera_set_coordinates(solver, TESSERA_DOUBLE, 0, 0, nullptr, 0));
  TESSERA_CALL(tessera_set_near_nullspace(solver, TESSERA_DOUBLE, 0, 0, nullptr, 0));
  if (space != nullptr) {
    std::vector<PetscScalar> columns;
    PetscInt count = 0;
    PetscCall(columns_of(space, rows, columns, &count));
    TESSERA_CALL(tessera_set_near_nullspace(
        solver, scalar_type, rows, static_cast<std::int32_t>(count), columns.data(), rows));
  }
  if (with_coordinates)
    TESSERA_CALL(tessera_set_coordinates(solver, TESSERA_DOUBLE, m_nodes,
                                         static_cast<std::int32_t>(m_dimension),
                                         m_coordinates.data(), m_nodes));
  m_passed = std::move(now);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearNullspace::rigid_body_modes(MPI_Comm processes, std::int64_t rows,
                                               MatNullSpace* modes) const {
  Vec coordinates = nullptr;
  PetscScalar* entries = nullptr;
  PetscFunctionBegin;
  PetscCall(VecCreate(processes, &coordinates));
  PetscCall(VecSetSizes(coordinates, static_cast<PetscInt>(rows), PETSC_DETERMINE));
  PetscCall(VecSetBlockSize(coordinates, m_dimension));
  PetscCall(VecSetType(coordinates, VECSTANDARD));
  PetscCall(VecGetArrayWrite(coordinates, &entries));
  for (PetscInt d = 0; d < m_dimension; ++d)
    for (PetscInt i = 0; i < m_nodes; ++i)
      entries[static_cast<std::size_t>(i) * m_dimension + d] =
          static_cast<PetscScalar>(m_coordinates[static_cast<std::size_t>(d) * m_nodes + i]);
  PetscCall(VecRestoreArrayWrite(coordinates, &entries));
  PetscCall(MatNullSpaceCreateRigidBody(coordinates, modes));
  PetscCall(VecDestroy(&coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearNullspace::look(Mat A, std::int64_t rows, bool* changed) {
  PetscInt block_size = 1;
  MatNullSpace space = nullptr;
  PetscFunctionBegin;
  PetscCall(MatGetBlockSize(A, &block_size));
  PetscCall(space_of(A, &space));
  std::vector<std::int64_t> now{block_size};
  m_by_coordinates = false;
  if (space != nullptr) {
    PetscCall(identity_of(space, now));
  } else {
    // Coordinates count where all processes have them, in the same dimension; one without rows has
    // no opinion.
    constexpr int none = 4;
    const int unfit = rows > 0 && static_cast<std::int64_t>(m_nodes) * m_dimension != rows;
    const int dimension = static_cast<int>(m_dimension);
    int own[3] = {unfit, rows > 0 ? dimension : 0, rows > 0 ? -dimension : -none};
    int most[3] = {0, 0, 0};
    PetscCallMPI(MPI_Allreduce(own, most, 3, MPI_INT, MPI_MAX,
                               PetscObjectComm(reinterpret_cast<PetscObject>(A))));
    m_by_coordinates = most[0] == 0 && most[1] == -most[2] && (most[1] == 2 || most[1] == 3);
    if (m_by_coordinates) {
      m_dimension = most[1];
      now.push_back(m_version);
    }
  }
  *changed = now != m_passed;
  m_passed = std::move(now);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearNullspace::gather(Mat A, std::int64_t rows, std::vector<double>& columns,
                                     PetscInt* count) const {
  MatNullSpace space = nullptr, modes = nullptr;
  PetscFunctionBegin;
  *count = 0;
  if (m_by_coordinates) {
    PetscCall(rigid_body_modes(PetscObjectComm(reinterpret_cast<PetscObject>(A)), rows, &modes));
    PetscCall(columns_of(modes, rows, columns, count));
    PetscCall(MatNullSpaceDestroy(&modes));
  } else {
    PetscCall(space_of(A, &space));
    if (space != nullptr) PetscCall(columns_of(space, rows, columns, count));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
