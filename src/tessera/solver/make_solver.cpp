// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/make_solver.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solver/bicgstab.hpp"
#include "tessera/solver/cg.hpp"
#include "tessera/solver/gmres.hpp"
#include "tessera/solver/richardson.hpp"

namespace tessera {

template <class Scalar, class Space>
std::unique_ptr<KrylovSolver<Scalar, Space>> make_solver(const SolverParameters& parameters) {
  switch (parameters.name) {
    case SolverName::automatic:
      break;
    case SolverName::cg:
      return std::make_unique<Cg<Scalar, Space>>(parameters);
    case SolverName::bicgstab:
      return std::make_unique<Bicgstab<Scalar, Space>>(parameters);
    case SolverName::gmres:
      return std::make_unique<Gmres<Scalar, Space>>(parameters);
    case SolverName::fgmres:
      return std::make_unique<FlexibleGmres<Scalar, Space>>(parameters);
    case SolverName::richardson:
      return std::make_unique<Richardson<Scalar, Space>>(parameters);
  }
  throw Error(
      ErrorKind::precondition,
      "make_solver: parameters.name is auto, which tessera::Solver resolves from the matrix; "
      "expected a method");
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_solver)

}  // namespace tessera
