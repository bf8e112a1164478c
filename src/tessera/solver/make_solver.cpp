// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"
#include "tessera/solver/make_solver_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space)                                          \
  template std::unique_ptr<KrylovSolver<Scalar, Space>> make_solver<Scalar, Space>( \
      const SolverParameters&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
