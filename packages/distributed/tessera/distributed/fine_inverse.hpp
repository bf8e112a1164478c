// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse approximation of the inverse among the fine points of all processes.
#pragma once

#include "tessera/distributed/coarse_numbers.hpp"
#include "tessera/distributed/overlapped_rows.hpp"

#include <memory>

namespace tessera::distributed {

/// amg::FineInverse over processes: N and M in the rows of this process's points, and of M those of
/// the points around them. The polynomial is that of one process but for rounding, and so is M.
template <class Space>
class FineInverse {
 public:
  using Rows = LocalRows<Space>;

  /// The patterns, M's the first power. `A`: `rows_by_points`; `drop`: amg::fine_inverse_pattern's.
  /// Collective.
  void make(const Space& exec, const LevelPoints<Space>& points, const Rows& A,
            const CoarseNumbers<Space>& coarse, double drop);
  /// Makes M's pattern that of the next power, of N M. Collective.
  void raise(const Space& exec, const LevelPoints<Space>& points);
  /// amg::count_multiplications of N M and of A M, by all processes. Collective.
  double multiplications(const Space& exec, const LevelPoints<Space>& points) const;
  double multiplications(const Space& exec, const LevelPoints<Space>& points, const Rows& A) const;
  /// The values, by those of A and of D^-1 in own rows. Each step of Horner's rule sends M's rows
  /// at borders. Collective.
  void fill(const Space& exec, const LevelPoints<Space>& points, const Rows& A,
            const Array<double, Space>& inverse_diagonal, int order);

  /// Square, by `numbers()`.
  const Rows& M() const { return m_M.rows(); }
  const OrderedNumbers<Space>& numbers() const { return m_M.numbers(); }
  /// This process's rows of M.
  Rows own_rows(const Space& exec, ColumnNumbers<Space>& columns) const {
    return m_M.own_rows(exec, columns);
  }
  /// Frees the values.
  void release() { m_M.take({}); }

 private:
  void take_pattern(const Space& exec, const LevelPoints<Space>& points, const Rows& M,
                    const ColumnNumbers<Space>& columns);
  std::vector<double> polynomial(const Space& exec, const LevelPoints<Space>& points,
                                 int order) const;

  OverlappedRows<Space> m_M;
  Rows m_N;  ///< square, by `numbers()`; others' rows are empty
  Rows m_own_N;  ///< own rows, by own points and ghosts, in the same array of values
  Plan<Space> m_halo;  ///< from own points to all of `numbers()`
};

}  // namespace tessera::distributed
