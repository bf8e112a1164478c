// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/vector_projector.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/basis_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tessera::distributed {

template <class Space>
VectorProjector<Space>::VectorProjector(const Space& exec,
                                        const std::shared_ptr<const Communicator>& processes,
                                        const ConstVectors& vectors)
    : m_processes(processes), m_sums(processes) {
  on_all_processes(*processes, [&] {
    m_products = InnerProducts<Space>(exec, processes, 1);
    m_products.reserve(exec, std::max<std::size_t>(vectors.extent(1), 1));
    m_products.reserve_rows(exec, vectors.extent(0));
    m_vectors = allocate_multivector<double>(exec, "tessera::distributed::nullspace",
                                             vectors.extent(0), vectors.extent(1));
    if (vectors.extent(0) > 0) kernels::copy<double, double, Space>(exec, vectors, m_vectors);
    prepare(exec, 1);
    exec.fence("tessera::distributed::nullspace");  // `vectors` are the caller's
  });
  orthonormalise(exec);
}

template <class Space>
std::unique_ptr<VectorProjector<Space>> VectorProjector<Space>::constant(
    const Space& exec, const std::shared_ptr<const Communicator>& processes, Ordinal num_rows) {
  MultiVector<double, Space> ones;
  on_all_processes(*processes, [&] {
    ones = allocate_multivector<double>(exec, "tessera::distributed::nullspace",
                                        static_cast<std::size_t>(num_rows));
    Kokkos::deep_copy(exec, ones, 1.0);
  });
  return std::make_unique<VectorProjector>(exec, processes, ones);
}

template <class Space>
void VectorProjector<Space>::orthonormalise(const Space& exec) {
  using Pair = typename InnerProducts<Space>::Pair;
  // What remains of a vector of length 1 that depends on those before is rounding error alone.
  constexpr double rounding = 100 * std::numeric_limits<double>::epsilon();
  for (std::size_t t = 0; t < m_vectors.extent(1); ++t) {
    const Vectors v = column_of(Vectors(m_vectors), t);
    const auto normalise = [&] {
      const double square = m_products(exec, {{v, v}}).front();
      kernels::scale<double, Space>(exec, square > 0 ? 1 / std::sqrt(square) : 0, v);
      return square;
    };
    normalise();
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<Pair> pairs;
      for (std::size_t s = 0; s < t; ++s)
        pairs.emplace_back(column_of(Vectors(m_vectors), s), v);
      const auto parts = m_products(exec, pairs);
      for (std::size_t s = 0; s < t; ++s)
        kernels::axpby<double, Space>(exec, -parts[s], column_of(Vectors(m_vectors), s), 1, v);
      if (normalise() <= rounding * rounding) kernels::scale<double, Space>(exec, 0, v);
    }
  }
  exec.fence("tessera::distributed::nullspace");
}

template <class Space>
void VectorProjector<Space>::prepare(const Space& exec, std::size_t k) {
  if (k <= m_columns) return;
  const std::size_t count = m_vectors.extent(1);
  m_numbers = allocate<double>(exec, "tessera::distributed::nullspace", count * k);
  if (m_processes->is_reproducible()) {
    m_report = kernels::allocate_report<double>(exec, "tessera::distributed::nullspace", count * k);
  } else {
    m_workspace = kernels::ReductionWorkspace<Space>(
        exec, kernels::basis_dot_items(static_cast<int>(count), static_cast<int>(k)),
        kernels::basis_dots_at_once);
    m_sums.reserve(exec, count * k);
  }
  m_columns = k;
}

template <class Space>
void VectorProjector<Space>::multiply(const Space& exec, const Vectors& v,
                                      const MultiVectorView<double, Space>& result) {
  const std::size_t count = result.extent(0), k = result.extent(1);
  const ArrayView<double, Space> numbers(result.data(), count * k);
  if (!m_processes->is_reproducible()) {
    if (v.extent(0) == 0)
      Kokkos::deep_copy(exec, numbers, 0.0);
    else
      kernels::basis_dot<double, Space>(exec, m_workspace,
                                        {m_vectors, static_cast<int>(count), 1, 0}, v, result);
    return m_sums.add_up(exec, numbers);
  }
  std::vector<typename InnerProducts<Space>::Pair> pairs;
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t t = 0; t < count; ++t)
      pairs.emplace_back(column_of(Vectors(m_vectors), t), column_of(v, j));
  const auto sums = m_products(exec, pairs);
  std::ranges::copy(sums, m_report.data());
  Kokkos::deep_copy(exec, numbers,
                    Kokkos::subview(m_report, std::make_pair(std::size_t(0), count * k)));
}

template <class Space>
void VectorProjector<Space>::apply(const Space& exec, const Vectors& v) {
  const std::size_t count = m_vectors.extent(1), k = v.extent(1);
  if (count == 0 || k == 0) return;
  const MultiVectorView<double, Space> parts(m_numbers.data(), count, k);
  multiply(exec, v, parts);
  kernels::basis_combine<double, Space>(exec, -1, {m_vectors, static_cast<int>(count), 1, 0}, parts,
                                        v);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, VectorProjector)

}  // namespace tessera::distributed
