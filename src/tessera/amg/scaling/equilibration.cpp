// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/scaling/equilibration.hpp"

#include "tessera/amg/scaling/detail/scaled_entries.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/magnitudes.hpp"

#include <cmath>
#include <cstdint>

namespace tessera::amg {
namespace detail {

/// Of a row or column without a finite entry other than 0.
inline constexpr int no_exponent = -(1 << 20);

/// e with 2^e <= |value| < 2^(e + 1); of subnormal numbers that of the smallest normal one.
KOKKOS_INLINE_FUNCTION int exponent_of(double value) {
  if (value == 0 || !Kokkos::isfinite(value)) return no_exponent;
  const auto bits = tessera::detail::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff;
  return static_cast<int>(bits == 0 ? 1 : bits) - 1023;
}

/// D A E as exponents of two: entry (i, j) is scaled by 2^(rows(i) + columns(j)).
template <class Space>
struct Exponents {
  Array<int, Space> rows;
  Array<int, Space> columns;
};

/// The largest exponents of the rows of D A E.
template <class Scalar, class Space, class Offset>
struct LargestOfRows {
  kernels::CsrView<Scalar, Space, Offset> A;
  Exponents<Space> now;
  Array<int, Space> largest;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    const auto larger = [](int a, int b) { return a > b ? a : b; };
    int most = no_exponent;
    for_each_entry(A, group, i, [&](Offset e) {
      const int exponent = exponent_of(static_cast<double>(A.values(e)));
      if (exponent != no_exponent) most = larger(most, exponent + now.columns(A.columns(e)));
    });
    most = group.reduce(most, larger);
    if (i < 0 || group.lane() != 0) return;
    largest(i) = most == no_exponent ? no_exponent : most + now.rows(i);
  }
};

/// Those of the columns. Maxima of integers do not depend on their order.
template <class Scalar, class Space, class Offset>
struct LargestOfColumns {
  kernels::CsrView<Scalar, Space, Offset> A;
  Exponents<Space> now;
  Array<int, Space> largest;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    for_each_entry(A, group, i, [&](Offset e) {
      const int exponent = exponent_of(static_cast<double>(A.values(e)));
      if (exponent == no_exponent) return;
      const Ordinal j = A.columns(e);
      Kokkos::atomic_max(&largest(j), exponent + now.rows(i) + now.columns(j));
    });
  }
};

/// D A E.
template <class To, class Scalar, class Space, class Offset>
struct EquilibratedValues {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<double, Space> rows, columns;
  Array<To, Space> values;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    const double row = i < 0 ? 1.0 : rows(i);
    for_each_entry(A, group, i, [&](Offset e) {
      values(e) = static_cast<To>(static_cast<double>(A.values(e)) * row * columns(A.columns(e)));
    });
  }
};

/// exponents -= largest / divisor; the result is the farthest of `largest` from 0.
template <class Space>
int take_off(const Space& exec, const Array<int, Space>& largest, int divisor,
             const Array<int, Space>& exponents) {
  int farthest = 0;
  Kokkos::parallel_reduce(
      "tessera::amg::equilibrate", Kokkos::RangePolicy<Space>(exec, 0, largest.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, int& most) {
        const int exponent = largest(i);
        if (exponent == no_exponent) return;
        exponents(i) -= exponent / divisor;
        const int distance = exponent < 0 ? -exponent : exponent;
        if (distance > most) most = distance;
      },
      Kokkos::Max<int>(farthest));
  exec.fence("tessera::amg::equilibrate");
  return farthest;
}

/// D 2^-c and E 2^c, where c is the middle of D's exponents, if that is far from 0: D A E stays
/// what it is, and D r about as large as r, which float would else not hold.
template <class Space>
void move_to_columns(const Space& exec, Exponents<Space>& exponents) {
  constexpr int near = 40;
  const auto rows = exponents.rows;
  Kokkos::MinMaxScalar<int> extremes;
  Kokkos::parallel_reduce(
      "tessera::amg::row_exponents", Kokkos::RangePolicy<Space>(exec, 0, rows.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Kokkos::MinMaxScalar<int>& found) {
        found.min_val = Kokkos::min(found.min_val, rows(i));
        found.max_val = Kokkos::max(found.max_val, rows(i));
      },
      Kokkos::MinMax<int>(extremes));
  exec.fence("tessera::amg::row_exponents");
  if (extremes.max_val < extremes.min_val) return;
  const int middle = (extremes.min_val + extremes.max_val) / 2;
  if (middle >= -near && middle <= near) return;
  const auto before = exponents.columns;
  const auto columns =
      allocate<int>(exec, "tessera::amg::equilibration", exponents.columns.extent(0));
  Kokkos::parallel_for(
      "tessera::amg::move_to_columns", Kokkos::RangePolicy<Space>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t j) { columns(j) = before(j) + middle; });
  // After the columns, whose exponents may be the rows'.
  Kokkos::parallel_for(
      "tessera::amg::move_from_rows", Kokkos::RangePolicy<Space>(exec, 0, rows.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { rows(i) -= middle; });
  exponents.columns = columns;
}

template <class Space>
int smallest(const Space& exec, const Array<int, Space>& exponents) {
  int result = 0;
  Kokkos::parallel_reduce(
      "tessera::amg::smallest_exponent", Kokkos::RangePolicy<Space>(exec, 0, exponents.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, int& least) {
        if (exponents(i) < least) least = exponents(i);
      },
      Kokkos::Min<int>(result));
  exec.fence("tessera::amg::smallest_exponent");
  return exponents.extent(0) == 0 ? 0 : result;
}

/// 2^exponents(i), within double's range of normal numbers.
template <class Space>
Array<double, Space> powers_of_two(const Space& exec, const Array<int, Space>& exponents) {
  const auto powers = allocate<double>(exec, "tessera::amg::powers_of_two", exponents.extent(0));
  Kokkos::parallel_for(
      "tessera::amg::powers_of_two", Kokkos::RangePolicy<Space>(exec, 0, exponents.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { powers(i) = power_of_two(exponents(i)); });
  return powers;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Equilibration<Space> equilibrate(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 bool is_symmetric) {
  const auto filled = [&](Ordinal n, int value) {
    auto exponents = allocate<int>(exec, "tessera::amg::equilibration", n);
    Kokkos::deep_copy(exec, exponents, value);
    return exponents;
  };
  detail::Exponents<Space> result;
  result.rows = filled(A.num_rows, 0);
  result.columns = is_symmetric ? result.rows : filled(A.num_cols, 0);
  const auto largest = filled(A.num_rows, 0);
  const detail::LargestOfRows<Scalar, Space, Offset> of_rows{A, result, largest};
  if (is_symmetric) {
    constexpr int max_passes = 12;
    for (int pass = 0, farthest = 2; pass < max_passes && farthest > 1; ++pass) {
      detail::for_each_row_of(exec, "tessera::amg::largest_of_rows", A, of_rows);
      farthest = detail::take_off(exec, largest, 2, result.rows);
    }
  } else {
    detail::for_each_row_of(exec, "tessera::amg::largest_of_rows", A, of_rows);
    detail::take_off(exec, largest, 1, result.rows);
    const auto largest_of_columns = filled(A.num_cols, detail::no_exponent);
    detail::for_each_row_of(
        exec, "tessera::amg::largest_of_columns", A,
        detail::LargestOfColumns<Scalar, Space, Offset>{A, result, largest_of_columns});
    detail::take_off(exec, largest_of_columns, 1, result.columns);
  }
  detail::move_to_columns(exec, result);
  return {detail::powers_of_two(exec, result.rows), detail::powers_of_two(exec, result.columns),
          detail::power_of_two(detail::smallest(exec, result.columns))};
}

template <class Scalar, class Space, class Offset>
Equilibration<Space> scale_uniformly(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& A) {
  const Magnitudes range = magnitudes(exec, A);
  const bool is_finite = range.largest > 0 && std::isfinite(range.largest);
  // Even, so that square roots keep their significands, too.
  const int exponent =
      is_finite ? -(std::ilogb(range.largest) + std::ilogb(range.smallest_row)) / 4 * 2 : 0;
  const double power = detail::power_of_two(exponent);
  const auto filled = [&](Ordinal n, double value) {
    auto factors = allocate<double>(exec, "tessera::amg::equilibration", n);
    Kokkos::deep_copy(exec, factors, value);
    return factors;
  };
  return {filled(A.num_rows, 1), filled(A.num_cols, power), power};
}

template <class To, class Scalar, class Space, class Offset>
void equilibrated_values(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         const NonDeduced<Equilibration<Space>>& equilibration,
                         const Array<To, Space>& values) {
  detail::for_each_row_of(exec, "tessera::amg::equilibrated_values", A,
                          detail::EquilibratedValues<To, Scalar, Space, Offset>{
                              A, equilibration.rows, equilibration.columns, values});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, equilibrate)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, equilibrated_values, double)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, equilibrated_values, float)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, scale_uniformly)

}  // namespace tessera::amg
