// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/classical_interpolation.hpp"

#include "tessera/amg/coarsening/detail/direct_weights.hpp"
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

/// Visits the entries of a row of M and of N, in the order of A's row.
template <class Space, class Offset>
struct FactorRows {
  kernels::Graph<Space, Offset> strong;
  Array<const Ordinal, Space> coarse_number;
  bool has_fine;  ///< M has the fine points that a row depends on

  template <class VisitM, class VisitN>
  KOKKOS_FUNCTION void for_each(Ordinal i, const VisitM& visit_m, const VisitN& visit_n) const {
    const Ordinal own = coarse_number(i);
    const Offset begin = strong.offsets(i);
    const Offset end = strong.offsets(i + 1);
    if (own >= 0) visit_n(own);
    if (own >= 0 || begin < end) visit_m(i);
    for (Offset k = own >= 0 ? end : begin; k < end; ++k) {
      const Ordinal j = strong.columns(k);
      const Ordinal number = coarse_number(j);
      if (number >= 0) {
        visit_n(number);
      } else if (has_fine) {
        visit_m(j);
      }
    }
  }
};

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

/// Makes M of the couplings between fine points, `couplings`, which have M's pattern.
template <class Scalar, class Space, class Offset>
struct ExtendedWeights {
  kernels::Csr<Scalar, Space, Offset> M;
  Array<const Scalar, Space> couplings;
  Array<const Ordinal, Space> coarse_number;
  RowParts<Space> parts;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Offset own = M.offsets(i);
    const Offset end = M.offsets(i + 1);
    if (own == end) return;
    if (coarse_number(i) >= 0) {
      M.values(own) = 1;
      return;
    }
    double divisor = parts.rest(i);
    double terms = Kokkos::abs(divisor);  // their magnitudes
    double size = parts.size_to_coarse(i);  // of what is divided
    for (Offset m = own + 1; m < end; ++m) {
      const Ordinal k = M.columns(m);
      double weight = 0;
      if (M.offsets(k) < M.offsets(k + 1)) {  // else relaxation has left k no error to speak of
        const auto there = static_cast<double>(couplings(m));
        const double back = parts.to_fine.extent(0) != 0 ? parts.to_fine(k) : coupling(k, i);
        const double through = parts.to_coarse(k) + back;
        const bool lumped = cancels(through, parts.size_to_coarse(k) + Kokkos::abs(back));
        weight = lumped ? 0 : there / through;
        const double term = lumped ? there : weight * back;
        divisor += term;
        terms += Kokkos::abs(term);
        size += Kokkos::abs(weight) * parts.size_to_coarse(k);
      }
      M.values(m) = static_cast<Scalar>(weight);
    }
    const double strictness = cancels(divisor, terms) ? 10 : 1;
    const double scale = -inverse_for_weights(divisor, strictness * size);
    M.values(own) = static_cast<Scalar>(scale);
    for (Offset m = own + 1; m < end; ++m)
      M.values(m) = static_cast<Scalar>(scale * static_cast<double>(M.values(m)));
  }

  /// That of the fine points k and i; 0 where k does not depend on i.
  KOKKOS_FUNCTION double coupling(Ordinal k, Ordinal i) const {
    for (Offset m = M.offsets(k) + 1; m < M.offsets(k + 1); ++m) {
      if (M.columns(m) == i) return static_cast<double>(couplings(m));
    }
    return 0;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
InterpolationFactors<Scalar, Space, Offset> interpolation_pattern(
    const Space& exec, const kernels::Graph<Space, Offset>& strong,
    const Array<const Ordinal, Space>& coarse_number, Ordinal num_coarse,
    Interpolation interpolation) {
  const Ordinal n = strong.num_nodes;
  const detail::FactorRows<Space, Offset> rows{strong, coarse_number,
                                               detail::is_extended(interpolation)};
  const auto m_counts = allocate<Offset>(exec, "tessera::interpolation::offsets", n + 1ul);
  const auto n_counts = allocate<Offset>(exec, "tessera::interpolation::offsets", n + 1ul);
  Kokkos::parallel_for(
      "tessera::interpolation::count", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset in_m = 0;
        Offset in_n = 0;
        rows.for_each(i, [&](Ordinal) { ++in_m; }, [&](Ordinal) { ++in_n; });
        m_counts(i) = in_m;
        n_counts(i) = in_n;
      });
  const std::size_t m_total = kernels::counts_to_offsets<Offset, Space>(exec, m_counts);
  const std::size_t n_total = kernels::counts_to_offsets<Offset, Space>(exec, n_counts);
  const auto m_columns = allocate<Ordinal>(exec, "tessera::interpolation::columns", m_total);
  const auto n_columns = allocate<Ordinal>(exec, "tessera::interpolation::columns", n_total);
  Kokkos::parallel_for(
      "tessera::interpolation::columns", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset in_m = m_counts(i);
        Offset in_n = n_counts(i);
        rows.for_each(
            i, [&](Ordinal j) { m_columns(in_m++) = j; },
            [&](Ordinal number) { n_columns(in_n++) = number; });
      });
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
  Kokkos::parallel_for("tessera::interpolation::weights", rows,
                       detail::ExtendedWeights<Scalar, Space, Offset>{
                           M, couplings.values, factors.coarse_number, parts});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, interpolation_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, coupling_lanes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_interpolation)

}  // namespace tessera::amg
