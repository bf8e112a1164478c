// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/products_of_level.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tessera::distributed {

template <class Scalar, class Space>
ProductsOfLevel<Scalar, Space>::ProductsOfLevel(std::shared_ptr<const Communicator> processes,
                                                std::size_t num_rows)
    : m_processes(std::move(processes)), m_num_rows(num_rows), m_sums(m_processes) {}

template <class Scalar, class Space>
void ProductsOfLevel<Scalar, Space>::prepare(const Space& exec, int k, int count) {
  const auto numbers = static_cast<std::size_t>(k) * static_cast<std::size_t>(count);
  if (!m_processes->is_reproducible()) {
    m_workspace = kernels::ReductionWorkspace<Space>(exec, k, 1);
    return m_sums.reserve(exec, numbers);
  }
  m_exact.reserve(exec, m_num_rows);
  m_words.resize(numbers * ExactSum::num_words);
  m_report =
      kernels::allocate_report<double>(exec, "tessera::distributed::ProductsOfLevel", numbers);
}

template <class Scalar, class Space>
void ProductsOfLevel<Scalar, Space>::multiply_exactly(const Space& exec, const ConstVectors& x,
                                                      std::span<const ConstVectors> others,
                                                      const ArrayView<double, Space>& result) {
  const std::size_t k = x.extent(1), count = others.size() * k;
  const std::span<std::int64_t> words(m_words.data(), count * ExactSum::num_words);
  std::ranges::fill(words, 0);
  for (std::size_t i = 0; i < count; ++i)
    m_exact.add(exec, x, others[i / k], i % k, &words[i * ExactSum::num_words]);
  m_processes->sum(words);
  for (std::size_t i = 0; i < count; ++i)
    m_report(i) = value_of_words(&words[i * ExactSum::num_words]);
  Kokkos::deep_copy(exec, result, Kokkos::subview(m_report, std::make_pair(std::size_t(0), count)));
  exec.fence("tessera::distributed::ProductsOfLevel");  // before the next ones' report
}

template <class Scalar, class Space>
void ProductsOfLevel<Scalar, Space>::multiply(const Space& exec, const ConstVectors& x,
                                              std::span<const ConstVectors> others,
                                              const ArrayView<double, Space>& result) {
  const std::size_t k = x.extent(1);
  const ArrayView<double, Space> numbers(result.data(), others.size() * k);
  if (m_processes->is_reproducible()) return multiply_exactly(exec, x, others, numbers);
  if (x.extent(0) == 0) Kokkos::deep_copy(exec, numbers, 0.0);
  for (std::size_t p = 0; p < others.size() && x.extent(0) > 0; ++p)
    kernels::dot<Scalar, Space>(exec, m_workspace, x, others[p],
                                ArrayView<double, Space>(numbers.data() + p * k, k));
  m_sums.add_up(exec, numbers);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, ProductsOfLevel)

}  // namespace tessera::distributed
