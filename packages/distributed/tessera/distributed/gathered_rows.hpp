// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of all processes on one of them.
#pragma once

#include "tessera/distributed/functions.hpp"
#include "tessera/distributed/matrix.hpp"

#include <cstddef>
#include <memory>

namespace tessera::distributed {

/// The rows of a square matrix on the first of its processes, in the order of their numbers, and
/// the way there and back of vectors. Where the matrix has given numbers, each another, rows are in
/// the order of these, unless that would take a node's rows apart: a grid that is shared out in
/// boxes has its lines and planes again.
template <class Space>
class GatheredRows {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// Pattern and values. `block_size`: unknowns per node, which lie side by side. Collective.
  /// @throws Error where an `Ordinal` does not count the rows.
  GatheredRows(const Space& exec, const Matrix<Space>& A, int block_size = 1);

  /// New values in the same pattern. Collective.
  void take_values(const Space& exec, const Matrix<Space>& A);

  /// Whether this is the process that has them, and there are any.
  bool has_rows() const { return m_gathered.num_rows > 0; }
  /// Sorted, on that process; on others none.
  const LocalRows<Space>& rows() const { return m_gathered; }
  /// As many as `rows` has, before they have come, too.
  Ordinal num_rows() const { return m_num_all; }
  Ordinal num_own_rows() const { return m_num_own; }  ///< of this process, before they are gathered
  const Communicator& processes() const { return *m_processes; }

  /// Makes room to send k columns either way; nothing is sent.
  void reserve(std::size_t k) { m_exchange.reserve(k, true); }
  /// `all` is v of all processes, `num_rows()` by v's columns. Collective.
  void gather(const Space& exec, const ConstVectors& v, const Vectors& all) {
    m_exchange.forward(exec, v, all);
  }
  /// And back. Collective.
  void scatter(const Space& exec, const ConstVectors& all, const Vectors& v) {
    m_exchange.backward(exec, all, v);
  }
  /// Those of all processes' rows. Waits. Collective.
  Functions<Space> gather(const Space& exec, const Functions<Space>& functions) const {
    return sent_functions(exec, *m_processes, m_exchange, functions, m_num_all);
  }

 private:
  void put_in_given_order(const Space& exec, const Matrix<Space>& A, const Plan<Space>& plan,
                          int block_size);
  LocalRows<Space> in_given_order(const Space& exec) const;

  std::shared_ptr<const Communicator> m_processes;
  RowExchange<Space> m_rows;
  Exchange<double, Space> m_exchange;
  bool m_is_first;
  /// By number of a row among all its place, and the other way round; none where these are the
  /// same.
  Array<Ordinal, Space> m_place, m_order;
  Ordinal m_num_all = 0;
  Ordinal m_num_own = 0;
  LocalRows<Space> m_stack;  ///< as the rows have come
  std::size_t m_num_own_entries = 0;
  LocalRows<Space> m_gathered;
};

}  // namespace tessera::distributed
