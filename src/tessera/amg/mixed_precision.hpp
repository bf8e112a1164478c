// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner in float under a Krylov method in double.
#pragma once

#include "tessera/core/converting_preconditioner.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <memory>

namespace tessera::amg {

/// Applies a float preconditioner to double vectors: z = double(M float(r)). The solver still works
/// and judges convergence in double, so that "converged" means the same as without it.
template <class Space>
class MixedPrecisionPreconditioner : public ConvertingPreconditioner<Space> {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  explicit MixedPrecisionPreconditioner(std::shared_ptr<Preconditioner<float, Space>> inner)
      : m_inner(std::move(inner)) {}

  void prepare(const Space& exec, int k) override { m_inner->prepare(exec, k); }
  Preconditioner<float, Space>* in_float() override { return m_inner.get(); }

  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    if (m_r.extent(0) != r.extent(0) || m_r.extent(1) != r.extent(1)) {
      m_r = allocate_multivector<float>(exec, "tessera::amg::r_float", r.extent(0), r.extent(1));
      m_z = allocate_multivector<float>(exec, "tessera::amg::z_float", r.extent(0), r.extent(1));
    }
    const MultiVectorView<float, Space> r_float = m_r;
    const MultiVectorView<float, Space> z_float = m_z;
    kernels::copy(exec, r, r_float);
    m_inner->apply(exec, r_float, z_float);
    kernels::copy(exec, ConstMultiVectorView<float, Space>(z_float), z);
  }

 private:
  std::shared_ptr<Preconditioner<float, Space>> m_inner;
  MultiVector<float, Space> m_r;
  MultiVector<float, Space> m_z;
};

}  // namespace tessera::amg
