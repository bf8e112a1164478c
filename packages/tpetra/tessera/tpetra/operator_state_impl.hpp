// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How an `Operator` sets up and applies.
#pragma once

#include "tessera/matrix/same_pattern.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/tpetra/local_matrix_impl.hpp"
#include "tessera/tpetra/operator_state.hpp"
#include "tessera/tpetra/operator_user_data.hpp"
#include "tessera/tpetra/product_arguments.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <memory>
#include <string>
#include <tuple>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::State::checked_matrix(
    const Teuchos::RCP<const Base>& given) const -> Teuchos::RCP<const Matrix> {
  using operator_detail::refuse;
  if (given.is_null()) refuse("the matrix is a null pointer");
  const auto matrix = Teuchos::rcp_dynamic_cast<const Matrix>(given);
  if (matrix.is_null())
    refuse("the matrix must be a Tpetra::CrsMatrix of double, it is: " + given->description());
  if (!matrix->isFillComplete())
    refuse("the matrix is still being filled; call fillComplete first");
  const auto rows = matrix->getRowMap();
  const auto require_same = [&](const Map& other, const char* name) {
    if (rows.get() == &other || rows->isSameAs(other)) return;
    refuse(std::string("the matrix's ") + name +
           " map is another one than its row map: " + std::to_string(other.getGlobalNumElements()) +
           " against " + std::to_string(rows->getGlobalNumElements()) + " unknowns in all, " +
           std::to_string(other.getLocalNumElements()) + " against " +
           operator_detail::here(rows->getLocalNumElements(), "rows") +
           "; a preconditioner is for a square matrix with one map");
  };
  require_same(*matrix->getRangeMap(), "range");
  require_same(*matrix->getDomainMap(), "domain");
  if (!map.is_null() && map.get() != rows.get() && !map->isSameAs(*rows))
    refuse("the new matrix's row map is another one than that of setup: " +
           std::to_string(rows->getGlobalNumElements()) + " against " +
           std::to_string(map->getGlobalNumElements()) + " rows in all, " +
           std::to_string(rows->getLocalNumElements()) + " against " +
           operator_detail::here(map->getLocalNumElements(), "rows"));
  return matrix;
}

/// A's own arrays where its columns are numbered as its rows are; else a copy of the diagonal
/// block.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::share_or_copy(const Space& exec) {
  using HostNumbers = Kokkos::View<Ordinal*, Kokkos::HostSpace>;
  const auto matrix = A->getLocalMatrixDevice();
  const auto& row_map = matrix.graph.row_map;
  LocalMatrix whole{
      static_cast<Ordinal>(matrix.numRows()), static_cast<Ordinal>(matrix.numCols()),
      // The same 64 bits, which are never so many that the sign counts.
      Array<const std::int64_t, Space>(reinterpret_cast<const std::int64_t*>(row_map.data()),
                                       row_map.extent(0)),
      Array<const Ordinal, Space>(matrix.graph.entries.data(), matrix.graph.entries.extent(0)),
      Array<double, Space>(matrix.values.data(), matrix.values.extent(0))};
  // Where device and host have each their memory, Tpetra refuses the host's access as long as a
  // View of the device's holds a reference: there A alone keeps its arrays alive.
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename Space::memory_space>::accessible) {
    owner = std::make_shared<const typename Matrix::local_matrix_device_type>(matrix);
  }
  const auto columns = A->getColMap();
  shares_arrays = columns.get() == map.get() || (!is_distributed() && columns->isSameAs(*map));
  if (shares_arrays) {
    local = whole;
    return;
  }
  const HostNumbers numbers("tessera::tpetra::column_numbers", whole.num_cols);
  for (Ordinal j = 0; j < whole.num_cols; ++j)
    numbers(j) = map->getLocalElement(columns->getGlobalElement(j));  // -1: another process's
  const auto on_device =
      allocate<Ordinal>(exec, "tessera::tpetra::column_numbers", numbers.extent(0));
  Kokkos::deep_copy(exec, on_device, numbers);
  local = distributed::diagonal_block(exec, whole.view(), on_device);
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up() {
  if (has_levels()) {
    check_for_levels();
    return set_up_levels();
  }
  on_all_processes(*map->getComm(), [&] {
    const Space exec;
    share_or_copy(exec);
    if (num_rows() == 0) return;
    const auto vectors = near_nullspace(exec, is_distributed());
    solver.setup(exec, local, vectors,
                 parameters.rigid_body_modes ? static_cast<int>(coordinates->getNumVectors())
                                             : parameters.block_size);
  });
  agree_on_symmetry();
}

/// Where the pattern is another one on any process, all is as before.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::update_local_solver(
    const Teuchos::RCP<const Matrix>& next) {
  const auto before = std::make_tuple(A, local, owner, shares_arrays);
  A = next;
  try {
    on_all_processes(*map->getComm(), [&] {
      const Space exec;
      share_or_copy(exec);
      if (num_rows() > 0)
        tessera::require_same_pattern(exec, std::get<LocalMatrix>(before).view(), local.view());
    });
  } catch (...) {
    std::tie(A, local, owner, shares_arrays) = before;
    throw;
  }
  on_all_processes(*map->getComm(), [&] {
    if (num_rows() > 0) solver.update_values(Space(), local);
  });
  agree_on_symmetry();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::agree_on_symmetry() {
  prepared_columns = -1;
  int own = 1;
  if (num_rows() > 0) {
    const SolveParameters& p = solver.parameters();
    const bool by_diagonal = p.preconditioner == PreconditionerKind::none ||
                             p.preconditioner == PreconditionerKind::jacobi;
    const bool by_cycles = p.preconditioner == PreconditionerKind::amg &&
                           (p.amg.cycle == amg::CycleType::v || p.amg.cycle == amg::CycleType::w);
    const bool by_matrix = by_cycles || solves() ||
                           p.preconditioner == PreconditionerKind::direct ||
                           p.preconditioner == PreconditionerKind::block_jacobi ||
                           p.preconditioner == PreconditionerKind::ilu;
    own = (by_diagonal && !solves()) ||
          (by_matrix && p.amg.symmetry == amg::AssumedSymmetry::symmetric);
  }
  int all = own;
  if (is_distributed())
    Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, own, Teuchos::outArg(all));
  is_symmetric = all != 0;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::require_map(const Vectors& vectors, const char* name,
                                                       Teuchos::RCP<const Map>& known) const {
  const auto given = vectors.getMap();
  if (given.get() == map.get() || given.get() == known.get()) return;
  if (!given->isSameAs(*map))
    operator_detail::refuse(std::string(name) + " is over another map than the matrix's rows: " +
                            std::to_string(vectors.getGlobalLength()) + " against " +
                            std::to_string(map->getGlobalNumElements()) + " in all, " +
                            std::to_string(vectors.getLocalLength()) + " against " +
                            operator_detail::here(map->getLocalNumElements(), "rows"));
  known = given;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::solve_locally(const Space& exec,
                                                         const ConstLocalVectors& b,
                                                         const LocalVectors& x) {
  if (num_rows() == 0) {
    result = {};
    result.status = SolveStatus::converged;
    return;
  }
  if (shares_arrays && A->getLocalMatrixDevice().values.data() != local.values.data())
    operator_detail::refuse("the matrix has other arrays than at setup; call update first");
  result = solver.solve(exec, b, x);
}

/// Room for k columns at a time. Collective.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::prepare_locally(const Space& exec, int k) {
  if (k == prepared_columns) return;
  on_all_processes(*map->getComm(), [&] {
    Preconditioner<double, Space>* const M = num_rows() > 0 ? solver.preconditioner() : nullptr;
    if (M == nullptr) return;
    M->prepare(exec, k);
    if (wants_usual_magnitudes(solver.parameters()))
      powers.reserve(exec, static_cast<std::size_t>(k));
  });
  prepared_columns = k;
}

/// y = M x. Collective.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_locally(const Space& exec,
                                                         const ConstLocalVectors& x,
                                                         const LocalVectors& y) {
  if (solves()) {
    if (num_rows() == 0) return;
    Kokkos::deep_copy(exec, y, 0.0);
    return solve_locally(exec, x, y);
  }
  prepare_locally(exec, static_cast<int>(x.extent(1)));
  if (num_rows() == 0) return;
  Preconditioner<double, Space>* const M = solver.preconditioner();
  if (M == nullptr) {
    Kokkos::deep_copy(exec, y, x);
    return;
  }
  if (wants_usual_magnitudes(solver.parameters())) return powers.apply(exec, *M, x, y);
  M->apply(exec, x, y);
}

template <class GlobalOrdinal, class Node>
template <class Work>
bool Operator<GlobalOrdinal, Node>::State::with_views(const Vectors& X, Vectors& Y, bool copies_y,
                                                      bool reads_y, const Work& work) {
  const std::size_t k = product_detail::common_columns(X, Y);
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  copies_y = copies_y || !Y.isConstantStride() || X.aliases(Y);
  if (copies_y && (workspace.getMap() != map || workspace.getNumVectors() != k))
    workspace = Vectors(map, k, false);
  if (copies_y && reads_y) Tpetra::deep_copy(workspace, Y);
  Vectors& even_y = copies_y ? workspace : Y;
  const Vectors even_x(X, X.isConstantStride() ? Teuchos::View : Teuchos::Copy);
  const auto x = even_x.getLocalViewDevice(Tpetra::Access::ReadOnly);
  if (reads_y) {
    work(as_multivector(x), as_multivector(even_y.getLocalViewDevice(Tpetra::Access::ReadWrite)));
  } else {
    work(as_multivector(x),
         as_multivector(even_y.getLocalViewDevice(Tpetra::Access::OverwriteAll)));
  }
  return copies_y;
}

}  // namespace tessera::tpetra
