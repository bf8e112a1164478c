// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What this process's points depend on, and what the fine points of others among these do.
#pragma once

#include "tessera/distributed/node_graph.hpp"
#include "tessera/distributed/row_stack.hpp"

#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// What is asked for of others' points: of fine ones, but for the last.
enum class CouplingsOfOthers {
  none,  ///< direct interpolation
  strong,  ///< extended
  to_coarse_points,  ///< and the diagonal, of points that depend on any: classical modified
  strong_to_coarse  ///< of all points: the second splitting
};

/// This process's rows, and below them couplings of others' fine points that these depend on, as
/// one square matrix: what an interpolation that passes through fine points is made from.
template <class Space>
class ExtendedCouplings {
 public:
  using Rows = LocalRows<Space>;
  using Graph = kernels::Graph<Space, std::int64_t>;
  using Global = Partition::Global;

  explicit ExtendedCouplings(CouplingsOfOthers sent = CouplingsOfOthers::strong) : m_kind(sent) {}

  /// Strong couplings of `rows()`; of others' points all that have come. `A`: this process's rows,
  /// columns numbered as `points`, entries in the order of all columns; row i of the graph of
  /// `points` has what own point i depends on, in that order. `is_coarse`: of own points and, along
  /// `halo`, of ghosts. Collective.
  Graph make(const Space& exec, const Rows& A, const NodeGraph<Space>& points,
             const Plan<Space>& halo, const Array<std::int8_t, Space>& is_coarse);
  /// The same by the pattern of A: values are sent by `fill`. Collective.
  Graph make_pattern(const Space& exec, const Rows& A, const NodeGraph<Space>& points,
                     const Plan<Space>& halo, const Array<std::int8_t, Space>& is_coarse);
  /// New values, in the pattern of before. Collective.
  void fill(const Space& exec, const Rows& A);

  /// A with the rows that come below it, by own points and `others()`; those of points that nobody
  /// sends are empty.
  const Rows& rows() const { return m_rows; }
  Ordinal num_own() const { return m_num_own; }
  /// Points of others, in ascending order.
  const GlobalNumbers<Space>& others() const { return m_others; }

 private:
  CouplingsOfOthers m_kind;
  RowExchange<Space> m_exchange;
  Rows m_sent;  ///< couplings of this process's fine points
  GlobalNumbers<Space> m_others;
  Ordinal m_num_own = 0;
  Rows m_rows;
};

}  // namespace tessera::distributed
