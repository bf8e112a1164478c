// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An `Operator` whose levels are distributed over the processes.
#pragma once

#include "tessera/tpetra/operator_vectors_impl.hpp"
#include "tessera/tpetra/product_arguments.hpp"

#include <string>

namespace tessera::tpetra {

/// Throws for choices that levels over several processes do not have.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::check_for_levels() const {
  try {
    distributed::Multigrid<Space>::check(parameters.solve.amg);
  } catch (const Error& error) {
    throw Error(error.kind(),
                std::string(error.what()) +
                    "; 'distributed' = 'block_jacobi' has all of Tessera on each process");
  }
}

/// Levels over all processes; the coarsest one is the first process's, which has it preconditioned
/// as any matrix.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up_levels() {
  const Space exec;
  MultiVector<double, Space> vectors;
  on_all_processes(*map->getComm(), [&] {
    // Which the checks of user data compare with.
    local.num_rows = static_cast<Ordinal>(map->getLocalNumElements());
    vectors = near_nullspace(exec, false);
  });
  levels.reset();
  levels = std::make_unique<distributed::Multigrid<Space>>(
      exec,
      distributed::MultigridParameters{parameters.solve, parameters.gather_rows,
                                       parameters.rigid_body_modes
                                           ? static_cast<int>(coordinates->getNumVectors())
                                           : parameters.block_size},
      finest_of(exec, A), vectors);
  is_symmetric = levels->is_symmetric();
  if (parameters.solve.amg.reuse != amg::Reuse::none) pattern = A->getCrsGraph();
}

/// New values, and of levels what "amg.reuse" says.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::update_levels(const Teuchos::RCP<const Matrix>& next) {
  const amg::Reuse reuse = parameters.solve.amg.reuse;
  if (reuse != amg::Reuse::none) require_same_pattern(*next);
  A = next;
  if (reuse == amg::Reuse::hierarchy) return;
  if (levels == nullptr) return set_up_levels();
  const Space exec;
  levels->update(exec, finest_of(exec, A));
  is_symmetric = levels->is_symmetric();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::require_same_pattern(const Matrix& next) const {
  const auto now = next.getCrsGraph();
  if (now.get() == pattern.get()) return;
  const bool same_columns = now->getColMap()->isSameAs(*pattern->getColMap());
  const auto view_of = [](const auto& graph) {
    const auto local = graph.getLocalGraphDevice();
    return kernels::CsrView<double, Space, std::int64_t>{
        static_cast<Ordinal>(graph.getLocalNumRows()),
        static_cast<Ordinal>(graph.getColMap()->getLocalNumElements()),
        local.entries.extent(0),
        ArrayView<const std::int64_t, Space>(
            reinterpret_cast<const std::int64_t*>(local.row_map.data()), local.row_map.extent(0)),
        ArrayView<const Ordinal, Space>(local.entries.data(), local.entries.extent(0)),
        {}};
  };
  on_all_processes(*map->getComm(), [&] {
    if (!same_columns)
      operator_detail::refuse("the pattern of A changed: its columns are others' than at setup");
    tessera::require_same_pattern(Space(), view_of(*pattern), view_of(*now));
  });
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_levels(const Vectors& X, Vectors& Y, double alpha,
                                                        double beta) {
  const std::size_t k = product_detail::common_columns(X, Y);
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  if (k == 0) return;
  if (alpha == 0) {
    product_detail::scale_result(Y, beta);
    return;
  }
  if (workspace.getMap() != map || workspace.getNumVectors() != k)
    on_all_processes(*map->getComm(), [&] { workspace = Vectors(map, k, false); });
  const Space exec;
  {
    const Vectors even_x(X, X.isConstantStride() ? Teuchos::View : Teuchos::Copy);
    const auto x = even_x.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto y = workspace.getLocalViewDevice(Tpetra::Access::OverwriteAll);
    levels->apply(exec, ConstLocalVectors(as_multivector(x)), LocalVectors(as_multivector(y)));
    exec.fence("tessera::tpetra::Operator");
  }
  Y.update(alpha, workspace, beta);
}

}  // namespace tessera::tpetra
