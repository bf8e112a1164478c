// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix over several processes, with Tessera's kernels in each.
#pragma once

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/message_room.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace tessera::distributed {

/// The rows of a matrix on one process in two parts: `own` couples them to the process's own
/// columns and is a matrix of any format and storage; `ghost` couples a few of them to columns of
/// others, in compressed rows of `Working`. A product sends what others need of x, multiplies by
/// `own` while the messages are under way, and adds `ghost` times what has come. That holds for
/// steps of smoothers as well: each is one pass over `own`, corrected at the border.
///
/// `num_cols` counts the own columns. Collective over the processes of the exchange, whose
/// transfers no two products share at a time.
template <class Working, class Space>
class DistributedOperator : public SparseOperator<Working, Space>, public MessageRoom<Space> {
 public:
  using typename LinearOperator<Working, Space>::ConstVectors;
  using typename LinearOperator<Working, Space>::Vectors;
  using Own = SparseOperator<Working, Space>;
  using Given = kernels::Csr<double, Space, std::int64_t>;
  using Ghost = kernels::Csr<Working, Space, std::int64_t>;

  /// `own`: rows by own columns; `ghost`: the same rows by the remote rows of `exchange`. `own`'s
  /// arrays are shared where it stays as it is, and `owner` keeps them alive. `storage` is of
  /// `own`. @throws Error where the format does not hold it, or float is to hold a matrix that it
  /// does not.
  DistributedOperator(const Space& exec, const Given& own, const Given& ghost,
                      Exchange<Working, Space> exchange, const StorageParameters& storage,
                      const std::shared_ptr<const void>& owner = nullptr);

  Ordinal num_rows() const override { return m_num_rows; }
  Ordinal num_cols() const override { return m_num_cols; }
  std::size_t num_entries() const override;
  StorageInfo info() const override;
  void reserve(const Space& exec, std::size_t k) const override;
  /// Null on a process without rows.
  const Own* own() const { return m_own.get(); }

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

 private:
  /// Waits for what others send and calls `add(row, column, sum)` for each border row's product.
  template <class Add>
  void finish(const Space& exec, std::size_t k, const Add& add) const;

  Ordinal m_num_rows;
  Ordinal m_num_cols;
  std::shared_ptr<const Own> m_own;
  Ghost m_ghost;
  Array<Ordinal, Space> m_border;  ///< rows that `m_ghost` has entries in
  mutable Exchange<Working, Space> m_exchange;
};

}  // namespace tessera::distributed
