// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Transfers to a coarse level whose rows lie on other processes than the restriction leaves them.
#pragma once

#include "tessera/distributed/distributed_operator.hpp"

#include <memory>
#include <utility>

namespace tessera::distributed {

/// A restriction and a move of its result, or a move and a prolongation of what has come: R' = E R
/// and P' = P E^T with E the move along an importer from R's rows to the next level's.
template <class Scalar, class Space>
class RebalancedTransfer : public SparseOperator<Scalar, Space>, public MessageRoom<Space> {
 public:
  using typename LinearOperator<Scalar, Space>::ConstVectors;
  using typename LinearOperator<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// `plan`: from R's rows, which are P's columns, to the next level's rows.
  RebalancedTransfer(const Space& exec, std::shared_ptr<const Operator> transfer,
                     const Plan<Space>& plan, bool restricts);

  Ordinal num_rows() const override {
    return m_restricts ? m_exchange.num_target() : m_transfer->num_rows();
  }
  Ordinal num_cols() const override {
    return m_restricts ? m_transfer->num_cols() : m_exchange.num_target();
  }
  std::size_t num_entries() const override { return m_transfer->num_entries(); }
  StorageInfo info() const override { return m_transfer->info(); }
  void reserve(const Space& exec, std::size_t k) const override;

  /// Of a restriction with beta = 0 alone, which is what a cycle asks for.
  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override;
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override;
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Scalar, Space>& result) const override;
  void jacobi_sweep(const Space& exec, const ArrayView<const Scalar, Space>& d,
                    const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) const override;
  void chebyshev_step(const Space& exec, const ArrayView<const Scalar, Space>& d, Scalar alpha,
                      Scalar beta, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& p, const Vectors& x_out) const override;

 private:
  std::shared_ptr<const Operator> m_transfer;
  mutable Exchange<Scalar, Space> m_exchange;
  bool m_restricts;
  mutable MultiVector<Scalar, Space> m_between;  ///< over the importer's source
};

}  // namespace tessera::distributed
