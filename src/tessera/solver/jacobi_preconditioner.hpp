// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner that divides by the diagonal.
#pragma once

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"

namespace tessera {

/// z = D^-1 r, 0 where the diagonal entry is zero.
template <class Scalar, class Space>
class JacobiPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// Takes the diagonal out of A, which it does not keep.
  template <class Offset>
  JacobiPreconditioner(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A)
      : m_inverse_diagonal(kernels::inverse_diagonal(exec, A)) {}

  ArrayView<const Scalar, Space> inverse_diagonal() const { return m_inverse_diagonal; }

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_inverse_diagonal, r, z);
  }

 private:
  Array<const Scalar, Space> m_inverse_diagonal;
};

}  // namespace tessera
