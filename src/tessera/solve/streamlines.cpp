// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/streamlines.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/row_samples.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <cmath>
#include <cstdint>

namespace tessera {
namespace detail {

/// Goes upstream from row to row.
template <class Scalar, class Space, class Offset>
class Streamline {
 public:
  explicit Streamline(const kernels::CsrView<Scalar, Space, Offset>& A) : m_A(A) {}

  /// Whether there are so many rows upstream of `row`, one after the other.
  bool is_longer(Ordinal row, std::int64_t steps) const {
    for (; row >= 0 && steps > 0; --steps)
      row = upstream(row);
    return row >= 0;
  }

 private:
  /// Of a row: a step reads the rows of all its columns.
  static constexpr int max_length = 64;

  bool is_long(Ordinal i) const { return m_A.offsets(i + 1) - m_A.offsets(i) > max_length; }

  double entry(Ordinal i, Ordinal j) const {
    double sum = 0;
    for (Offset e = m_A.offsets(i); e < m_A.offsets(i + 1); ++e)
      sum += m_A.columns(e) == j ? static_cast<double>(m_A.values(e)) : 0.0;
    return sum;
  }

  /// -1 where there is none.
  Ordinal upstream(Ordinal i) const {
    if (is_long(i)) return -1;
    const double sign = entry(i, i) < 0 ? -1 : 1;
    Ordinal best = -1;
    double most = 0;
    for (Offset e = m_A.offsets(i); e < m_A.offsets(i + 1); ++e) {
      const Ordinal j = m_A.columns(e);
      if (j == i || is_long(j)) continue;
      const auto value = static_cast<double>(m_A.values(e));
      const double transposed = entry(j, i);
      const double excess = sign * (transposed - value);
      const double both = std::abs(value) + std::abs(transposed);
      if (excess <= most || excess < rules::share_of_upstream * both) continue;
      most = excess;
      best = j;
    }
    return best;
  }

  kernels::CsrView<Scalar, Space, Offset> m_A;
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
double sampled_long_streamlines(const kernels::CsrView<Scalar, Space, Offset>& A) {
  if (A.num_rows == 0) return 0;
  constexpr std::uint32_t count = 8;
  const detail::Streamline<Scalar, Space, Offset> streamline(A);
  const auto steps = static_cast<std::int64_t>(rules::steps_of_streamline *
                                               std::sqrt(static_cast<double>(A.num_rows)));
  int longer = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto rows = static_cast<std::uint32_t>(A.num_rows);
    longer += streamline.is_longer(static_cast<Ordinal>(kernels::hash32(k) % rows), steps) ? 1 : 0;
  }
  return static_cast<double>(longer) / count;
}

TESSERA_DETAIL_MATRICES_HOST(TESSERA_INSTANTIATE_FUNCTION, sampled_long_streamlines)

}  // namespace tessera
