// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/inner_products.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::distributed {

template <class Space>
InnerProducts<Space>::InnerProducts(const Space& exec,
                                    std::shared_ptr<const Communicator> processes, std::size_t k)
    : m_processes(std::move(processes)), m_k(k), m_workspace(exec, static_cast<int>(k), 1) {}

/// This process's, into the first of `m_sums` and of the report.
template <class Space>
void InnerProducts<Space>::take_products(const Space& exec, std::span<const Pair> pairs) {
  for (std::size_t p = 0; p < pairs.size(); ++p)
    kernels::dot<double, Space>(exec, m_workspace, pairs[p].first, pairs[p].second,
                                ArrayView<double, Space>(m_sums.data() + p * m_k, m_k),
                                kernels::ReportView<double, Space>(m_report.data() + p * m_k, m_k));
}

/// Into the report: the sums of all processes, those along behind the pairs'.
template <class Space>
void InnerProducts<Space>::sum_in_order(const Space& exec, const Communicator::Ordered& ordered,
                                        std::span<const Pair> pairs, std::span<double> along) {
  const std::size_t count = pairs.size() * m_k;
  const auto part = [](const auto& view, std::size_t first, std::size_t last) {
    return Kokkos::subview(view, std::make_pair(first, last));
  };
  if (!pairs.empty() && pairs.front().first.extent(0) > 0)
    take_products(exec, pairs);
  else if (count > 0)
    Kokkos::deep_copy(exec, part(m_sums, 0, count), 0.0);
  const std::size_t all = count + along.size();
  // Nobody else writes to these entries of the report: kernels write to those before.
  std::copy(along.begin(), along.end(), m_report.data() + count);
  if (!along.empty()) Kokkos::deep_copy(exec, part(m_sums, count, all), part(m_report, count, all));
  ordered.sum(stream_of(exec), m_sums.data(), all);
  if (all > 0) Kokkos::deep_copy(exec, part(m_report, 0, all), part(m_sums, 0, all));
  ordered.wait(stream_of(exec));
}

template <class Space>
std::vector<double> InnerProducts<Space>::operator()(const Space& exec, std::span<const Pair> pairs,
                                                     std::span<double> along) {
  const std::size_t count = pairs.size() * m_k;
  const std::size_t all = count + along.size();
  if (m_report.extent(0) < all) {
    m_report = kernels::allocate_report<double>(exec, "tessera::distributed::sums", all);
    m_sums = allocate<double>(exec, "tessera::distributed::sums", all);
  }
  std::vector<double> sums(all, 0.0);
  if (const auto* const ordered = ordered_on<Space>(*m_processes)) {
    sum_in_order(exec, *ordered, pairs, along);
    sums.assign(m_report.data(), m_report.data() + all);
  } else {
    if (!pairs.empty() && pairs.front().first.extent(0) > 0) {
      take_products(exec, pairs);
      exec.fence("tessera::distributed::InnerProducts");
      std::copy(m_report.data(), m_report.data() + count, sums.begin());
    }
    std::copy(along.begin(), along.end(), sums.begin() + static_cast<std::ptrdiff_t>(count));
    m_processes->sum(sums);
  }
  std::copy(sums.begin() + static_cast<std::ptrdiff_t>(count), sums.end(), along.begin());
  sums.resize(count);
  return sums;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, InnerProducts)

}  // namespace tessera::distributed
