// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's multigrid cycle over levels that are distributed over processes.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_MultiVector.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::tpetra {

/// One level as a setup of any kind has made it.
template <class GlobalOrdinal, class Node>
struct DistributedLevel {
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  using Importer = Tpetra::Import<int, GlobalOrdinal, Node>;

  Teuchos::RCP<const Matrix> A;
  Teuchos::RCP<const Matrix> P;  ///< from the next level; none on the coarsest
  Teuchos::RCP<const Matrix> R;  ///< to the next level; none where it is P's transpose
  /// From R's rows to those of the next level's operator, where these lie elsewhere; a null pointer
  /// where they are the same.
  Teuchos::RCP<const Importer> rebalance;
  int block_size = 1;  ///< unknowns per node
  double spectral_radius = 0;  ///< of D^-1 A; 0 where it is to be found
};

/// One cycle over distributed levels from the guess zero: an approximate inverse of the finest
/// operator.
///
/// Levels are `tessera::amg`'s, with `DistributedOperator` for their matrices: smoothers, formats,
/// precision by level and the shape of the cycle are Tessera's own. The coarsest operator is
/// gathered on the first of its processes. Where levels are fewer on one process than on others, it
/// takes no part in the next one: it has neither rows nor a share in its communicator.
template <class GlobalOrdinal, class Node>
class DistributedCycle {
 public:
  using Level = DistributedLevel<GlobalOrdinal, Node>;
  using Matrix = typename Level::Matrix;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;
  /// For the coarsest matrix, whose rows are all the first process's. Both are collective.
  struct CoarseSolver {
    std::function<void(const Vectors& r, Vectors& z)> apply;  ///< z = M r
    std::function<void(const Teuchos::RCP<const Matrix>& A)> update;  ///< takes new values
  };
  /// Makes it of that matrix and its near-nullspace. Collective.
  using MakeCoarseSolver = std::function<CoarseSolver(const Teuchos::RCP<const Matrix>& A,
                                                      const Teuchos::RCP<const Vectors>& vectors)>;

  /// `levels`: at least one, from the finest on; the last one may have no A on this process, which
  /// takes no part in it then. `coarsest_vectors`: near-nullspace on the coarsest level, rows by m,
  /// m the same on all its processes, or none. `single_precision`: the whole cycle works in float.
  /// Collective. @throws Error for what levels over processes do not have (`check`) and as setup
  /// does.
  DistributedCycle(const amg::Parameters& parameters, std::vector<Level> levels,
                   const MultiVector<double, Space>& coarsest_vectors, bool symmetric,
                   bool single_precision, const MakeCoarseSolver& make_coarse_solver);
  DistributedCycle(const DistributedCycle&) = delete;
  DistributedCycle& operator=(const DistributedCycle&) = delete;
  ~DistributedCycle();

  /// @throws Error of kind configuration where `parameters` ask for a cycle that needs sums over
  ///         all processes.
  static void check(const amg::Parameters& parameters);

  /// Takes new values in the same patterns: `levels` are those of setup, with other matrices or new
  /// values in the same ones. Smoothers, and stored operators, are made again; `keeps_transfers`:
  /// but for P and R. Collective. @throws Error on all processes where one fails, and is of no use
  /// then.
  void update(std::vector<Level> levels, bool keeps_transfers);

  /// z = one cycle for A z = r. Collective.
  void apply(const Vectors& r, Vectors& z);

  /// One line for each level that this process has a share in: how many processes have one, and
  /// the rows of all of them.
  const std::vector<std::string>& description() const;
  /// The same levels with rows and entries of all processes; formats, scalars and bytes are this
  /// process's.
  const std::vector<LevelInfo>& levels() const;
  /// This process's part of the levels.
  const amg::Hierarchy<double, Space>& hierarchy() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera::tpetra
