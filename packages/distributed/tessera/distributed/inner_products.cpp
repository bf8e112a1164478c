// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/inner_products.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::distributed {

template <class Space>
InnerProducts<Space>::InnerProducts(const Space& exec,
                                    std::shared_ptr<const Communicator> processes, std::size_t k)
    : m_processes(std::move(processes)),
      m_k(k),
      m_workspace(exec, static_cast<int>(k), 1),
      m_sums(allocate<double>(exec, "tessera::distributed::sums", k)) {}

template <class Space>
std::vector<double> InnerProducts<Space>::operator()(const Space& exec, std::span<const Pair> pairs,
                                                     std::span<double> along) {
  const std::size_t count = pairs.size() * m_k;
  if (m_report.extent(0) < count)
    m_report = kernels::allocate_report<double>(exec, "tessera::distributed::sums", count);
  std::vector<double> sums(count, 0.0);
  const bool has_rows = !pairs.empty() && pairs.front().first.extent(0) > 0;
  if (has_rows) {
    for (std::size_t p = 0; p < pairs.size(); ++p)
      kernels::dot<double, Space>(
          exec, m_workspace, pairs[p].first, pairs[p].second, m_sums,
          kernels::ReportView<double, Space>(m_report.data() + p * m_k, m_k));
    exec.fence("tessera::distributed::InnerProducts");
    sums.assign(m_report.data(), m_report.data() + count);
  }
  sums.insert(sums.end(), along.begin(), along.end());
  m_processes->sum(sums);
  std::copy(sums.begin() + static_cast<std::ptrdiff_t>(count), sums.end(), along.begin());
  sums.resize(count);
  return sums;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, InnerProducts)

}  // namespace tessera::distributed
