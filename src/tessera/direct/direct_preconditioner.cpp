// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/direct_preconditioner.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::direct {

template <class Scalar, class Space>
DirectPreconditioner<Scalar, Space>::DirectPreconditioner(
    std::shared_ptr<const SparseDirect> factors)
    : m_factors(std::move(factors)), m_column(m_factors->num_rows()) {}

template <class Scalar, class Space>
void DirectPreconditioner<Scalar, Space>::prepare(const Space&, int) {}

template <class Scalar, class Space>
void DirectPreconditioner<Scalar, Space>::apply(const Space& exec, const ConstVectors& r,
                                                const Vectors& z) {
  const auto n = static_cast<std::size_t>(m_factors->num_rows());
  for (std::size_t j = 0; j < r.extent(1); ++j) {
    const ArrayView<const Scalar, Space> from(r.data() + j * r.stride(1), n);
    const ArrayView<Scalar, Space> to(z.data() + j * z.stride(1), n);
    auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, to);
    Kokkos::deep_copy(exec, host, from);
    exec.fence("tessera::direct::apply");
    for (std::size_t i = 0; i < n; ++i)
      m_column[i] = static_cast<double>(host(i));
    m_factors->solve(host_instance(exec), m_column.data());
    for (std::size_t i = 0; i < n; ++i)
      host(i) = static_cast<Scalar>(m_column[i]);
    Kokkos::deep_copy(exec, to, host);
    exec.fence("tessera::direct::apply");
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, DirectPreconditioner)

}  // namespace tessera::direct
