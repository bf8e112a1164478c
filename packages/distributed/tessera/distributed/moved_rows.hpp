// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A level's rows on fewer processes than have made them.
#pragma once

#include "tessera/distributed/matrix.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// By rank the process that keeps its rows of a level, so that those who keep some have at least
/// `rows_per_process` of them, as far as there are as many: of contiguous processes with rows the
/// first keeps those of all. Numbers of rows stay as they are.
std::vector<int> keepers_of_rows(const Partition& rows, std::int64_t rows_per_process);

/// How many processes have rows.
int processes_with_rows(const Partition& rows);

/// The rows of a square matrix where `keepers` has them. Processes without rows take part in what
/// all do together, and have no neighbours: they send and receive nothing in a cycle.
template <class Space>
class MovedRows {
 public:
  /// Collective. @throws Error on all processes where one fails.
  MovedRows(const Space& exec, const Matrix<Space>& A, const std::vector<int>& keepers);

  /// From the rows of before to those of now; null on one process.
  const Plan& plan() const { return m_plan; }
  const Matrix<Space>& matrix() const { return m_matrix; }

  /// Takes new values in the same pattern. Collective.
  void update(const Space& exec, const Matrix<Space>& A);

 private:
  Plan m_plan;
  RowExchange<Space> m_rows;
  LocalRows<Space> m_stack;  ///< as the rows have come
  std::size_t m_num_own_entries = 0;
  Matrix<Space> m_matrix;  ///< with sorted rows
};

}  // namespace tessera::distributed
