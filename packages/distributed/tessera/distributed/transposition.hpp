// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The transpose of a matrix over several processes.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/row_sums.hpp"

namespace tessera::distributed {

/// Each process transposes its rows; what belongs to others' columns goes to them, its pattern once
/// and its values whenever they have changed.
template <class Space>
class Transposition {
 public:
  /// A^T: rows are A's column shares, columns its row shares. Collective.
  const Matrix<Space>& make(const Space& exec, const Matrix<Space>& A);
  /// The values again, in the arrays of before, for an A of the same pattern. Collective.
  const Matrix<Space>& remake(const Space& exec, const Matrix<Space>& A);

  const Matrix<Space>& matrix() const { return m_transpose; }
  /// What this process's rows of A are transposed: a row for each of their columns, others' too.
  const LocalRows<Space>& part() const { return m_part; }

 private:
  LocalRows<Space> m_part;
  RowSums<Space> m_sums;  ///< of these parts
  Matrix<Space> m_transpose;
};

}  // namespace tessera::distributed
