// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/fgmres.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::distributed {

template <class Space>
double Fgmres<Space>::Column::add(std::vector<double> h) {
  const std::size_t m = R.size();
  for (std::size_t i = 0; i < m; ++i) {
    const double upper = cosines[i] * h[i] + sines[i] * h[i + 1];
    h[i + 1] = cosines[i] * h[i + 1] - sines[i] * h[i];
    h[i] = upper;
  }
  const double length = std::hypot(h[m], h[m + 1]);
  cosines.push_back(length > 0 ? h[m] / length : 1);
  sines.push_back(length > 0 ? h[m + 1] / length : 0);
  h[m] = length;
  h.pop_back();
  R.push_back(std::move(h));
  g.push_back(-sines[m] * g[m]);
  g[m] *= cosines[m];
  return std::abs(g[m + 1]);
}

template <class Space>
std::vector<double> Fgmres<Space>::Column::solution() const {
  std::vector<double> y(R.size(), 0.0);
  for (std::size_t i = R.size(); i-- > 0;) {
    double sum = g[i];
    for (std::size_t c = i + 1; c < R.size(); ++c)
      sum -= R[c][i] * y[c];
    y[i] = R[i][i] != 0 ? sum / R[i][i] : 0;
  }
  return y;
}

template <class Space>
void Fgmres<Space>::prepare(const Space& exec, std::size_t, std::size_t) {
  m_V.clear();  // made as they are needed
  m_Z.clear();
  m_w = this->vectors_like_x(exec);
}

template <class Space>
auto Fgmres<Space>::remove_basis(const Space& exec, std::size_t count,
                                 std::vector<std::vector<double>>& h) -> Numbers {
  const std::size_t k = this->num_columns();
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i)
    pairs.emplace_back(m_V[i], m_w);
  pairs.emplace_back(m_w, m_w);
  const auto sums = this->products(exec, pairs);
  for (std::size_t i = 0; i < count; ++i) {
    Numbers parts(k);
    for (std::size_t j = 0; j < k; ++j) {
      h[j][i] += sums[i * k + j];
      parts[j] = -sums[i * k + j];
    }
    add_columns<Space>(exec, parts, m_V[i], m_w);
  }
  return Numbers(sums.end() - static_cast<std::ptrdiff_t>(k), sums.end());
}

template <class Space>
void Fgmres<Space>::run_cycle(const Space& exec, const Vectors& x) {
  using kernels::ColumnEvent;
  const std::size_t k = this->num_columns();
  const auto restart = static_cast<std::size_t>(this->parameters().gmres.restart);
  const auto vector_at = [&](std::vector<MultiVector<double, Space>>& list, std::size_t i) {
    if (list.size() <= i) list.push_back(this->vectors_like_x(exec));
    return list[i];
  };
  std::vector<Column> columns(k);
  Numbers norms = this->start_norms();
  Numbers scale(k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    const double length = std::sqrt(norms[j]);
    columns[j].g = {length};
    scale[j] = this->iterates(j) && length > 0 ? 1 / length : 0;
  }
  update_columns<Space>(exec, scale, this->residual(), Numbers(k, 0.0), vector_at(m_V, 0));
  for (std::size_t m = 0; m < restart; ++m) {
    this->precondition(exec, m_V[m], vector_at(m_Z, m));
    this->multiply(exec, m_Z[m], m_w);
    std::vector<std::vector<double>> h(k, std::vector<double>(m + 2, 0.0));
    remove_basis(exec, m + 1, h);
    const auto first = h;
    const auto lengths = remove_basis(exec, m + 1, h);  // before the second pass
    std::vector<ColumnEvent> events(k, ColumnEvent::none);
    for (std::size_t j = 0; j < k; ++j) {
      scale[j] = 0;
      if (!this->iterates(j)) continue;
      double rest = lengths[j];
      double all = 0;
      for (std::size_t i = 0; i <= m; ++i) {
        const double second = h[j][i] - first[j][i];
        rest -= second * second;
        all += h[j][i] * h[j][i];
      }
      // What is less is the rounding of the two passes: the subspace is an invariant one.
      const bool is_left = rest > 1e-30 * (all + lengths[j]);
      h[j][m + 1] = is_left ? std::sqrt(rest) : 0;
      scale[j] = is_left ? 1 / h[j][m + 1] : 0;
      const double length = columns[j].add(h[j]);
      norms[j] = length * length;
      if (!std::isfinite(norms[j])) {
        events[j] = ColumnEvent::not_a_number;
      } else if (!is_left && norms[j] > this->target(j)) {
        events[j] = ColumnEvent::breakdown;
      }
    }
    if (this->advance(norms, events) != tessera::detail::Step::proceed || m + 1 == restart) break;
    update_columns<Space>(exec, scale, m_w, Numbers(k, 0.0), vector_at(m_V, m + 1));
  }
  std::size_t longest = 0;
  std::vector<std::vector<double>> solutions;
  for (std::size_t j = 0; j < k; ++j) {
    solutions.push_back(columns[j].solution());
    const bool is_finite =
        std::ranges::all_of(solutions[j], [](double y) { return std::isfinite(y); });
    if (!is_finite) solutions[j].clear();
    longest = std::max(longest, solutions[j].size());
  }
  for (std::size_t m = 0; m < longest; ++m) {
    Numbers y(k, 0.0);
    for (std::size_t j = 0; j < k; ++j)
      y[j] = m < solutions[j].size() ? solutions[j][m] : 0;
    add_columns<Space>(exec, y, m_Z[m], x);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Fgmres)

}  // namespace tessera::distributed
