// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A whole multigrid cycle as steps, for a solve in one kernel.
#pragma once

#include "tessera/kernels/persistent/solve.hpp"

#include <memory>

namespace tessera::detail {

/// The program, in one of two precisions, and the diagonal matrices around it.
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

}  // namespace tessera::detail
