// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// PCSetUp: a setup or an update, alone or of several processes.
#include <petsc/private/pcimpl.h>

#include <vector>

#include "petsc/matrix_rows.hpp"
#include "petsc/preconditioner.hpp"
#include "petsc/status.hpp"
#include "petsc/threads.hpp"

namespace tessera::petsc {

namespace {

/// What the contents of a matrix are to blame for, or too little memory, is a reason for the Krylov
/// method or SNES to go on otherwise; everything else is an error.
PetscErrorCode report_failure(PC pc, const Outcome& outcome) {
  Preconditioner& own = of(pc);
  const tessera_status status = outcome.status;
  PetscFunctionBegin;
  own.failure = outcome.message;
  const bool is_reason = status == TESSERA_ERROR_INPUT || status == TESSERA_ERROR_MEMORY;
  PetscCheck(is_reason && !pc->erroriffailure, PetscObjectComm(reinterpret_cast<PetscObject>(pc)),
             error_of(status), "%s", own.failure.c_str());
  PetscCall(PetscInfo(pc, "%s\n", own.failure.c_str()));
  PetscCall(PCSetFailedReason(
      pc, status == TESSERA_ERROR_MEMORY ? PC_FACTOR_OUTMEMORY : PC_FACTOR_OTHER));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/// Whether the solver may take new values alone, what it was told being the same.
bool may_update(PC pc, bool knowledge_changed) {
  const Preconditioner& own = of(pc);
  return own.is_set_up && !own.settings_changed && !knowledge_changed && pc->setupcalled &&
         pc->flag == SAME_NONZERO_PATTERN;
}

/// Of a matrix of one process.
PetscErrorCode set_up_alone(PC pc, Outcome& outcome) {
  Preconditioner& own = of(pc);
  MatrixArrays arrays;
  bool knowledge_changed = false;
  PetscFunctionBegin;
  PetscCall(arrays.take(pc->pmat, own.copies_matrix));
  own.num_rows = static_cast<PetscInt>(arrays.num_rows());
  PetscCall(
      own.near_nullspace.pass_on(pc->pmat, arrays.num_rows(), own.solver, &knowledge_changed));
  outcome.status = TESSERA_ERROR_ARGUMENT;
  if (may_update(pc, knowledge_changed)) {
    outcome.status = tessera_update(own.solver, &arrays.matrix());
    if (outcome.status >= 0) ++own.updates;
  }
  if (outcome.status < 0) {
    outcome.status = tessera_setup(own.solver, &arrays.matrix());
    if (outcome.status >= 0) ++own.setups;
  }
  if (outcome.status < 0) outcome.message = tessera_last_error();
  own.arrays.swap(arrays);
  PetscCall(arrays.release());
  PetscFunctionReturn(PETSC_SUCCESS);
}

#if TESSERA_PETSC_HAS_DISTRIBUTED
/// Of a matrix over several processes.
PetscErrorCode set_up_together(PC pc, Outcome& outcome) {
  Preconditioner& own = of(pc);
  const MPI_Comm processes = PetscObjectComm(reinterpret_cast<PetscObject>(pc));
  MatrixRows rows;
  std::vector<double> near_nullspace;
  PetscInt own_rows = 0, count = 0, block_size = 1;
  bool knowledge_changed = false;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(pc->pmat, &own_rows, nullptr));
  PetscCall(own.near_nullspace.look(pc->pmat, own_rows, &knowledge_changed));
  // Numbers of objects may differ between processes.
  const int own_wish = own.processes != nullptr && may_update(pc, knowledge_changed) ? 1 : 0;
  int updates = 0;
  PetscCallMPI(MPI_Allreduce(&own_wish, &updates, 1, MPI_INT, MPI_MIN, processes));
  PetscCall(rows.take(pc->pmat, updates == 0));
  own.num_rows = own_rows;
  if (updates != 0) {
    outcome = own.processes->update(rows.values());
    if (outcome.status >= 0) {
      ++own.updates;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    PetscCall(rows.take(pc->pmat, true));
  }
  PetscCall(own.near_nullspace.gather(pc->pmat, own_rows, near_nullspace, &count));
  if (own.processes == nullptr) own.processes = make_several_processes(processes);
  PetscCall(MatGetBlockSize(pc->pmat, &block_size));
  // A block size of 1 is what PETSc assumes where the program said nothing.
  outcome = own.processes->set_up({own.parameters.settings(), static_cast<int>(own.gather_rows),
                                   block_size > 1 ? static_cast<int>(block_size) : 0},
                                  rows.rows(),
                                  {near_nullspace.data(), own_rows, static_cast<int>(count)});
  if (outcome.status >= 0) ++own.setups;
  PetscFunctionReturn(PETSC_SUCCESS);
}
#endif

}  // namespace

PetscErrorCode set_up(PC pc) {
  Preconditioner& own = of(pc);
  Outcome outcome;
  PetscFunctionBegin;
  own.failure.clear();
  PetscCall(PCSetFailedReason(pc, PC_NOERROR));
  PetscCall(start_threads());
#if TESSERA_PETSC_HAS_DISTRIBUTED
  PetscMPIInt size = 0;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(pc->pmat)), &size));
  PetscCall(size > 1 ? set_up_together(pc, outcome) : set_up_alone(pc, outcome));
#else
  PetscCall(set_up_alone(pc, outcome));
#endif
  own.is_set_up = outcome.status >= 0;
  own.settings_changed = !own.is_set_up;
  if (!own.is_set_up) PetscCall(report_failure(pc, outcome));
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace tessera::petsc
