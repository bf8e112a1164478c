// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner that does nothing.
#pragma once

#include "tessera/core/linear_operator.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

/// z = r, for where a Preconditioner is asked for and none is wanted. A solver given none at all
/// saves this copy.
template <class Scalar, class Space>
class IdentityPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::copy<Scalar, Scalar, Space>(exec, r, z);
  }
};

}  // namespace tessera
