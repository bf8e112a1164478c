// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/lu_solve.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/sptrsv/detail/solve_column.hpp"

#include <string>

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
LuSolve<Scalar, Space, Offset>::LuSolve(const Space& exec, const Triangle& L, const Triangle& U,
                                        SptrsvAlgorithm algorithm)
    : m_lower(analyse_sptrsv(exec, L, algorithm)), m_upper(analyse_sptrsv(exec, U, algorithm)) {
  require(
      L.num_rows == U.num_rows && L.kind == TriangleKind::lower && U.kind == TriangleKind::upper,
      [&] {
        return "L has " + std::to_string(L.num_rows) + " rows and U " + std::to_string(U.num_rows) +
               ", expected a lower and an upper triangle of as many rows";
      });
}

template <class Scalar, class Space, class Offset>
void LuSolve<Scalar, Space, Offset>::prepare(const Space& exec, int k) {
  if (m_y.extent(1) >= static_cast<std::size_t>(k)) return;
  const auto y =
      allocate_multivector<Scalar>(exec, "tessera::sptrsv::between", m_lower.num_rows, k);
  if (m_lower.algorithm == SptrsvAlgorithm::counters)
    detail::fill_with_sentinel(exec, y.data(), y.extent(0) * y.extent(1));
  m_y = y;
}

template <class Scalar, class Space, class Offset>
void LuSolve<Scalar, Space, Offset>::apply(const Space& exec, const Triangle& L, const Triangle& U,
                                           const ConstVectors& r, const Vectors& z) {
  prepare(exec, static_cast<int>(z.extent(1)));
  const bool lower_counts = m_lower.algorithm == SptrsvAlgorithm::counters;
  const bool upper_counts = m_upper.algorithm == SptrsvAlgorithm::counters;
  for (std::size_t j = 0; j < z.extent(1); ++j) {
    Scalar* const y = m_y.data() + j * m_y.stride(1);
    Scalar* const to = z.data() + j * z.stride(1);
    detail::SentinelFill<Scalar> of_lower, of_upper;
    if (lower_counts) {
      of_lower.x_is_sentinel = true;
      if (upper_counts) {
        of_lower.other = to;
        of_upper.x_is_sentinel = true;
        of_upper.b = y;
      }
    }
    detail::solve_column(exec, m_lower, L, r.data() + j * r.stride(1), y, of_lower);
    detail::solve_column(exec, m_upper, U, y, to, of_upper);
    if (lower_counts && !upper_counts) detail::fill_with_sentinel(exec, y, m_y.extent(0));
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, LuSolve)

}  // namespace tessera::kernels
