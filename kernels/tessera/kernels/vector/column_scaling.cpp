// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/column_scaling.hpp"

#include <cmath>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

/// 2^exponent as a product of three powers, each of which a Scalar holds.
template <class Scalar>
class PowerOfTwo {
 public:
  explicit PowerOfTwo(int exponent) {
    int left = exponent;
    for (int k = 0; k < num_factors; ++k) {
      const int part = left / (num_factors - k);
      m_factors[k] = std::ldexp(Scalar(1), part);
      left -= part;
    }
  }
  KOKKOS_FUNCTION Scalar operator()(Scalar value) const {
    for (const Scalar factor : m_factors)
      value *= factor;
    return value;
  }

 private:
  static constexpr int num_factors = 3;
  Scalar m_factors[num_factors];
};

template <class Scalar, class Space>
struct LargestMagnitude {
  ConstMultiVectorView<Scalar, Space> x;
  int column;

  KOKKOS_FUNCTION void operator()(Ordinal i, double& largest) const {
    const auto value = static_cast<double>(x(i, column));
    const double magnitude =
        Kokkos::isfinite(value) ? Kokkos::abs(value) : Kokkos::Experimental::infinity_v<double>;
    if (magnitude > largest) largest = magnitude;
  }
};

template <class Scalar, class Space>
struct ScaleColumn {
  PowerOfTwo<Scalar> factor, back;
  ConstMultiVectorView<Scalar, Space> x;
  MultiVectorView<Scalar, Space> y;
  int column;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { y(i, column) = factor(x(i, column)); }
  KOKKOS_FUNCTION void operator()(Ordinal i, double& lost) const {
    const Scalar before = x(i, column);
    const Scalar after = factor(before);
    y(i, column) = after;
    if (!(back(after) == before)) lost += 1;
  }
};

}  // namespace detail

template <class Scalar, class Space>
void column_magnitudes(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
                       const NonDeduced<ReportView<double, Space>>& report) {
  detail::require_length("report", report.extent(0), x.extent(1));
  for (int j = 0; j < detail::columns_of(x); ++j) {
    const Kokkos::View<double, detail::ReportSpace<Space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        result(report.data() + j);
    Kokkos::parallel_reduce(
        "tessera::vector::column_magnitudes",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, detail::rows_of(x)),
        detail::LargestMagnitude<Scalar, Space>{x, j},
        Kokkos::Max<double, detail::ReportSpace<Space>>(result));
  }
}

template <class Scalar, class Space>
void scale_columns(const Space& exec, std::span<const int> exponents,
                   const ConstMultiVectorView<Scalar, Space>& x,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::require_same_shape("x", x, y);
  detail::require_length("exponents", exponents.size(), y.extent(1));
  for (int j = 0; j < detail::columns_of(y); ++j) {
    Kokkos::parallel_for(
        "tessera::vector::scale_columns",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, detail::rows_of(y)),
        detail::ScaleColumn<Scalar, Space>{detail::PowerOfTwo<Scalar>(exponents[j]),
                                           detail::PowerOfTwo<Scalar>(-exponents[j]), x, y, j});
  }
}

template <class Scalar, class Space>
void scale_column_counting(const Space& exec, int exponent,
                           const ConstMultiVectorView<Scalar, Space>& x,
                           const NonDeduced<MultiVectorView<Scalar, Space>>& y,
                           const NonDeduced<ReportView<double, Space>>& report) {
  detail::require_same_shape("x", x, y);
  detail::require_length("report", report.extent(0), 1);
  const Kokkos::View<double, detail::ReportSpace<Space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      lost(report.data());
  Kokkos::parallel_reduce(
      "tessera::vector::scale_column_counting",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, detail::rows_of(y)),
      detail::ScaleColumn<Scalar, Space>{detail::PowerOfTwo<Scalar>(exponent),
                                         detail::PowerOfTwo<Scalar>(-exponent), x, y, 0},
      Kokkos::Sum<double, detail::ReportSpace<Space>>(lost));
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, column_magnitudes)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, scale_columns)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, scale_column_counting)

}  // namespace tessera::kernels
