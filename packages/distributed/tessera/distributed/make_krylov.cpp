// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/bicgstab.hpp"
#include "tessera/distributed/cg.hpp"
#include "tessera/distributed/fgmres.hpp"
#include "tessera/distributed/richardson.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solver/make_solver.hpp"

namespace tessera::distributed {

template <class Space>
std::unique_ptr<Krylov<Space>> make_krylov(const SolverParameters& parameters) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::configuration, std::string("on several processes ") + what);
  };
  if (parameters.single_kernel == SingleKernel::on) refuse("'solver.single_kernel' is off");
  if (parameters.tiles != TilePrecision::off) refuse("'solver.tiles' is off");
  // What a method has not on one process either is refused in the same words.
  if (parameters.name != SolverName::automatic) make_solver<double, Space>(parameters);
  switch (parameters.name) {
    case SolverName::cg:
      return std::make_unique<Cg<Space>>(parameters);
    case SolverName::bicgstab:
      return std::make_unique<Bicgstab<Space>>(parameters);
    case SolverName::richardson:
      return std::make_unique<Richardson<Space>>(parameters);
    case SolverName::automatic:
    case SolverName::gmres:
    case SolverName::fgmres:
      break;
  }
  return std::make_unique<Fgmres<Space>>(parameters);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_krylov)

}  // namespace tessera::distributed
