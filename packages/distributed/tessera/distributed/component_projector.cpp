// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/component_projector.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

/// A run of a component's rows to a thread, each product rounded as any is.
template <class Space>
struct AddRunExactly {
  kernels::ComponentRows<Space> where;
  ArrayView<const double, Space> weight;
  MultiVectorView<double, Space> v;
  std::size_t column;
  Kokkos::View<ExactSum*, Space> sums;

  KOKKOS_FUNCTION void operator()(const Ordinal run) const {
    ExactSum sum;
    for (Ordinal at = where.run_start(run); at < where.run_start(run + 1); ++at) {
      const Ordinal i = where.rows(at);
      sum.add(weight(i) * v(i, column));
    }
    sum.carry();
    sums(run) = sum;
  }
};

std::vector<double> weights_of(const ComponentNullspace& nullspace) {
  std::vector<double> weights;
  for (const int c : nullspace.component)
    weights.push_back(
        c < 0 ? 0
              : 1 / std::sqrt(static_cast<double>(nullspace.size[static_cast<std::size_t>(c)])));
  return weights;
}

}  // namespace

template <class Space>
ComponentProjector<Space>::ComponentProjector(const Space& exec,
                                              const std::shared_ptr<const Communicator>& processes,
                                              const ComponentNullspace& nullspace)
    : m_processes(processes), m_sums(processes) {
  on_all_processes(*processes, [&] {
    m_weight = from_host(exec, weights_of(nullspace));
    m_shared = group_of(exec, nullspace, 0, nullspace.num_shared);
    m_own =
        group_of(exec, nullspace, nullspace.num_shared, static_cast<int>(nullspace.size.size()));
    prepare(exec, 1);
  });
}

template <class Space>
auto ComponentProjector<Space>::group_of(const Space& exec, const ComponentNullspace& nullspace,
                                         int begin, int end) const -> Group {
  const auto& component_of = nullspace.component;
  std::vector<Ordinal> next(static_cast<std::size_t>(end - begin) + 1, 0);
  for (const int c : component_of)
    if (c >= begin && c < end) ++next[static_cast<std::size_t>(c - begin) + 1];
  std::vector<Ordinal> run_start;
  Group group;
  for (std::size_t c = 0; c + 1 < next.size(); ++c) {
    next[c + 1] += next[c];
    group.first_run_here.push_back(static_cast<Ordinal>(run_start.size()));
    for (Ordinal at = next[c]; at < next[c + 1]; at += kernels::longest_component_run)
      run_start.push_back(at);
  }
  group.first_run_here.push_back(static_cast<Ordinal>(run_start.size()));
  run_start.push_back(next.back());
  std::vector<Ordinal> rows(static_cast<std::size_t>(next.back()));
  std::vector<int> component(rows.size());
  for (std::size_t i = 0; i < component_of.size(); ++i) {
    const int c = component_of[i] - begin;
    if (component_of[i] < begin || component_of[i] >= end) continue;
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(c)]++);
    rows[at] = static_cast<Ordinal>(i);
    component[at] = c;
  }
  group.rows = from_host(exec, rows);
  group.component = from_host(exec, component);
  group.run_start = from_host(exec, run_start);
  group.first_run = from_host(exec, group.first_run_here);
  return group;
}

template <class Space>
void ComponentProjector<Space>::prepare(const Space& exec, std::size_t k, Group& group) const {
  const char* const label = "tessera::distributed::nullspace";
  const auto runs = static_cast<std::size_t>(group.first_run_here.back());
  group.products = allocate<double>(exec, label, group.num_components() * k);
  if (!m_processes->is_reproducible())
    group.partials = allocate_multivector<double>(exec, label, runs, k);
}

template <class Space>
void ComponentProjector<Space>::prepare(const Space& exec, std::size_t k) {
  if (k <= m_columns) return;
  prepare(exec, k, m_shared);
  prepare(exec, k, m_own);
  m_columns = k;
  if (!m_processes->is_reproducible()) return m_sums.reserve(exec, m_shared.num_components() * k);
  m_exact = Kokkos::View<ExactSum*, Space>(
      Kokkos::view_alloc(exec, "tessera::distributed::exact_sums"),
      static_cast<std::size_t>(
          std::max(m_shared.first_run_here.back(), m_own.first_run_here.back())));
  m_report = kernels::allocate_report<double>(
      exec, "tessera::distributed::nullspace",
      std::max(m_shared.num_components(), m_own.num_components()) * k);
}

/// Into the group's products.
template <class Space>
void ComponentProjector<Space>::multiply_exactly(const Space& exec, const Vectors& v,
                                                 const Group& group, bool is_shared) {
  constexpr auto num_words = static_cast<std::size_t>(ExactSum::num_words);
  const std::size_t count = group.num_components(), k = v.extent(1);
  const Ordinal runs = group.first_run_here.back();
  std::vector<std::int64_t> words(count * num_words);
  for (std::size_t j = 0; j < k; ++j) {
    Kokkos::parallel_for("tessera::distributed::nullspace::add_exactly",
                         Kokkos::RangePolicy<Space>(exec, 0, runs),
                         AddRunExactly<Space>{group.where(), m_weight, v, j, m_exact});
    const auto sums = kernels::copy_to_host(exec, m_exact);
    std::ranges::fill(words, 0);
    for (std::size_t c = 0; c < count; ++c)
      for (Ordinal run = group.first_run_here[c]; run < group.first_run_here[c + 1]; ++run)
        for (std::size_t w = 0; w < num_words; ++w)
          words[c * num_words + w] += sums(run).words[w];
    if (is_shared) m_processes->sum(std::span<std::int64_t>(words));
    for (std::size_t c = 0; c < count; ++c) {
      ExactSum sum;
      std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(c * num_words), num_words, sum.words);
      m_report(j * count + c) = sum.value();
    }
  }
  const auto all = std::make_pair(std::size_t(0), count * k);
  Kokkos::deep_copy(exec, Kokkos::subview(group.products, all), Kokkos::subview(m_report, all));
  exec.fence("tessera::distributed::nullspace");  // the report is for the other group, too
}

template <class Space>
void ComponentProjector<Space>::apply(const Space& exec, const Vectors& v, Group& group,
                                      bool is_shared) {
  const std::size_t count = group.num_components(), k = v.extent(1);
  if (count == 0) return;
  const MultiVectorView<double, Space> products(group.products.data(), count, k);
  const ArrayView<double, Space> numbers(group.products.data(), count * k);
  const bool has_rows = group.rows.extent(0) > 0;
  if (m_processes->is_reproducible()) {
    multiply_exactly(exec, v, group, is_shared);
  } else {
    if (has_rows)
      kernels::component_dot<double, Space>(exec, group.where(), m_weight, v, group.partials,
                                            products);
    else
      Kokkos::deep_copy(exec, numbers, 0.0);
    if (is_shared) m_sums.add_up(exec, numbers);
  }
  if (has_rows)
    kernels::component_subtract<double, Space>(exec, group.where(), m_weight, products, v);
}

template <class Space>
void ComponentProjector<Space>::apply(const Space& exec, const Vectors& v) {
  if (v.extent(1) == 0) return;
  apply(exec, v, m_shared, true);
  apply(exec, v, m_own, false);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ComponentProjector)

}  // namespace tessera::distributed
