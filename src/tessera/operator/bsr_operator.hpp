// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix of blocks as an operator, in the arrays of the caller.
#pragma once

#include "tessera/kernels/format/bsr.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>

namespace tessera {

/// Block sparse rows as Krylov methods take them, without a copy: each product reads the caller's
/// arrays as they are then. A preconditioner is made of `kernels::bsr_to_csr`, or of anything else.
template <class Scalar, class Space, class Offset = std::int32_t>
class BsrOperator : public LinearOperator<Scalar, Space> {
 public:
  using typename LinearOperator<Scalar, Space>::ConstVectors;
  using typename LinearOperator<Scalar, Space>::Vectors;
  using view_type = kernels::BsrView<Scalar, Space, Offset>;

  /// `owner`, if given, keeps alive what the view shows. Throws where the arrays are too short.
  explicit BsrOperator(const view_type& A, std::shared_ptr<const void> owner = nullptr);

  Ordinal num_rows() const override { return m_A.num_rows(); }
  Ordinal num_cols() const override { return m_A.num_cols(); }
  const view_type& view() const { return m_A; }

  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override;
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override;
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Scalar, Space>& result) const override;

 private:
  view_type m_A;
  std::shared_ptr<const void> m_owner;
};

}  // namespace tessera
