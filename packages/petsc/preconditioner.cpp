// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/preconditioner.hpp"

#include <petsc/private/pcimpl.h>

#include "petsc/status.hpp"

namespace tessera::petsc {

Preconditioner& of(PC pc) { return *static_cast<Preconditioner*>(pc->data); }

namespace {

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
