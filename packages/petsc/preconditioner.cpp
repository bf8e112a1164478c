// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/preconditioner.hpp"

#include <petsc/private/pcimpl.h>

#include <limits>

#include "petsc/scalar.hpp"
#include "petsc/status.hpp"
#include "petsc/threads.hpp"

namespace tessera::petsc {

namespace {

/// PETSC_INFINITY is a finite number.
constexpr PetscScalar infinity = std::numeric_limits<PetscScalar>::infinity();

Preconditioner& of(PC pc) { return *static_cast<Preconditioner*>(pc->data); }

/// What the contents of a matrix are to blame for, or too little memory, is a reason for the Krylov
/// method or SNES to go on otherwise; everything else is an error.
PetscErrorCode report_failure(PC pc, tessera_status status) {
  Preconditioner& own = of(pc);
  PetscFunctionBegin;
  own.failure = tessera_last_error();
  const bool is_reason = status == TESSERA_ERROR_INPUT || status == TESSERA_ERROR_MEMORY;
  PetscCheck(is_reason && !pc->erroriffailure, PetscObjectComm(reinterpret_cast<PetscObject>(pc)),
             error_of(status), "%s", own.failure.c_str());
  PetscCall(PetscInfo(pc, "%s\n", own.failure.c_str()));
  PetscCall(PCSetFailedReason(
      pc, status == TESSERA_ERROR_MEMORY ? PC_FACTOR_OUTMEMORY : PC_FACTOR_OTHER));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode set_up(PC pc) {
  Preconditioner& own = of(pc);
  MatrixArrays arrays;
  bool knowledge_changed = false;
  PetscFunctionBegin;
  own.failure.clear();
  PetscCall(PCSetFailedReason(pc, PC_NOERROR));
  PetscCall(start_threads());
  PetscCall(arrays.take(pc->pmat, own.copies_matrix));
  PetscCall(
      own.near_nullspace.pass_on(pc->pmat, arrays.num_rows(), own.solver, &knowledge_changed));
  const bool same_settings = !own.settings_changed && !knowledge_changed;
  tessera_status status = TESSERA_ERROR_ARGUMENT;
  if (own.is_set_up && same_settings && pc->setupcalled && pc->flag == SAME_NONZERO_PATTERN) {
    status = tessera_update(own.solver, &arrays.matrix());
    if (status >= 0) ++own.updates;
  }
  if (status < 0) {
    status = tessera_setup(own.solver, &arrays.matrix());
    if (status >= 0) ++own.setups;
  }
  own.is_set_up = status >= 0;
  own.settings_changed = !own.is_set_up;
  own.arrays.swap(arrays);
  PetscCall(arrays.release());
  if (!own.is_set_up) PetscCall(report_failure(pc, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
  PetscCall(own.arrays.are_current(&current));
  PetscCheck(current, PetscObjectComm(reinterpret_cast<PetscObject>(pc)), PETSC_ERR_ARG_WRONGSTATE,
             "the matrix got other nonzeros since PCSetUp, which shares its arrays; to apply this "
             "preconditioner all the same, set -pc_tessera_copy_matrix before its setup");
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
  const std::int64_t rows = own.arrays.num_rows();
  PetscCall(VecGetArrayRead(r, &in));
  PetscCall(VecGetArrayWrite(z, &out));
  const tessera_status status =
      tessera_apply(own.solver, scalar_type, rows, 1, in, rows, out, rows);
  PetscCall(VecRestoreArrayWrite(z, &out));
  PetscCall(VecRestoreArrayRead(r, &in));
  PetscCheck(status >= 0, PETSC_COMM_SELF, error_of(status), "%s", tessera_last_error());
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
  const tessera_status status =
      tessera_apply(own.solver, scalar_type, own.arrays.num_rows(),
                    static_cast<std::int32_t>(columns), in, in_leading, out, out_leading);
  PetscCall(MatDenseRestoreArrayWrite(Z, &out));
  PetscCall(MatDenseRestoreArrayRead(R, &in));
  PetscCheck(status >= 0, PETSC_COMM_SELF, error_of(status), "%s", tessera_last_error());
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode set_from_options(PC pc, Parameters::OptionItems PetscOptionsObject) {
  Preconditioner& own = of(pc);
  bool changed = false;
  PetscBool copies = own.copies_matrix;
  PetscFunctionBegin;
  PetscCall(own.parameters.set_from_options(PetscOptionsObject, own.solver, &changed));
  PetscOptionsHeadBegin(PetscOptionsObject, "Tessera and PETSc");
  PetscCall(PetscOptionsBool(
      "-pc_tessera_copy_matrix",
      "copy the matrix, which may then get other nonzeros while the preconditioner is kept",
      "tessera", copies, &copies, nullptr));
  PetscOptionsHeadEnd();
  own.settings_changed = own.settings_changed || changed || copies != own.copies_matrix;
  own.copies_matrix = copies;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode set_coordinates(PC pc, PetscInt dimension, PetscInt nodes, PetscReal* coordinates) {
  return guarded(
      [&] { return of(pc).near_nullspace.set_coordinates(dimension, nodes, coordinates); });
}

/// Frees all that belongs to a matrix; parameters stay.
PetscErrorCode reset(PC pc) {
  Preconditioner& own = of(pc);
  PetscFunctionBegin;
  TESSERA_CALL(tessera_destroy(own.solver));
  own.solver = nullptr;
  PetscCall(own.arrays.release());
  own.near_nullspace = {};
  own.is_set_up = own.settings_changed = false;
  own.setups = own.updates = 0;
  own.failure.clear();
  TESSERA_CALL(tessera_create(&own.solver));
  PetscCall(own.parameters.set_again(own.solver));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode destroy(PC pc) {
  Preconditioner* const own = &of(pc);
  PetscFunctionBegin;
  TESSERA_CALL(tessera_destroy(own->solver));
  PetscCall(own->arrays.release());
  PetscCall(
      PetscObjectComposeFunction(reinterpret_cast<PetscObject>(pc), "PCSetCoordinates_C", nullptr));
  delete own;
  pc->data = nullptr;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode make(PC pc) {
  PetscFunctionBegin;
  auto* const own = new Preconditioner;
  pc->data = own;
  TESSERA_CALL(tessera_create(&own->solver));
  pc->ops->setup = [](PC p) { return guarded([&] { return set_up(p); }); };
  pc->ops->apply = [](PC p, Vec r, Vec z) { return guarded([&] { return apply(p, r, z); }); };
  pc->ops->matapply = [](PC p, Mat R, Mat Z) {
    return guarded([&] { return mat_apply(p, R, Z); });
  };
  pc->ops->setfromoptions = [](PC p, Parameters::OptionItems items) {
    return guarded([&] { return set_from_options(p, items); });
  };
  pc->ops->view = [](PC p, PetscViewer viewer) { return guarded([&] { return view(p, viewer); }); };
  pc->ops->reset = [](PC p) { return guarded([&] { return reset(p); }); };
  pc->ops->destroy = [](PC p) { return guarded([&] { return destroy(p); }); };
  PetscCall(PetscObjectComposeFunction(reinterpret_cast<PetscObject>(pc), "PCSetCoordinates_C",
                                       set_coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode create(PC pc) {
  return guarded([&] { return make(pc); });
}

}  // namespace tessera::petsc
