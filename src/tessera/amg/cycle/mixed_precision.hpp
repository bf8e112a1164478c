// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner in float under a Krylov method, or a coarser level under a finer one, in
/// double.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/converting_preconditioner.hpp"

#include <memory>

namespace tessera::amg {

/// Applies a float preconditioner to double vectors: z = double(M float(r)). A solver above still
/// works and judges convergence in double, so that "converged" means the same as without it.
template <class Space>
class MixedPrecisionPreconditioner : public ConvertingPreconditioner<Space> {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// `inner` is of `num_rows` unknowns.
  MixedPrecisionPreconditioner(std::shared_ptr<Preconditioner<float, Space>> inner,
                               Ordinal num_rows)
      : m_inner(std::move(inner)), m_num_rows(num_rows) {}

  void prepare(const Space& exec, int k) override {
    m_inner->prepare(exec, k);
    if (m_columns == k) return;
    m_columns = -1;
    m_r = allocate_multivector<float>(exec, "tessera::amg::r_float", m_num_rows, k);
    m_z = allocate_multivector<float>(exec, "tessera::amg::z_float", m_num_rows, k);
    m_columns = k;
  }
  Preconditioner<float, Space>* in_float() override { return m_inner.get(); }

  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    // Not each time: what is inside may allocate, and this may be recorded.
    if (m_columns != static_cast<int>(r.extent(1))) prepare(exec, static_cast<int>(r.extent(1)));
    const MultiVectorView<float, Space> r_float = m_r;
    const MultiVectorView<float, Space> z_float = m_z;
    kernels::copy(exec, r, r_float);
    m_inner->apply(exec, r_float, z_float);
    kernels::copy(exec, ConstMultiVectorView<float, Space>(z_float), z);
  }

 private:
  std::shared_ptr<Preconditioner<float, Space>> m_inner;
  Ordinal m_num_rows;
  int m_columns = -1;  ///< that there is room for
  MultiVector<float, Space> m_r;
  MultiVector<float, Space> m_z;
};

}  // namespace tessera::amg
