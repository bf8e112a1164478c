// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's parameters as options of PETSc's.
#pragma once

#include <petsc/private/pcimpl.h>

#include <map>
#include <string>
#include <vector>

#include "tessera.h"

namespace tessera::petsc {

/// What PETSc's options set, which outlives the solver that it was set in.
class Parameters {
 public:
  /// PetscOptionItems, which was a structure before it became a pointer.
  template <class>
  struct SecondArgument;
  template <class First, class Second>
  struct SecondArgument<PetscErrorCode (*)(First, Second)> {
    using type = Second;
  };
  using OptionItems = SecondArgument<decltype(_PCOps::setfromoptions)>::type;

  /// Reads `-pc_tessera_options` and then the option of each parameter, "amg.cycle" being
  /// `-pc_tessera_amg_cycle`, and sets them in the solver; with `-help` prints them. `changed`:
  /// whether anything is set otherwise than before.
  PetscErrorCode set_from_options(OptionItems PetscOptionsObject, tessera_solver* solver,
                                  bool* changed);

  /// Sets the same in another solver.
  PetscErrorCode set_again(tessera_solver* solver) const;

  /// Words "amg.cycle=w" in the order in which they are set, later ones over earlier ones.
  std::vector<std::string> settings() const;

  /// "amg.cycle=w solver.tolerance=1e-9", in the order of the keys; empty: nothing was set.
  std::string words() const;

 private:
  PetscErrorCode set(const std::string& option, const std::string& words, tessera_solver* solver,
                     bool* changed);

  std::map<std::string, std::string> m_set;  ///< the words by their option
};

}  // namespace tessera::petsc
