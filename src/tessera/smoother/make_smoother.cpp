// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/make_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/smoother/block_smoother.hpp"
#include "tessera/smoother/chebyshev.hpp"
#include "tessera/smoother/fsai_smoother.hpp"
#include "tessera/smoother/gauss_seidel.hpp"
#include "tessera/smoother/ilu_smoother.hpp"
#include "tessera/smoother/jacobi.hpp"
#include "tessera/smoother/register_smoother.hpp"
#include "tessera/smoother/smoother_needs.hpp"
#include "tessera/smoother/two_stage_gauss_seidel.hpp"

#include <string>

namespace tessera {

template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius, int block_size) {
  using Jacobi = JacobiSmoother<Scalar, Space>;
  const int sweeps = parameters.sweeps;
  require(!smoother_needs(parameters).entries || entries.num_rows == A->num_rows(), [&] {
    return "smoother " + std::string(smoother_name(parameters.type)) +
           " reads the matrix's entries, and has those of " + std::to_string(entries.num_rows) +
           " rows of " + std::to_string(A->num_rows());
  });
  switch (parameters.type) {
    case SmootherType::automatic:
      break;
    case SmootherType::jacobi:
      return std::make_unique<Jacobi>(
          make_jacobi(exec, A, inverse_diagonal, parameters.jacobi.omega,
                      parameters.jacobi.omega_over_radius ? spectral_radius : 1.0, sweeps));
    case SmootherType::l1_jacobi:
      return std::make_unique<Jacobi>(A, l1_jacobi_weights(exec, entries), sweeps);
    case SmootherType::spai0:
      return std::make_unique<Jacobi>(A, spai0_weights(exec, entries), sweeps);
    case SmootherType::chebyshev:
      return std::make_unique<ChebyshevSmoother<Scalar, Space>>(
          A, inverse_diagonal, spectral_radius, parameters.chebyshev, sweeps);
    case SmootherType::ilu:
      return make_ilu_smoother(exec, A, entries, parameters.ilu, sweeps);
    case SmootherType::block_jacobi:
      return make_block_smoother(exec, A, entries, parameters.block_jacobi, block_size, sweeps);
    case SmootherType::gauss_seidel:
      return std::make_unique<GaussSeidelSmoother<Scalar, Space, Offset>>(
          exec, entries, inverse_diagonal, parameters.gauss_seidel, sweeps);
    case SmootherType::two_stage_gauss_seidel:
      return std::make_unique<TwoStageGaussSeidelSmoother<Scalar, Space, Offset>>(
          exec, A, entries, inverse_diagonal, parameters.gauss_seidel, sweeps);
    case SmootherType::fsai:
      return make_fsai_smoother(exec, A, entries, parameters.fsai, sweeps);
  }
  if (parameters.type != SmootherType::automatic)
    return make_registered_smoother<Scalar, Space, Offset>(
        exec, {parameters, A, entries, inverse_diagonal, spectral_radius});
  throw Error(
      ErrorKind::precondition,
      "make_smoother: parameters.type is auto, which multigrid resolves; expected a relaxation");
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_smoother)

}  // namespace tessera
