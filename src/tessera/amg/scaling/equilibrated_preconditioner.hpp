// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner made of an equilibrated matrix.
#pragma once

#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>

namespace tessera::amg {

/// For A where `inner` is for D A E: z = E inner(D r).
template <class Scalar, class Space>
class EquilibratedPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  EquilibratedPreconditioner(const Space& exec, const Equilibration<Space>& equilibration,
                             std::shared_ptr<Preconditioner<Scalar, Space>> inner)
      : m_rows(powers_of_two<Scalar, Space>(exec, equilibration.rows, 1)),
        m_columns(powers_of_two<Scalar, Space>(exec, equilibration.columns, 1)),
        m_inner(std::move(inner)) {}

  void prepare(const Space& exec, int k) override {
    m_inner->prepare(exec, k);
    if (m_room == k) return;
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r_scaled", m_rows.extent(0), k);
    m_room = k;
  }

  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    if (m_room != static_cast<int>(r.extent(1))) prepare(exec, static_cast<int>(r.extent(1)));
    const Vectors scaled = m_r;
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_rows, r, scaled);
    m_inner->apply(exec, scaled, z);
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_columns, z, z);
  }

 private:
  Array<Scalar, Space> m_rows;
  Array<Scalar, Space> m_columns;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_inner;
  MultiVector<Scalar, Space> m_r;
  int m_room = -1;  ///< columns that m_r has
};

}  // namespace tessera::amg
