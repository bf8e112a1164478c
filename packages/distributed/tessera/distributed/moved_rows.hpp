// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A level's rows on fewer processes than have made them.
#pragma once

#include "tessera/distributed/matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// By rank how many rows each process has.
std::vector<std::int64_t> rows_by_process(const Partition& rows);

/// How many processes have rows.
int processes_with_rows(const Partition& rows);

/// The rows of a square matrix where `keepers` (row_groups.hpp) has them: those of a group, which
/// is of processes that follow each other, in the order of their numbers on one of them. Processes
/// without rows take part in what all do together, and have no neighbours: they send and receive
/// nothing in a cycle.
template <class Space>
class MovedRows {
 public:
  /// Collective. @throws Error on all processes where one fails.
  MovedRows(const Space& exec, const Matrix<Space>& A, const std::vector<int>& keepers);

  /// From the rows of before to those of now; null on one process.
  const Plan<Space>& plan() const { return m_plan; }
  const Matrix<Space>& matrix() const { return m_matrix; }

  /// Takes new values in the same pattern. Collective.
  void update(const Space& exec, const Matrix<Space>& A);

 private:
  LocalRows<Space> in_order(const Space& exec) const;

  Plan<Space> m_plan;
  RowExchange<Space> m_rows;
  LocalRows<Space> m_stack;  ///< own rows, and those of others below them
  Array<Ordinal, Space> m_order;  ///< the stack's rows by their numbers; none where they are so
  std::size_t m_num_own_entries = 0;
  Matrix<Space> m_matrix;  ///< with sorted rows
};

}  // namespace tessera::distributed
