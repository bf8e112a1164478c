// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/inner_products.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tessera::distributed {
namespace {

/// By a kernel, since a recording has no copies from the host's memory.
template <class Space>
void take_along(const Space& exec, const kernels::ReportView<const double, Space>& along,
                const ArrayView<double, Space>& to) {
  Kokkos::parallel_for(
      "tessera::distributed::InnerProducts::take_along",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(exec, 0,
                                                         static_cast<int>(along.extent(0))),
      KOKKOS_LAMBDA(const int i) { to(i) = along(i); });
}

}  // namespace

template <class Space>
InnerProducts<Space>::InnerProducts(const Space& exec,
                                    std::shared_ptr<const Communicator> processes, std::size_t k)
    : m_processes(std::move(processes)), m_k(k), m_workspace(exec, static_cast<int>(k), 1) {}

template <class Space>
void InnerProducts<Space>::reserve(const Space& exec, std::size_t count) {
  if (m_report.extent(0) >= count) return;
  m_report = kernels::allocate_report<double>(exec, "tessera::distributed::sums", count);
  m_sums = allocate<double>(exec, "tessera::distributed::sums", count);
}

template <class Space>
void InnerProducts<Space>::take_products(const Space& exec, std::span<const Pair> pairs,
                                         const kernels::ReportView<double, Space>& report) {
  const auto part = [this](const auto& numbers, std::size_t p) {
    using View = std::decay_t<decltype(numbers)>;
    return numbers.extent(0) == 0 ? View() : View(numbers.data() + p * m_k, m_k);
  };
  const ArrayView<double, Space> sums(m_sums);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    kernels::dot<double, Space>(exec, m_workspace, pairs[p].first, pairs[p].second, part(sums, p),
                                part(report, p));
}

template <class Space>
bool InnerProducts<Space>::stays_on_device() const {
  return !m_processes->is_reproducible() && ordered_on<Space>(*m_processes) != nullptr;
}

template <class Space>
ArrayView<const double, Space> InnerProducts<Space>::queue(
    const Space& exec, std::span<const Pair> pairs,
    const kernels::ReportView<const double, Space>& along) {
  const std::size_t count = pairs.size() * m_k;
  const std::size_t all = count + along.extent(0);
  reserve(exec, all);
  const ArrayView<double, Space> sums(m_sums.data(), all);
  if (!pairs.empty() && pairs.front().first.extent(0) > 0)
    take_products(exec, pairs, {});
  else if (count > 0)
    Kokkos::deep_copy(exec, Kokkos::subview(sums, std::make_pair(std::size_t(0), count)), 0.0);
  take_along<Space>(exec, along, ArrayView<double, Space>(sums.data() + count, along.extent(0)));
  ordered_on<Space>(*m_processes)->sum(stream_of(exec), sums.data(), all);
  return sums;
}

template <class Space>
void InnerProducts<Space>::wait(const Space& exec) const {
  ordered_on<Space>(*m_processes)->wait(stream_of(exec));
}

/// Into the report: the sums of all processes, those along behind the pairs'.
template <class Space>
void InnerProducts<Space>::sum_in_order(const Space& exec, std::span<const Pair> pairs,
                                        std::span<double> along) {
  double* const behind = m_report.data() + pairs.size() * m_k;
  std::copy(along.begin(), along.end(), behind);
  const auto sums =
      queue(exec, pairs, kernels::ReportView<const double, Space>(behind, along.size()));
  if (sums.extent(0) > 0)
    Kokkos::deep_copy(
        exec, Kokkos::subview(m_report, std::make_pair(std::size_t(0), sums.extent(0))), sums);
  wait(exec);
}

/// The words of all sums, added up over chunks and processes.
template <class Space>
std::vector<double> InnerProducts<Space>::exact_sums(const Space& exec, std::span<const Pair> pairs,
                                                     std::span<double> along) {
  const std::size_t count = pairs.size() * m_k;
  std::vector<std::int64_t> words((count + along.size()) * ExactSum::num_words, 0);
  const auto words_of = [&](std::size_t number) { return &words[number * ExactSum::num_words]; };
  for (std::size_t i = 0; i < count; ++i)
    m_exact.add(exec, pairs[i / m_k].first, pairs[i / m_k].second, i % m_k, words_of(i));
  for (std::size_t i = 0; i < along.size(); ++i) {
    ExactSum sum;
    sum.add(along[i]);
    sum.carry();
    std::ranges::copy(sum.words, words_of(count + i));
  }
  m_processes->sum(std::span<std::int64_t>(words));
  std::vector<double> sums(count);
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = value_of_words(words_of(i));
  for (std::size_t i = 0; i < along.size(); ++i)
    along[i] = value_of_words(words_of(count + i));
  return sums;
}

template <class Space>
std::vector<double> InnerProducts<Space>::operator()(const Space& exec, std::span<const Pair> pairs,
                                                     std::span<double> along) {
  if (m_processes->is_reproducible()) return exact_sums(exec, pairs, along);
  const std::size_t count = pairs.size() * m_k;
  const std::size_t all = count + along.size();
  reserve(exec, all);
  std::vector<double> sums(all, 0.0);
  if (stays_on_device()) {
    sum_in_order(exec, pairs, along);
    sums.assign(m_report.data(), m_report.data() + all);
  } else {
    if (!pairs.empty() && pairs.front().first.extent(0) > 0) {
      take_products(exec, pairs, m_report);
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
