// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/preconditioner.hpp"

#include <petsc/private/pcimpl.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "petsc/matrix_rows.hpp"
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

PetscErrorCode set_from_options(PC pc, Parameters::OptionItems PetscOptionsObject) {
  Preconditioner& own = of(pc);
  bool changed = false;
  PetscBool copies = own.copies_matrix;
  PetscInt gather_rows = own.gather_rows;
  PetscFunctionBegin;
  PetscCall(own.parameters.set_from_options(PetscOptionsObject, own.solver, &changed));
  PetscOptionsHeadBegin(PetscOptionsObject, "Tessera and PETSc");
  PetscCall(PetscOptionsBool(
      "-pc_tessera_copy_matrix",
      "copy the matrix, which may then get other nonzeros while the preconditioner is kept",
      "tessera", copies, &copies, nullptr));
  PetscCall(PetscOptionsRangeInt(
      "-pc_tessera_gather_rows",
      "of several processes: levels of at most so many rows go to the first one (0: 10000)",
      "tessera", gather_rows, &gather_rows, nullptr, 0, 100000000));
  PetscOptionsHeadEnd();
  own.settings_changed = own.settings_changed || changed || copies != own.copies_matrix ||
                         gather_rows != own.gather_rows;
  own.copies_matrix = copies;
  own.gather_rows = gather_rows;
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
  own.processes.reset();
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
