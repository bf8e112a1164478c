// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/component_projector.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {
namespace detail {

/// Rows by component, components by their least row.
struct SortedRows {
  std::vector<Ordinal> rows;
  std::vector<int> component;  ///< of each of `rows`
  std::vector<Ordinal> start;  ///< of each component in `rows`, and the end
};

template <class Labels>
SortedRows sorted_by_component(const Labels& label) {
  const auto n = static_cast<Ordinal>(label.extent(0));
  SortedRows sorted;
  std::vector<int> number(n, -1);
  std::vector<Ordinal> count;
  for (Ordinal i = 0; i < n; ++i) {
    if (label(i) < 0) continue;
    int& c = number[label(i)];
    if (c < 0) {
      c = static_cast<int>(count.size());
      count.push_back(0);
    }
    ++count[c];
  }
  sorted.start.assign(count.size() + 1, 0);
  for (std::size_t c = 0; c < count.size(); ++c)
    sorted.start[c + 1] = sorted.start[c] + count[c];
  sorted.rows.resize(sorted.start.back());
  sorted.component.resize(sorted.start.back());
  std::vector<Ordinal> next(sorted.start.begin(), sorted.start.end() - 1);
  for (Ordinal i = 0; i < n; ++i) {
    if (label(i) < 0) continue;
    const int c = number[label(i)];
    sorted.rows[next[c]] = i;
    sorted.component[next[c]++] = c;
  }
  return sorted;
}

/// Where runs begin, with the end, and the first run of each component, with their number.
struct Runs {
  std::vector<Ordinal> start;
  std::vector<Ordinal> first;
};

inline Runs runs_of(const std::vector<Ordinal>& component_start) {
  Runs runs;
  for (std::size_t c = 0; c + 1 < component_start.size(); ++c) {
    runs.first.push_back(static_cast<Ordinal>(runs.start.size()));
    for (Ordinal at = component_start[c]; at < component_start[c + 1];
         at += kernels::longest_component_run)
      runs.start.push_back(at);
  }
  runs.first.push_back(static_cast<Ordinal>(runs.start.size()));
  runs.start.push_back(component_start.back());
  return runs;
}

/// Divides the weights of each component by their length, which may overflow when squared.
template <class Weights>
void normalise_components(const SortedRows& sorted, const Weights& weight) {
  for (std::size_t c = 0; c + 1 < sorted.start.size(); ++c) {
    const auto over_rows = [&](const auto& visit) {
      for (Ordinal at = sorted.start[c]; at < sorted.start[c + 1]; ++at)
        visit(weight(sorted.rows[at]));
    };
    double largest = 0, sum = 0;
    over_rows([&](const auto& w) { largest = std::max(largest, std::abs(double(w))); });
    if (!(largest > 0)) continue;
    over_rows([&](const auto& w) { sum += std::pow(double(w) / largest, 2); });
    const double root = std::sqrt(sum);
    over_rows(
        [&](auto& w) { w = static_cast<std::decay_t<decltype(w)>>(double(w) / largest / root); });
  }
}

template <class Space, class T>
Array<T, Space> to_space(const Space& exec, const char* label, const std::vector<T>& values) {
  const auto result = allocate<T>(exec, label, values.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      values.data(), values.size());
  Kokkos::deep_copy(exec, result, host);
  exec.fence(label);  // the host's memory is the caller's
  return result;
}

}  // namespace detail

template <class Scalar, class Space>
ComponentProjector<Scalar, Space>::ComponentProjector(
    const Space& exec, const ArrayView<const Ordinal, Space>& label,
    const ArrayView<const Scalar, Space>& weight) {
  require(label.extent(0) == weight.extent(0), [&] {
    return "a nullspace by components has " + std::to_string(label.extent(0)) + " labels and " +
           std::to_string(weight.extent(0)) + " weights, expected as many";
  });
  const auto labels = kernels::copy_to_host(exec, label);
  const detail::SortedRows sorted = detail::sorted_by_component(labels);
  m_weight = allocate<Scalar>(exec, "tessera::nullspace::weight", weight.extent(0));
  Kokkos::deep_copy(exec, m_weight, weight);
  if (sorted.rows.empty()) return;
  const auto weights = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, m_weight);
  Kokkos::deep_copy(exec, weights, m_weight);
  exec.fence("tessera::nullspace::weight");
  detail::normalise_components(sorted, weights);
  Kokkos::deep_copy(exec, m_weight, weights);
  const detail::Runs runs = detail::runs_of(sorted.start);
  m_rows = detail::to_space(exec, "tessera::nullspace::rows", sorted.rows);
  m_component = detail::to_space(exec, "tessera::nullspace::component", sorted.component);
  m_run_start = detail::to_space(exec, "tessera::nullspace::run_start", runs.start);
  m_first_run = detail::to_space(exec, "tessera::nullspace::first_run", runs.first);
}

template <class Scalar, class Space>
void ComponentProjector<Scalar, Space>::prepare(const Space& exec, int k) {
  if (empty() || m_products.extent(1) >= static_cast<std::size_t>(k)) return;
  m_partials =
      allocate_multivector<double>(exec, "tessera::nullspace::partials", rows().num_runs(), k);
  m_products = allocate_multivector<double>(exec, "tessera::nullspace::products",
                                            rows().num_components(), k);
}

template <class Scalar, class Space>
void ComponentProjector<Scalar, Space>::apply(const Space& exec,
                                              const MultiVectorView<Scalar, Space>& v) const {
  if (empty()) return;
  kernels::component_dot<Scalar, Space>(exec, rows(), m_weight, v, m_partials, m_products);
  kernels::component_subtract<Scalar, Space>(exec, rows(), m_weight, m_products, v);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, ComponentProjector)

}  // namespace tessera
