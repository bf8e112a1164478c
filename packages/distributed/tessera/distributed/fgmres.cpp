// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/fgmres.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::distributed {

template <class Space>
bool Fgmres<Space>::Column::add(std::vector<double> h) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const std::size_t m = R.size();
  double all = 0;
  for (const double entry : h)
    all = std::hypot(all, entry);
  for (std::size_t i = 0; i < m; ++i) {
    const double upper = cosines[i] * h[i] + sines[i] * h[i + 1];
    h[i + 1] = cosines[i] * h[i + 1] - sines[i] * h[i];
    h[i] = upper;
  }
  const double length = std::hypot(h[m], h[m + 1]);
  if (!(length > rounding * all)) return false;
  cosines.push_back(h[m] / length);
  sines.push_back(h[m + 1] / length);
  h[m] = length;
  h.pop_back();
  R.push_back(std::move(h));
  g.push_back(-sines[m] * g[m]);
  g[m] *= cosines[m];
  return true;
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
void Fgmres<Space>::prepare(const Space& exec, std::size_t, std::size_t k) {
  const auto restart = static_cast<std::size_t>(this->parameters().gmres.restart);
  this->reserve_products(exec, (restart + 1) * k);
  m_V.clear();
  m_Z.clear();
  m_w = this->vectors_like_x(exec);
  grow(exec, 1, 1);
}

/// Vectors are made as they are needed, an iteration before.
template <class Space>
void Fgmres<Space>::grow(const Space& exec, std::size_t num_V, std::size_t num_Z) {
  while (m_V.size() < num_V)
    m_V.push_back(this->vectors_like_x(exec));
  while (m_Z.size() < num_Z)
    m_Z.push_back(this->vectors_like_x(exec));
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
bool Fgmres<Space>::is_left() const {
  return this->parameters().name == SolverName::gmres &&
         this->parameters().side == PreconditioningSide::left;
}

template <class Space>
auto Fgmres<Space>::start(const Space& exec) -> std::vector<Column> {
  const std::size_t k = this->num_columns();
  Vectors r = this->residual();
  Numbers norms = this->start_norms();
  m_norm_scale.assign(k, 1.0);
  if (is_left()) {
    this->precondition(exec, this->residual(), m_w);
    r = m_w;
    norms = this->products(exec, {{r, r}});
    for (std::size_t j = 0; j < k; ++j)
      m_norm_scale[j] = norms[j] > 0 ? this->start_norms()[j] / norms[j] : 1;
  }
  std::vector<Column> columns(k);
  Numbers scale(k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    const double length = std::sqrt(norms[j]);
    columns[j].g = {length};
    scale[j] = this->iterates(j) && length > 0 ? 1 / length : 0;
  }
  update_columns<Space>(exec, scale, r, Numbers(k, 0.0), m_V[0]);
  return columns;
}

template <class Space>
void Fgmres<Space>::extend(const Space& exec, std::size_t m) {
  const Vectors z = m_Z[is_left() ? 0 : m];
  if (is_left()) {
    this->multiply(exec, m_V[m], z);
    this->precondition(exec, z, m_w);
  } else {
    this->precondition(exec, m_V[m], z);
    this->multiply(exec, z, m_w);
  }
}

template <class Space>
void Fgmres<Space>::update_iterate(const Space& exec, const std::vector<Column>& columns,
                                   const Vectors& x) {
  const std::size_t k = this->num_columns();
  std::size_t longest = 0;
  std::vector<std::vector<double>> solutions;
  for (const Column& column : columns) {
    auto y = column.solution();
    if (!std::ranges::all_of(y, [](double entry) { return std::isfinite(entry); })) y.clear();
    longest = std::max(longest, y.size());
    solutions.push_back(std::move(y));
  }
  for (std::size_t m = 0; m < longest; ++m) {
    Numbers y(k, 0.0);
    for (std::size_t j = 0; j < k; ++j)
      y[j] = m < solutions[j].size() ? solutions[j][m] : 0;
    add_columns<Space>(exec, y, is_left() ? m_V[m] : m_Z[m], x);
  }
}

template <class Space>
void Fgmres<Space>::run_cycle(const Space& exec, const ConstVectors&, const Vectors& x) {
  using kernels::ColumnEvent;
  const std::size_t k = this->num_columns();
  const auto restart = static_cast<std::size_t>(this->parameters().gmres.restart);
  std::vector<Column> columns = start(exec);
  Numbers norms = this->start_norms();
  for (std::size_t m = 0; m < restart; ++m) {
    extend(exec, m);
    // Where there is no room for them, the next sums say so to all.
    if (m + 1 < restart) this->take([&] { grow(exec, m + 2, is_left() ? 1 : m + 2); });
    std::vector<std::vector<double>> h(k, std::vector<double>(m + 2, 0.0));
    remove_basis(exec, m + 1, h);
    const auto first = h;
    const auto lengths = remove_basis(exec, m + 1, h);  // before the second pass
    std::vector<ColumnEvent> events(k, ColumnEvent::none);
    Numbers scale(k, 0.0);
    for (std::size_t j = 0; j < k; ++j) {
      if (!this->iterates(j)) continue;
      double rest = lengths[j];
      double all = 0;
      for (std::size_t i = 0; i <= m; ++i) {
        const double second = h[j][i] - first[j][i];
        rest -= second * second;
        all += h[j][i] * h[j][i];
      }
      // What is less is the rounding of the two passes: the subspace is an invariant one.
      const bool is_outside = rest > 1e-30 * (all + lengths[j]);
      h[j][m + 1] = is_outside ? std::sqrt(rest) : 0;
      scale[j] = is_outside ? 1 / h[j][m + 1] : 0;
      Column& column = columns[j];
      if (!std::isfinite(all + rest + column.residual()))
        events[j] = ColumnEvent::not_a_number;
      else if (!column.add(h[j]))
        events[j] = ColumnEvent::breakdown;
      else
        norms[j] = column.residual() * column.residual() * m_norm_scale[j];
    }
    if (this->advance(norms, events) != tessera::detail::Step::proceed || m + 1 == restart) break;
    update_columns<Space>(exec, scale, m_w, Numbers(k, 0.0), m_V[m + 1]);
  }
  update_iterate(exec, columns, x);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Fgmres)

}  // namespace tessera::distributed
