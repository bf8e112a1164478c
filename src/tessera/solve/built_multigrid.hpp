// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A multigrid that was built, without what wraps it, and its cycle as steps for one kernel.
#pragma once

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tessera::detail {

/// A whole cycle as a program, in one of two precisions, and the diagonal matrices around it.
template <class Scalar, class Space>
struct CycleProgram {
  std::unique_ptr<kernels::StepProgram<Scalar, Space>> same;
  std::unique_ptr<kernels::StepProgram<float, Space>> in_float;  ///< where Scalar is double
  Array<Scalar, Space> rows;  ///< empty for 1
  Array<Scalar, Space> columns;

  kernels::PersistentPreconditioner<Scalar, Space> preconditioner() const {
    kernels::PersistentPreconditioner<Scalar, Space> M;
    M.program = same.get();
    M.float_program = in_float.get();
    M.rows = rows;
    M.columns = columns;
    return M;
  }
};

/// Multigrid in one of two precisions, neither where none was built.
template <class Scalar, class Space>
struct BuiltMultigrid {
  std::shared_ptr<amg::Multigrid<Scalar, Space>> same;
  std::shared_ptr<amg::Multigrid<float, Space>> in_float;  ///< where Scalar is double
  std::optional<amg::Equilibration<Space>> scaling;
  bool by_unknown = false;  ///< A's unknowns are, and multigrid's are renumbered

  /// Whether the coarsest level is regular and not symmetric positive definite.
  bool coarsest_is_indefinite() const;
  /// Writes the cycle as the steps of a program, which reads the multigrid's arrays. Returns why
  /// that cannot be; empty where it is done.
  std::string write_steps(const Space& exec, CycleProgram<Scalar, Space>& program) const;
};

}  // namespace tessera::detail
