// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/bicgstab.hpp"
#include "tessera/distributed/cg.hpp"
#include "tessera/distributed/fgmres.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
std::unique_ptr<Krylov<Space>> make_krylov(const SolverParameters& parameters) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::configuration, std::string("on several processes ") + what);
  };
  if (parameters.residual == ResidualKind::true_residual) refuse("'solver.residual' is recurrence");
  if (parameters.side == PreconditioningSide::left) refuse("'solver.side' is right");
  if (parameters.cg.flexible) refuse("'solver.cg.flexible' is false; fgmres is flexible");
  if (parameters.single_kernel == SingleKernel::on) refuse("'solver.single_kernel' is off");
  if (parameters.tiles != TilePrecision::off) refuse("'solver.tiles' is off");
  switch (parameters.name) {
    case SolverName::cg:
      return std::make_unique<Cg<Space>>(parameters);
    case SolverName::bicgstab:
      return std::make_unique<Bicgstab<Space>>(parameters);
    case SolverName::richardson:
      refuse("'solver.name' is cg, bicgstab, gmres or fgmres");
      break;
    case SolverName::automatic:
    case SolverName::gmres:
    case SolverName::fgmres:
      break;
  }
  return std::make_unique<Fgmres<Space>>(parameters);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_krylov)

}  // namespace tessera::distributed
