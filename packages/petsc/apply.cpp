// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// PCApply and PCMatApply.
#include <petsc/private/pcimpl.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "petsc/preconditioner.hpp"
#include "petsc/scalar.hpp"
#include "petsc/status.hpp"

namespace tessera::petsc {

namespace {

/// PETSC_INFINITY is a finite number.
constexpr PetscScalar infinity = std::numeric_limits<PetscScalar>::infinity();

/// Whether the setup failed for a reason: results are infinite then, by which PETSc's methods find
/// out.
bool has_failed(const Preconditioner& own) { return !own.is_set_up && !own.failure.empty(); }

/// An error where the arrays that the solver shares have moved.
PetscErrorCode check_arrays(PC pc) {
  const Preconditioner& own = of(pc);
  PetscBool current = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCheck(own.is_set_up, PetscObjectComm(reinterpret_cast<PetscObject>(pc)), PETSC_ERR_ORDER,
             "the preconditioner is not set up");
  if (own.processes != nullptr) PetscFunctionReturn(PETSC_SUCCESS);  // which has copies
  PetscCall(own.arrays.are_current(&current));
  PetscCheck(current, PetscObjectComm(reinterpret_cast<PetscObject>(pc)), PETSC_ERR_ARG_WRONGSTATE,
             "the matrix got other nonzeros since PCSetUp, which shares its arrays; to apply this "
             "preconditioner all the same, set -pc_tessera_copy_matrix before its setup");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// In PETSc's scalar, where that is double; else by way of copies.
PetscErrorCode apply_together(const Preconditioner& own, PetscInt columns, const PetscScalar* in,
                              PetscInt in_leading, PetscScalar* out, PetscInt out_leading,
                              Outcome& outcome) {
  const int count = static_cast<int>(columns);
  const std::int64_t rows = own.num_rows;
  PetscFunctionBegin;
  if constexpr (std::is_same_v<PetscScalar, double>) {
    outcome = own.processes->apply({in, in_leading, count}, {out, out_leading, count});
  } else {
    std::vector<double> r(static_cast<std::size_t>(rows * columns)), z(r.size());
    for (PetscInt j = 0; j < columns; ++j)
      std::copy_n(in + static_cast<std::int64_t>(j) * in_leading, rows, r.data() + j * rows);
    outcome = own.processes->apply({r.data(), rows, count}, {z.data(), rows, count});
    for (PetscInt j = 0; j < columns; ++j)
      std::transform(z.data() + j * rows, z.data() + (j + 1) * rows,
                     out + static_cast<std::int64_t>(j) * out_leading,
                     [](double entry) { return static_cast<PetscScalar>(entry); });
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// Of `columns` columns, this process's rows of them.
PetscErrorCode apply_to(PC pc, PetscInt columns, const PetscScalar* in, PetscInt in_leading,
                        PetscScalar* out, PetscInt out_leading) {
  const Preconditioner& own = of(pc);
  Outcome outcome;
  PetscFunctionBegin;
  if (own.processes != nullptr) {
    PetscCall(apply_together(own, columns, in, in_leading, out, out_leading, outcome));
  } else {
    outcome.status =
        tessera_apply(own.solver, scalar_type, own.num_rows, static_cast<std::int32_t>(columns), in,
                      in_leading, out, out_leading);
    if (outcome.status < 0) outcome.message = tessera_last_error();
  }
  PetscCheck(outcome.status >= 0, PetscObjectComm(reinterpret_cast<PetscObject>(pc)),
             error_of(outcome.status), "%s", outcome.message.c_str());
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode apply(PC pc, Vec r, Vec z) {
  const Preconditioner& own = of(pc);
  const PetscScalar* in = nullptr;
  PetscScalar* out = nullptr;
  PetscFunctionBegin;
  if (has_failed(own)) {
    PetscCall(VecSet(z, infinity));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(check_arrays(pc));
  PetscCall(VecGetArrayRead(r, &in));
  PetscCall(VecGetArrayWrite(z, &out));
  PetscCall(apply_to(pc, 1, in, own.num_rows, out, own.num_rows));
  PetscCall(VecRestoreArrayWrite(z, &out));
  PetscCall(VecRestoreArrayRead(r, &in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode mat_apply(PC pc, Mat R, Mat Z) {
  const Preconditioner& own = of(pc);
  const PetscScalar* in = nullptr;
  PetscScalar* out = nullptr;
  PetscInt columns = 0, in_leading = 0, out_leading = 0;
  PetscFunctionBegin;
  PetscCall(MatGetSize(R, nullptr, &columns));
  if (columns == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (has_failed(own)) {
    for (PetscInt j = 0; j < columns; ++j) {
      Vec z = nullptr;
      PetscCall(MatDenseGetColumnVecWrite(Z, j, &z));
      PetscCall(VecSet(z, infinity));
      PetscCall(MatDenseRestoreColumnVecWrite(Z, j, &z));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(check_arrays(pc));
  PetscCall(MatDenseGetLDA(R, &in_leading));
  PetscCall(MatDenseGetLDA(Z, &out_leading));
  PetscCall(MatDenseGetArrayRead(R, &in));
  PetscCall(MatDenseGetArrayWrite(Z, &out));
  PetscCall(apply_to(pc, columns, in, in_leading, out, out_leading));
  PetscCall(MatDenseRestoreArrayWrite(Z, &out));
  PetscCall(MatDenseRestoreArrayRead(R, &in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
