// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An `Operator` whose levels are spread over the processes.
#pragma once

#include "tessera/amg/find_nodes.hpp"
#include "tessera/tpetra/operator_vectors_impl.hpp"

#include <limits>
#include <string>
#include <utility>

namespace tessera::tpetra {

/// Throws for choices that levels over several processes do not have.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::check_for_levels() const {
  const amg::Parameters& p = parameters.solve.amg;
  const std::string instead = "; 'distributed' = 'block_jacobi' has all of Tessera on each process";
  const auto type = p.smoother.type;
  if (type == SmootherType::l1_jacobi || type == SmootherType::spai0 || type == SmootherType::ilu)
    throw Error(
        ErrorKind::configuration,
        "on several processes 'amg.smoother.type' is one of: auto, jacobi, chebyshev" + instead);
  if (p.cycle != amg::CycleType::v && p.cycle != amg::CycleType::w)
    throw Error(ErrorKind::configuration, "on several processes 'amg.cycle' is v or w" + instead);
  if (!p.levels.empty() || p.choose_level)
    throw Error(ErrorKind::configuration,
                "on several processes there are no choices by level ('amg.levels')" + instead);
}

/// Unknowns per vertex: those given, else those that every process with rows finds in its block; 1
/// where they find different ones.
template <class GlobalOrdinal, class Node>
int Operator<GlobalOrdinal, Node>::State::agreed_block_size(const Space& exec) const {
  const auto rows = static_cast<int>(map->getLocalNumElements());
  const int given = parameters.rigid_body_modes ? static_cast<int>(coordinates->getNumVectors())
                                                : parameters.block_size;
  int own = given;
  on_all_processes(*map->getComm(), [&] {
    if (given > 0 && rows % given != 0)
      operator_detail::refuse(operator_detail::here(static_cast<std::size_t>(rows), "rows") +
                              " are no whole number of vertices of " + std::to_string(given) +
                              " unknowns");
    if (given > 0 || rows == 0) return;
    const auto block = diagonal_block(exec, distributed_detail::local_view(*A),
                                      distributed_detail::own_columns(*A));
    const amg::Nodes nodes = amg::find_nodes(exec, block.view(), 0);
    own = nodes.by_unknown || rows % nodes.block_size != 0 ? 1 : nodes.block_size;
  });
  if (given > 0) return given;
  // A process without rows has no opinion.
  const int lowest = rows > 0 ? own : std::numeric_limits<int>::max();
  int smallest = 1;
  int largest = 1;
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, lowest, Teuchos::outArg(smallest));
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(largest));
  return smallest == largest ? smallest : 1;
}

/// Levels over all processes; the coarsest one is the root's, which has it preconditioned as any
/// matrix.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up_levels() {
  const Space exec;
  const int block_size = agreed_block_size(exec);
  MultiVector<double, Space> vectors;
  on_all_processes(*map->getComm(), [&] {
    const auto rows = static_cast<Ordinal>(map->getLocalNumElements());
    local.num_rows = rows;  // which the checks of user data compare with
    vectors = near_nullspace(exec, false);
    if (vectors.extent(1) == 0)
      vectors = amg::unit_vectors<double, Space>(exec, {block_size, rows / block_size});
  });
  const bool symmetric = looks_symmetric(*A);
  Parameters below = parameters;
  below.solve.preconditioner = PreconditionerKind::amg;
  below.distributed = Distribution::block_jacobi;
  below.rigid_body_modes = false;
  below.block_size = static_cast<int>(vectors.extent(1));
  levels = std::make_unique<DistributedMultigrid<GlobalOrdinal, Node>>(
      parameters.solve.amg, A, vectors, block_size, symmetric, parameters.gather_rows,
      [&](const Teuchos::RCP<const Matrix>& coarsest, const Teuchos::RCP<const Vectors>& given) {
        Teuchos::ParameterList data;
        data.set("Nullspace", given);
        on_root = Teuchos::rcp(new Operator(coarsest, below, data));
        return [root = on_root](const Vectors& r, Vectors& z) { root->apply(r, z); };
      });
  is_symmetric = symmetric && on_root->hasTransposeApply();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_levels(const Vectors& X, Vectors& Y, double alpha,
                                                        double beta) {
  const std::size_t k = Y.getNumVectors();
  if (X.getNumVectors() != k)
    operator_detail::refuse("X has " + std::to_string(X.getNumVectors()) + " columns, Y has " +
                            std::to_string(k));
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  if (k == 0) return;
  if (alpha == 0) {
    if (beta == 0) {
      Y.putScalar(0);
    } else {
      Y.scale(beta);
    }
    return;
  }
  if (workspace.getMap() != map || workspace.getNumVectors() != k)
    workspace = Vectors(map, k, false);
  levels->apply(X, workspace);
  Y.update(alpha, workspace, beta);
}

}  // namespace tessera::tpetra
