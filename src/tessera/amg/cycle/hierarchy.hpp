// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a multigrid method and the solve on the coarsest one.
#pragma once

#include "tessera/amg/cycle/coarse_solver.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/amg/cycle/level_products.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tessera::amg {

/// One level: its operator and the way to the next one, each in a format and a storage of its own.
/// The coarsest level has neither `P` nor `R`, and a smoother only where it is relaxed.
template <class Scalar, class Space>
struct Level {
  using Operator = SparseOperator<Scalar, Space>;

  std::shared_ptr<const Operator> A;
  std::shared_ptr<const Operator> P;  ///< rows of this level by rows of the next
  std::shared_ptr<const Operator> R;  ///< rows of the next level by rows of this one
  std::unique_ptr<Smoother<Scalar, Space>> smoother;
  bool relaxes_before = true;  ///< the correction; after it, every level does
  RelaxationPoints points = RelaxationPoints::all;  ///< that the smoother relaxes
  int block_size = 1;  ///< unknowns per node
  double spectral_radius = 0;  ///< of D^-1 A
  /// Of K-cycles, where other processes have rows, too; null where all of them are here.
  std::shared_ptr<LevelProducts<Scalar, Space>> products;
};

/// What setup makes and a cycle runs through: levels whose vectors are of `Scalar` and, where the
/// precision changes, a hierarchy in float for the levels below. Only the last of the two has a
/// solve on its coarsest level.
template <class Scalar, class Space>
struct Hierarchy {
  std::vector<Level<Scalar, Space>> levels;  ///< none where the finest is in float already
  int first_level = 0;  ///< the number of the first of them in the whole
  std::shared_ptr<Hierarchy<float, Space>> tail;  ///< where Scalar is double
  CoarseSolver<Scalar, Space> coarse_solver;
  bool coarsest_is_relaxed = false;  ///< instead of solved: too large, or asked for
  bool coarsest_has_levels = false;  ///< the smoother there is a cycle of coarser ones
  int coarse_sweeps = 1;  ///< applications of the smoother there, where it is relaxed
  HierarchyInfo info;  ///< with the tail's levels
};

/// `CoarseSolver::is_indefinite` of the coarsest level; false where that is relaxed.
template <class Scalar, class Space>
bool coarsest_is_indefinite(const Hierarchy<Scalar, Space>& hierarchy) {
  if (hierarchy.tail != nullptr) return coarsest_is_indefinite(*hierarchy.tail);
  return !hierarchy.coarsest_is_relaxed && hierarchy.coarse_solver.is_indefinite();
}

}  // namespace tessera::amg
