// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `Solver` over several processes holds.
#pragma once

#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/krylov.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/multigrid.hpp"
#include "tessera/distributed/parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

template <class Space>
struct SolverState {
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  std::shared_ptr<const CountingCommunicator> processes;
  Parameters given;
  Parameters parameters;  ///< with what was picked
  Logger logger;
  Numbered<Space> A;
  std::shared_ptr<const SparseOperator<double, Space>> op;
  std::unique_ptr<Multigrid<Space>> multigrid;
  Array<double, Space> inverse_diagonal;  ///< for Jacobi
  MultiVector<double, Space> near_nullspace;
  bool constant_nullspace = false;
  std::unique_ptr<Krylov<Space>> method;
  std::vector<std::string> notes;
  double setup_ms = 0;
  bool is_ready = false;

  bool uses_multigrid() const {
    const auto kind = given.solve.preconditioner;
    return kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic;
  }
  /// Levels, or their new values, and what else follows from the matrix's values. Collective.
  void prepare(const Space& exec, const Matrix<Space>& next);
  /// The method and the nullspace, by the values of all processes. Collective.
  void pick(const Space& exec);
  /// Checks and copies what the user gave. Collective.
  void take_near_nullspace(const Space& exec, const ConstVectors& vectors);
  /// What methods iterate on; it points into the state.
  System<Space> system();
};

}  // namespace tessera::distributed
