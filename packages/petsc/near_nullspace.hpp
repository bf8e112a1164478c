// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a program told PETSc of its system: near-nullspace vectors, unknowns per node, coordinates.
#pragma once

#include <petscmat.h>

#include <cstdint>
#include <vector>

#include "tessera.h"

namespace tessera::petsc {

/// Passes that on to a solver, and knows what it has passed on last.
class NearNullspace {
 public:
  /// From PCSetCoordinates: `nodes` rows of `dimension` entries. They count where nodes times
  /// dimension is the number of rows, and the matrix has no vectors.
  PetscErrorCode set_coordinates(PetscInt dimension, PetscInt nodes, const PetscReal* coordinates);

  /// Passes on the block size of `A` and the vectors that stand for its near-nullspace: those of
  /// MatSetNearNullSpace, else those of MatSetNullSpace, else the rigid body modes of the
  /// coordinates, else none. `changed`: whether these are others than the last ones.
  PetscErrorCode pass_on(Mat A, std::int64_t rows, tessera_solver* solver, bool* changed);

  /// Of a matrix over several processes, of which this one has `rows` rows: whether block size and
  /// vectors are others than at the last call. Collective; `changed` may differ between processes.
  PetscErrorCode look(Mat A, std::int64_t rows, bool* changed);
  /// This process's entries of the vectors that the last `look` has found, column after column.
  /// Collective.
  PetscErrorCode gather(Mat A, std::int64_t rows, std::vector<double>& columns,
                        PetscInt* count) const;

 private:
  PetscErrorCode rigid_body_modes(MPI_Comm processes, std::int64_t rows, MatNullSpace* modes) const;

  PetscInt m_dimension = 0, m_nodes = 0;
  std::vector<double> m_coordinates;  ///< column after column
  std::int64_t m_version = 0;  ///< of the coordinates
  bool m_by_coordinates = false;  ///< what `look` has found
  std::vector<std::int64_t> m_passed;  ///< identities and states of what was passed on
};

}  // namespace tessera::petsc
