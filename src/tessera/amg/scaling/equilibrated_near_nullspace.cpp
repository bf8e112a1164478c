// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Near-nullspace vectors of a matrix that is scaled.
#include "tessera/amg/scaling/detail/remainders.hpp"
#include "tessera/amg/scaling/detail/scaled_entries.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {

template <class Scalar, class Space>
double magnitude_span(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v) {
  const auto m = static_cast<int>(v.extent(1));
  Kokkos::MinMaxScalar<double> extremes;
  Kokkos::parallel_reduce(
      "tessera::amg::magnitude_span", Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Kokkos::MinMaxScalar<double>& found) {
        for (int j = 0; j < m; ++j) {
          const double magnitude = Kokkos::abs(static_cast<double>(v(i, j)));
          if (!(magnitude > 0)) continue;
          found.min_val = Kokkos::min(found.min_val, magnitude);
          found.max_val = Kokkos::max(found.max_val, magnitude);
        }
      },
      Kokkos::MinMax<double>(extremes));
  exec.fence("tessera::amg::magnitude_span");
  return extremes.max_val >= extremes.min_val ? extremes.max_val / extremes.min_val : 1;
}

template <class Scalar, class Space>
MultiVector<Scalar, Space> equilibrated_near_nullspace(
    const Space& exec, const NonDeduced<Equilibration<Space>>& equilibration,
    const ConstMultiVectorView<Scalar, Space>& near_nullspace) {
  const auto columns = equilibration.columns;
  const double least = equilibration.smallest_column;
  const auto m = static_cast<int>(near_nullspace.extent(1));
  const auto scaled = allocate_multivector<Scalar>(
      exec, "tessera::amg::near_nullspace", near_nullspace.extent(0), near_nullspace.extent(1));
  Kokkos::parallel_for(
      "tessera::amg::equilibrated_near_nullspace",
      Kokkos::RangePolicy<Space>(exec, 0, near_nullspace.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        const double factor = detail::inverse_factor(least, columns(i));
        for (int j = 0; j < m; ++j)
          scaled(i, j) = static_cast<Scalar>(static_cast<double>(near_nullspace(i, j)) * factor);
      });
  return scaled;
}

namespace detail {

/// The constant in the scaled unknowns, and the vector that a diagonal of ones would have.
template <class Scalar, class Space, class Offset>
struct FindConstants {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<double, Space> columns;
  double least;
  Array<double, Space> constant, from_diagonal;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    double diagonal = 0;
    for_each_entry(A, group, i, [&](Offset e) {
      if (A.columns(e) == i) diagonal += static_cast<double>(A.values(e));
    });
    diagonal = group.sum(diagonal);
    if (i < 0 || group.lane() != 0) return;
    constant(i) = inverse_factor(least, columns(i));
    from_diagonal(i) = diagonal == 0 ? 1.0 : 1.0 / Kokkos::sqrt(Kokkos::abs(diagonal));
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> equilibrated_constant(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Equilibration<Space>>& equilibration) {
  const auto constant = allocate<double>(exec, "tessera::amg::constant", A.num_rows);
  const auto from_diagonal = allocate<double>(exec, "tessera::amg::from_diagonal", A.num_rows);
  detail::for_each_row_of(
      exec, "tessera::amg::from_diagonal", A,
      detail::FindConstants<Scalar, Space, Offset>{
          A, equilibration.columns, equilibration.smallest_column, constant, from_diagonal});
  const detail::Remainders left = detail::remainders(exec, A, constant, from_diagonal);
  // The constant is what discretisations annihilate, and wins unless the other is clearly nearer.
  const auto& nearer = 2 * left.second < left.first ? from_diagonal : constant;
  const auto result =
      allocate_multivector<Scalar>(exec, "tessera::amg::near_nullspace", A.num_rows, 1);
  Kokkos::parallel_for(
      "tessera::amg::equilibrated_constant",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) { result(i, 0) = static_cast<Scalar>(nearer(i)); });
  return result;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, equilibrated_near_nullspace)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, magnitude_span)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, equilibrated_constant)

}  // namespace tessera::amg
