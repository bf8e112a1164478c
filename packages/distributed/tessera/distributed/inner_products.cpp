// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/inner_products.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tessera::distributed {
namespace {

/// Chunks of rows, one after the other, that a thread each sums.
template <class Space>
Ordinal num_chunks(const Space& exec, std::size_t rows) {
  constexpr std::size_t on_device = 4096;
  const std::size_t most =
      kernels::is_host_space<Space> ? static_cast<std::size_t>(exec.concurrency()) : on_device;
  // Of 2^31 rows at most a chunk has no more than an exact sum may take in.
  constexpr std::size_t least = 4;
  return static_cast<Ordinal>(
      std::max(std::min(most, rows), rows > 1000000 ? least : std::size_t(1)));
}

/// parts(c) = the sum of x(i, column) y(i, column) over chunk c, each product rounded as any is.
template <class Space>
void add_exactly(const Space& exec, const ConstMultiVectorView<double, Space>& x,
                 const ConstMultiVectorView<double, Space>& y, std::size_t column,
                 const Kokkos::View<ExactSum*, Space>& parts) {
  const auto rows = static_cast<std::int64_t>(x.extent(0));
  const auto chunks = static_cast<std::int64_t>(parts.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::InnerProducts::add_exactly",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(chunks)),
      KOKKOS_LAMBDA(const Ordinal c) {
        ExactSum sum;
        const std::int64_t end = rows * (c + 1) / chunks;
        for (std::int64_t i = rows * c / chunks; i < end; ++i)
          sum.add(x(i, column) * y(i, column));
        sum.carry();
        parts(c) = sum;
      });
}

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
  const auto take = [&](std::size_t number, const ExactSum& sum) {
    for (std::size_t w = 0; w < ExactSum::num_words; ++w)
      words[number * ExactSum::num_words + w] += sum.words[w];
  };
  const std::size_t rows = pairs.empty() ? 0 : pairs.front().first.extent(0);
  if (rows > 0) {
    const auto chunks = static_cast<std::size_t>(num_chunks(exec, rows));
    if (m_parts.extent(0) != chunks)
      m_parts = Kokkos::View<ExactSum*, Space>(
          Kokkos::view_alloc(exec, "tessera::distributed::exact_sums"), chunks);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      for (std::size_t j = 0; j < m_k; ++j) {
        add_exactly<Space>(exec, pairs[p].first, pairs[p].second, j, m_parts);
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_parts);
        exec.fence("tessera::distributed::InnerProducts");
        for (std::size_t c = 0; c < chunks; ++c)
          take(p * m_k + j, host(c));
      }
    }
  }
  for (std::size_t i = 0; i < along.size(); ++i) {
    ExactSum sum;
    sum.add(along[i]);
    sum.carry();
    take(count + i, sum);
  }
  m_processes->sum(std::span<std::int64_t>(words));
  const auto value = [&](std::size_t number) {
    ExactSum sum;
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(number * ExactSum::num_words),
                std::size_t(ExactSum::num_words), sum.words);
    return sum.value();
  };
  std::vector<double> sums(count);
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = value(i);
  for (std::size_t i = 0; i < along.size(); ++i)
    along[i] = value(count + i);
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
