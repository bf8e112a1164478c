// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix over several processes whose rows are summed in one order.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/message_room.hpp"

namespace tessera::distributed {

/// In compressed rows, whose entries are in the order of the columns of all processes: products and
/// smoothers' steps have the same bits for any shares. Rows without ghosts are multiplied while
/// messages are under way. Collective as `DistributedOperator` is.
template <class Working, class Space>
class OrderedOperator : public SparseOperator<Working, Space>, public MessageRoom<Space> {
 public:
  using typename LinearOperator<Working, Space>::ConstVectors;
  using typename LinearOperator<Working, Space>::Vectors;

  /// @throws Error where float is to hold a matrix that it does not.
  OrderedOperator(const Space& exec, const Matrix<Space>& A);

  Ordinal num_rows() const override { return m_rows.num_rows; }
  Ordinal num_cols() const override { return m_num_own; }
  std::size_t num_entries() const override { return m_rows.num_entries(); }
  StorageInfo info() const override;
  void reserve(const Space&, std::size_t k) const override { m_exchange.reserve(k); }

  void apply(const Space& exec, Working alpha, const ConstVectors& x, Working beta,
             const Vectors& y) const override;
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override;
  /// @throws Error: sums over all processes are for the method around.
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Working, Space>& result) const override;
  void jacobi_sweep(const Space& exec, const ArrayView<const Working, Space>& d,
                    const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) const override;
  void chebyshev_step(const Space& exec, const ArrayView<const Working, Space>& d, Working alpha,
                      Working beta, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& p, const Vectors& x_out) const override;

  /// `take(row, column, sum)` with each row's product with x. For the files that define it.
  template <class Take>
  void multiply(const Space& exec, const ConstVectors& x, const Take& take) const;

 private:
  kernels::Csr<Working, Space, std::int64_t> m_rows;  ///< own columns first, sorted by all
  Ordinal m_num_own;
  Array<Ordinal, Space> m_interior;  ///< rows without ghosts
  Array<Ordinal, Space> m_border;  ///< the others
  mutable Exchange<Working, Space> m_exchange;
};

}  // namespace tessera::distributed
