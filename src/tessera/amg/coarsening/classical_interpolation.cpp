// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/classical_interpolation.hpp"

#include "tessera/amg/coarsening/detail/direct_weights.hpp"
#include "tessera/amg/coarsening/detail/extended_weights.hpp"
#include "tessera/amg/coarsening/detail/factor_pattern.hpp"
#include "tessera/amg/coarsening/detail/interpolation_by_group.hpp"
#include "tessera/amg/coarsening/modified_interpolation.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// Whether coarse points at distance two are interpolated from, by the factor M.
inline bool is_extended(Interpolation interpolation) {
  return interpolation == Interpolation::extended_i || interpolation == Interpolation::extended_e;
}

/// Copies strong couplings to M and N, and sums the others; finishes M for direct interpolation.
template <class Scalar, class Space, class Offset>
struct CopyCouplings {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> M, N;
  Array<const Ordinal, Space> coarse_number;
  RowParts<Space> parts;
  bool is_direct;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Offset m = M.offsets(i);
    Offset n = N.offsets(i);
    const Offset m_end = M.offsets(i + 1);
    const Offset n_end = N.offsets(i + 1);
    if (m == m_end) return;
    const Offset own = m++;
    if (coarse_number(i) >= 0) {
      M.values(own) = 1;
      N.values(n) = 1;
      return;
    }
    DirectWeights weights;
    double fine = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      const auto value = static_cast<double>(A.values(e));
      if (j == i) {
        weights.diagonal += value;
      } else if (m < m_end && M.columns(m) == j) {
        M.values(m++) = A.values(e);
        fine += value;
      } else if (n < n_end && N.columns(n) == coarse_number(j)) {
        N.values(n++) = A.values(e);
        weights.take(value);
      } else {
        weights.leave(value);
      }
    }
    if (is_direct) {
      M.values(own) = static_cast<Scalar>(weights.scale());
    } else {
      parts.rest(i) = weights.diagonal + weights.negative + weights.positive;
      parts.to_coarse(i) = weights.sum;
      parts.size_to_coarse(i) = weights.size;
      const auto fine_count = static_cast<double>(m_end - own - 1);
      if (parts.to_fine.extent(0) != 0) parts.to_fine(i) = fine / Kokkos::max(fine_count, 1.0);
    }
  }
};

}  // namespace detail

template <class Space, class Offset>
int pattern_lanes(const kernels::Graph<Space, Offset>& strong) {
  if (kernels::is_host_space<Space>) return 0;
  const auto couplings = static_cast<double>(strong.columns.extent(0));
  return couplings >= rules::min_couplings_for_lanes * strong.num_nodes ? 8 : 0;
}

template <class Scalar, class Space, class Offset>
InterpolationFactors<Scalar, Space, Offset> interpolation_pattern(
    const Space& exec, const kernels::Graph<Space, Offset>& strong,
    const Array<const Ordinal, Space>& coarse_number, Ordinal num_coarse,
    Interpolation interpolation, std::optional<int> lanes) {
  const Ordinal n = strong.num_nodes;
  const detail::FactorRows<Space, Offset> rows{strong, coarse_number,
                                               detail::is_extended(interpolation)};
  const auto m_counts = allocate<Offset>(exec, "tessera::interpolation::offsets", n + 1ul);
  const auto n_counts = allocate<Offset>(exec, "tessera::interpolation::offsets", n + 1ul);
  const int num_lanes = lanes.value_or(pattern_lanes(strong));
  kernels::for_each_row(exec, "tessera::interpolation::count", n, num_lanes,
                        detail::CountFactorRows<Space, Offset>{rows, m_counts, n_counts});
  const auto [m_total, n_total] =
      kernels::both_counts_to_offsets<Offset, Space>(exec, m_counts, n_counts);
  const auto m_columns = allocate<Ordinal>(exec, "tessera::interpolation::columns", m_total);
  const auto n_columns = allocate<Ordinal>(exec, "tessera::interpolation::columns", n_total);
  kernels::for_each_row(
      exec, "tessera::interpolation::columns", n, num_lanes,
      detail::ListFactorRows<Space, Offset>{rows, m_counts, n_counts, m_columns, n_columns});
  InterpolationFactors<Scalar, Space, Offset> factors{
      {n, n, m_counts, m_columns, {}}, {n, num_coarse, n_counts, n_columns, {}}, coarse_number};
  if (interpolation == Interpolation::classical_modified)
    factors.fine = fine_dependences(exec, strong, coarse_number);
  return factors;
}

template <class Scalar, class Space, class Offset>
int coupling_lanes(const kernels::CsrView<Scalar, Space, Offset>& A) {
  if (kernels::is_host_space<Space>) return 0;
  return static_cast<double>(A.num_entries) >= rules::min_couplings_for_lanes * A.num_rows ? 8 : 0;
}

template <class Scalar, class Space, class Offset>
int weight_lanes(const kernels::Csr<Scalar, Space, Offset>& M) {
  if (kernels::is_host_space<Space> || M.num_rows == 0) return 0;
  const double mean = static_cast<double>(M.num_entries()) / M.num_rows;
  if (mean < rules::min_weights_for_lanes) return 0;
  return mean < rules::min_weights_for_eight_lanes ? 4 : 8;
}

template <class Scalar, class Space, class Offset>
void fill_interpolation(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        Interpolation interpolation,
                        InterpolationFactors<Scalar, Space, Offset>& factors,
                        std::optional<int> lanes) {
  const Ordinal n = A.num_rows;
  auto& M = factors.M;
  auto& N = factors.N;
  require(M.num_rows == n && N.num_rows == n, [&] {
    return "A has " + std::to_string(n) + " rows, the factors of its interpolation " +
           std::to_string(M.num_rows) + " and " + std::to_string(N.num_rows);
  });
  M.values = allocate<Scalar>(exec, "tessera::interpolation::values", M.num_entries());
  N.values = allocate<Scalar>(exec, "tessera::interpolation::values", N.num_entries());
  if (interpolation == Interpolation::classical_modified) {
    fill_modified_interpolation(exec, A, factors);
    return;
  }
  const bool is_direct = interpolation == Interpolation::direct;
  kernels::Csr<Scalar, Space, Offset> couplings = M;
  detail::RowParts<Space> parts;
  if (!is_direct) {
    couplings.values = allocate<Scalar>(exec, "tessera::interpolation::values", M.num_entries());
    parts.rest = allocate<double>(exec, "tessera::interpolation::rest", n);
    parts.to_coarse = allocate<double>(exec, "tessera::interpolation::to_coarse", n);
    parts.size_to_coarse = allocate<double>(exec, "tessera::interpolation::size_to_coarse", n);
    if (interpolation == Interpolation::extended_e)
      parts.to_fine = allocate<double>(exec, "tessera::interpolation::to_fine", n);
  }
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  const char* const copy = "tessera::interpolation::copy";
  const int num_lanes = is_direct ? 0 : lanes.value_or(coupling_lanes(A));
  if (num_lanes == 0) {
    Kokkos::parallel_for(copy, rows,
                         detail::CopyCouplings<Scalar, Space, Offset>{
                             A, couplings, N, factors.coarse_number, parts, is_direct});
  } else {
    kernels::for_each_row(exec, copy, n, num_lanes,
                          detail::CopyCouplingsByGroup<Scalar, Space, Offset>{
                              A, couplings, N, factors.coarse_number, parts});
  }
  if (is_direct) return;
  kernels::for_each_row(exec, "tessera::interpolation::weights", n, lanes.value_or(weight_lanes(M)),
                        detail::ExtendedWeights<Scalar, Space, Offset>{
                            M, couplings.values, factors.coarse_number, parts});
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, pattern_lanes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, interpolation_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, coupling_lanes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, weight_lanes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_interpolation)

}  // namespace tessera::amg
