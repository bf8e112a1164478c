// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/scaling/unit_diagonal.hpp"

#include "tessera/amg/scaling/detail/remainders.hpp"
#include "tessera/amg/scaling/detail/scaled_entries.hpp"
#include "tessera/amg/scaling/detail/symmetrize.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tessera::amg {
namespace detail {

/// Mean remainders up to which rows and columns are as those of a discretisation: on a grid of 20^3
/// points those beside the boundary make it 0.03.
inline constexpr double small_remainder = 0.1;

/// 1 / |a_ii| and its square root; 1 where that is not a positive number.
template <class Scalar, class Space, class Offset>
struct InvertDiagonal {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<double, Space> inverse, root;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    double diagonal = 0;
    for_each_entry(A, group, i, [&](Offset e) {
      if (A.columns(e) == i) diagonal += static_cast<double>(A.values(e));
    });
    diagonal = Kokkos::fabs(group.sum(diagonal));
    if (i < 0 || group.lane() != 0) return;
    const bool is_positive = diagonal > 0 && Kokkos::isfinite(diagonal);
    // That of a subnormal number may be infinite.
    inverse(i) = is_positive ? Kokkos::fmin(1 / diagonal, 0x1p1022) : 1.0;
    root(i) = is_positive ? 1 / Kokkos::sqrt(diagonal) : 1.0;
  }
};

template <class Space>
Array<double, Space> ones(const Space& exec, Ordinal n) {
  const auto result = allocate<double>(exec, "tessera::amg::ones", n);
  Kokkos::deep_copy(exec, result, 1.0);
  return result;
}

template <class Space>
Kokkos::MinMaxScalar<double> extremes(const Space& exec, const Array<double, Space>& factors) {
  Kokkos::MinMaxScalar<double> found;
  Kokkos::parallel_reduce(
      "tessera::amg::extremes", Kokkos::RangePolicy<Space>(exec, 0, factors.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Kokkos::MinMaxScalar<double>& so_far) {
        so_far.min_val = Kokkos::fmin(so_far.min_val, factors(i));
        so_far.max_val = Kokkos::fmax(so_far.max_val, factors(i));
      },
      Kokkos::MinMax<double>(found));
  exec.fence("tessera::amg::extremes");
  return found;
}

/// D 2^-c and E 2^c, 2^c in the middle of D's factors, so that D r is about as large as r.
template <class Space>
void center(const Space& exec, const Array<double, Space>& rows,
            const Array<double, Space>& columns, FoundScaling<Space>& found) {
  const auto of_rows = extremes(exec, rows);
  const auto of_columns = extremes(exec, columns);
  found.span = std::max(of_rows.max_val / of_rows.min_val, of_columns.max_val / of_columns.min_val);
  const int middle = (std::ilogb(of_rows.min_val) + std::ilogb(of_rows.max_val)) / 2;
  const double power = power_of_two(middle);
  const auto centered_rows = allocate<double>(exec, "tessera::amg::rows", rows.extent(0));
  const auto centered_columns = allocate<double>(exec, "tessera::amg::columns", columns.extent(0));
  Kokkos::parallel_for(
      "tessera::amg::center", Kokkos::RangePolicy<Space>(exec, 0, rows.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        centered_rows(i) = rows(i) / power;
        centered_columns(i) = columns(i) * power;
      });
  found.factors = {centered_rows, centered_columns, of_columns.min_val * power};
}

/// root 2^(sign x).
template <class Space>
Array<double, Space> with_exponents(const Space& exec, const Array<double, Space>& root,
                                    const Array<double, Space>& x, double sign) {
  const auto factors = allocate<double>(exec, "tessera::amg::factors", root.extent(0));
  Kokkos::parallel_for(
      "tessera::amg::with_exponents", Kokkos::RangePolicy<Space>(exec, 0, root.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        const double factor = root(i) * Kokkos::exp2(sign * x(i));
        factors(i) = Kokkos::fmin(Kokkos::fmax(factor, 0x1p-1022), 0x1p1022);
      });
  return factors;
}

/// The sums of `Remainders` as a mean over n rows.
inline double mean(std::int64_t sum, Ordinal n) { return 0x1p-20 * static_cast<double>(sum) / n; }

}  // namespace detail

template <class Scalar, class Space, class Offset>
FoundScaling<Space> find_scaling(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 bool is_symmetric) {
  const Ordinal n = A.num_rows;
  FoundScaling<Space> found;
  if (n == 0) return found;
  const auto one = detail::ones(exec, n);
  const auto inverse = allocate<double>(exec, "tessera::amg::inverse", n);
  const auto root = allocate<double>(exec, "tessera::amg::root", n);
  detail::for_each_row_of(exec, "tessera::amg::invert_diagonal", A,
                          detail::InvertDiagonal<Scalar, Space, Offset>{A, inverse, root});
  if (is_symmetric) {
    const auto rows = detail::remainders(exec, A, one, root);
    found.before = detail::mean(rows.first, n);
    found.after = found.rows_after = detail::mean(rows.second, n);
    detail::center(exec, root, root, found);
    return found;
  }
  const auto At = kernels::transpose(exec, A);
  const auto rows = detail::remainders(exec, A, one, inverse);
  const auto columns = detail::remainders(exec, At.view(), one, inverse);
  found.before = detail::mean(rows.first + columns.first, n) / 2;
  const bool by_rows = rows.first + columns.second <= rows.second + columns.first;
  found.rows_after = detail::mean(by_rows ? rows.first : rows.second, n);
  found.after = (found.rows_after + detail::mean(by_rows ? columns.second : columns.first, n)) / 2;
  auto D = by_rows ? inverse : one;
  auto E = by_rows ? one : inverse;
  if (found.before > detail::small_remainder && found.after > detail::small_remainder) {
    const auto x = detail::symmetrizing_exponents(exec, A, At.view());
    const auto d = detail::with_exponents(exec, root, x, 1);
    const auto e = detail::with_exponents(exec, root, x, -1);
    const double rows_after = detail::mean(detail::remainders(exec, A, e, e).first, n);
    const double columns_after = detail::mean(detail::remainders(exec, At.view(), d, d).first, n);
    if (rows_after + columns_after < 2 * found.after) {
      found.after = (rows_after + columns_after) / 2;
      found.rows_after = rows_after;
      D = d;
      E = e;
    }
  }
  detail::center(exec, D, E, found);
  return found;
}

template <class Scalar, class Space, class Offset>
bool still_scales(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<FoundScaling<Space>>& found) {
  const Ordinal n = A.num_rows;
  const auto inverse = allocate<double>(exec, "tessera::amg::inverse", n);
  const auto root = allocate<double>(exec, "tessera::amg::root", n);
  detail::for_each_row_of(exec, "tessera::amg::invert_diagonal", A,
                          detail::InvertDiagonal<Scalar, Space, Offset>{A, inverse, root});
  const auto& D = found.factors.rows;
  const auto& E = found.factors.columns;
  Kokkos::parallel_for(
      "tessera::amg::new_diagonal", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) { root(i) = D(i) * E(i) / inverse(i); });
  const auto diagonal = detail::extremes(exec, root);
  constexpr double even = 16;
  if (!(diagonal.max_val <= even * diagonal.min_val)) return false;
  const double rows = detail::mean(detail::remainders(exec, A, E, E).first, n);
  return rows <= std::max(detail::small_remainder, 2 * found.rows_after);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_scaling)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, still_scales)

}  // namespace tessera::amg
