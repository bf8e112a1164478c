// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/nullspace_projector.hpp"

#include <limits>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
NullspaceProjector<Scalar, Space>::NullspaceProjector(
    const Space& exec, const ConstMultiVectorView<Scalar, Space>& vectors)
    : m_vectors(allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", vectors.extent(0),
                                             vectors.extent(1))) {
  kernels::copy<Scalar, Scalar, Space>(exec, vectors, m_vectors);
  orthonormalise(exec);
}

template <class Scalar, class Space>
NullspaceProjector<Scalar, Space> NullspaceProjector<Scalar, Space>::constant(const Space& exec,
                                                                              Ordinal n) {
  NullspaceProjector projector;
  projector.m_vectors = allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", n, 1);
  Kokkos::deep_copy(exec, projector.m_vectors, Scalar(1));
  projector.orthonormalise(exec);
  return projector;
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::orthonormalise(const Space& exec) {
  using Vectors = MultiVectorView<Scalar, Space>;
  const int count = static_cast<int>(m_vectors.extent(1));
  prepare(exec, 1);
  const auto norm = allocate<double>(exec, "tessera::nullspace::norm", 1);
  const auto report = kernels::allocate_report<double>(exec, "tessera::nullspace::report", 1);
  const auto normalise = [&](const Vectors& v) {
    kernels::squared_norm<Scalar, Space>(exec, m_workspace, v, norm, report);
    kernels::normalise<Scalar, Space>(exec, norm, v, v);
  };
  // What remains of a vector of length 1 that depends on those before is rounding error alone.
  constexpr double rounding = 100 * std::numeric_limits<Scalar>::epsilon();
  for (int t = 0; t < count; ++t) {
    const Vectors v(m_vectors.data() + t * m_vectors.stride(1), m_vectors.extent(0), 1);
    const kernels::Basis<Scalar, Space> before{m_vectors, t, 1, 0};
    normalise(v);
    for (int pass = 0; pass < 2; ++pass) {
      kernels::basis_dot<Scalar, Space>(exec, m_workspace, before, v, m_products);
      kernels::basis_combine<Scalar, Space>(exec, -1, before, m_products, v);
      normalise(v);
      exec.fence("tessera::nullspace::orthonormalise");
      if (report(0) <= rounding * rounding) {
        kernels::scale<Scalar, Space>(exec, Scalar(0), v);
      }
    }
  }
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::prepare(const Space& exec, int k) {
  m_components.prepare(exec, k);
  if (m_vectors.extent(1) == 0 || m_products.extent(1) >= static_cast<std::size_t>(k)) {
    return;
  }
  const int count = static_cast<int>(m_vectors.extent(1));
  m_products = allocate_multivector<double>(exec, "tessera::nullspace::products", count, k);
  m_workspace = kernels::ReductionWorkspace<Space>(exec, kernels::basis_dot_items(count, k),
                                                   kernels::basis_dots_at_once);
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::apply(const Space& exec,
                                              const MultiVectorView<Scalar, Space>& v) const {
  m_components.apply(exec, v);
  if (m_vectors.extent(1) == 0) {
    return;
  }
  const kernels::Basis<Scalar, Space> all{m_vectors, static_cast<int>(m_vectors.extent(1)), 1, 0};
  kernels::basis_dot<Scalar, Space>(exec, m_workspace, all, v, m_products);
  kernels::basis_combine<Scalar, Space>(exec, -1, all, m_products, v);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, NullspaceProjector)

}  // namespace tessera
