// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What an `Operator` holds.
#pragma once

#include "tessera/distributed/multigrid.hpp"
#include "tessera/tpetra/column_powers.hpp"
#include "tessera/tpetra/operator.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
struct Operator<GlobalOrdinal, Node>::State {
  using ConstLocalVectors = ConstMultiVectorView<double, Space>;
  using LocalVectors = MultiVectorView<double, Space>;

  Parameters parameters;
  Teuchos::RCP<const Vectors> nullspace;
  Teuchos::RCP<const Vectors> coordinates;
  double lowest[3] = {};  ///< of all processes' coordinates
  double highest[3] = {};

  Teuchos::RCP<const Matrix> A;
  Teuchos::RCP<const Map> map;
  std::shared_ptr<const void> owner;  ///< of what `local` points into, beside A
  LocalMatrix local;
  bool shares_arrays = false;
  LocalSolver solver;
  LocalPowers<Space> powers;
  bool is_symmetric = false;
  std::unique_ptr<distributed::Multigrid<Space>> levels;  ///< in place of `solver`
  Teuchos::RCP<const typename Matrix::crs_graph_type> pattern;  ///< that something is reused of

  int prepared_columns = -1;
  Teuchos::RCP<const Map> known_x_map;  ///< compared with `map` before
  Teuchos::RCP<const Map> known_y_map;
  Vectors workspace;
  SolveResult result;

  explicit State(const Parameters& given) : parameters(given), solver(given.solve) {}

  bool is_distributed() const { return map->getComm()->getSize() > 1; }
  /// Whether levels are distributed over the processes.
  bool has_levels() const {
    const auto kind = parameters.solve.preconditioner;
    return is_distributed() && parameters.distributed == Distribution::multigrid &&
           (kind == PreconditionerKind::automatic || kind == PreconditionerKind::amg);
  }
  Ordinal num_rows() const { return local.num_rows; }
  bool solves() const { return parameters.apply == Application::solve; }

  /// A matrix that setup or an update may take. @throws Error
  Teuchos::RCP<const Matrix> checked_matrix(const Teuchos::RCP<const Base>& given) const;
  void read_user_data(const Teuchos::ParameterList& data);
  void take_user_data(const Teuchos::ParameterList& data);
  void share_or_copy(const Space& exec);
  MultiVector<double, Space> near_nullspace(const Space& exec, bool drops_zeros) const;
  void bound_coordinates();
  void set_up();
  void check_for_levels() const;
  void set_up_levels();
  void update_levels(const Teuchos::RCP<const Matrix>& next);
  void update_local_solver(const Teuchos::RCP<const Matrix>& next);
  void require_same_pattern(const Matrix& next) const;
  void agree_on_symmetry();
  void require_map(const Vectors& vectors, const char* name, Teuchos::RCP<const Map>& known) const;
  void prepare_locally(const Space& exec, int k);
  void apply_locally(const Space& exec, const ConstLocalVectors& x, const LocalVectors& y);
  void solve_locally(const Space& exec, const ConstLocalVectors& b, const LocalVectors& x);
  void apply_levels(const Vectors& X, Vectors& Y, double alpha, double beta);
  /// Calls `work(X's View, Y's View)`, or with copies of those whose columns are not evenly spaced.
  /// `reads_y`: the copy starts as Y is. Returns whether Y's View was the workspace's.
  template <class Work>
  bool with_views(const Vectors& X, Vectors& Y, bool copies_y, bool reads_y, const Work& work);
};

}  // namespace tessera::tpetra
