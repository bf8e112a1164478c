// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The best iterate of a cycle, for methods whose residuals may grow.
#pragma once

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <cstddef>
#include <vector>

namespace tessera::distributed {

/// By column, the iterate of least norm since a cycle's start, by the norms that the method has of
/// its residuals. It is x itself until a step makes x worse; then the iterate before that step is
/// kept, and counts until another one is no worse (as in tessera::KrylovMethod).
template <class Space>
class BestIterate {
 public:
  using Vectors = MultiVectorView<double, Space>;

  /// `room`: n by k.
  void prepare(const MultiVector<double, Space>& room) { m_kept = room; }

  /// x is what a cycle starts from, with residuals of these squared norms, one a column.
  void begin(const std::vector<double>& norms) {
    m_norms = norms;
    m_x_is_best.assign(norms.size(), 1);
  }

  /// Takes the squared norm of column j's residual after a step; `failed`: something went wrong in
  /// that step, whatever its norm. True where the iterate before it has to be put into `kept(j)`.
  bool gets_worse(std::size_t j, double norm, bool failed) {
    const bool x_was_best = m_x_is_best[j] != 0;
    const bool x_is_best = !failed && norm <= m_norms[j];  // false for a NaN
    if (x_is_best) m_norms[j] = norm;
    m_x_is_best[j] = x_is_best ? 1 : 0;
    return x_was_best && !x_is_best;
  }

  /// n by 1.
  Vectors kept(std::size_t j) const { return column_of(Vectors(m_kept), j); }

  /// Puts back what is better than x.
  void restore(const Space& exec, const Vectors& x) const {
    for (std::size_t j = 0; j < m_norms.size(); ++j)
      if (m_x_is_best[j] == 0) kernels::copy<double, double, Space>(exec, kept(j), column_of(x, j));
  }

 private:
  MultiVector<double, Space> m_kept;
  std::vector<double> m_norms;
  std::vector<char> m_x_is_best;
};

}  // namespace tessera::distributed
