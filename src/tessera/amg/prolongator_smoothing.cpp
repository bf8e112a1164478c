// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/prolongator_smoothing.hpp"

#include "tessera/amg/detail/smoothed_pattern.hpp"
#include "tessera/amg/detail/smoothed_values.hpp"
#include "tessera/amg/detail/smoothing_input.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

template <class Scalar, class Space, class Offset>
SmoothingInput<Scalar, Space, Offset> smoothing_input(
    const kernels::CsrView<Scalar, Space, Offset>& A,
    const ArrayView<const Scalar, Space>& inverse_diagonal,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row) {
  require(A.num_rows == A.num_cols && A.num_rows == tentative.T.num_rows, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix of T's " + std::to_string(tentative.T.num_rows) + " rows";
  });
  const auto m = static_cast<Ordinal>(tentative.coarse_candidates.extent(1));
  const double theta = filter.theta;
  const bool fits = theta > 0 && tentative.block_size == 1 && m == 1 &&
                    filter.scale.extent(0) == static_cast<std::size_t>(A.num_rows);
  require(theta == 0 || fits, [&] {
    return "filter.theta = " + std::to_string(theta) + " with a scale of " +
           std::to_string(filter.scale.extent(0)) +
           " entries; expected 0, or a positive number with one unknown a vertex, one candidate "
           "and one entry a row";
  });
  return {A,
          inverse_diagonal,
          tentative.T.view(),
          tentative.aggregate_of,
          tentative.block_size,
          m,
          theta * theta,
          filter.scale,
          tentative.coarse_candidates,
          static_cast<Scalar>(filter.spectral_radius),
          longest_row};
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row, const NonDeduced<ArrayView<const Scalar, Space>>& weights,
    kernels::RowLengths* lengths) {
  auto in = detail::smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require(weights.extent(0) == 0 || weights.extent(0) == static_cast<std::size_t>(A.num_rows), [&] {
    return "there are " + std::to_string(weights.extent(0)) +
           " weights; expected none, or one for each of " + std::to_string(A.num_rows) + " rows";
  });
  in.weights = weights;
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  const bool filters_rows = in.filter_squared > 0;
  Array<Scalar, Space> candidates;
  Array<detail::RowFilter<Scalar>, Space> filters;
  if (filters_rows) {
    candidates = allocate<Scalar>(exec, "tessera::smooth_prolongator::candidates", A.num_rows);
    filters = allocate<detail::RowFilter<Scalar>>(exec, "tessera::smooth_prolongator::filters",
                                                  A.num_rows);
    Kokkos::parallel_for("tessera::smooth_prolongator::candidates", rows,
                         detail::InterpolateCandidates<Scalar, Space, Offset>{in, candidates});
    in.candidates = candidates;
  }
  auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", A.num_rows + 1);
  Kokkos::parallel_for("tessera::smooth_prolongator::count", rows,
                       detail::CountSmoothed<Scalar, Space, Offset>{in, offsets, filters});
  const auto found = kernels::lengths_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
  if (lengths != nullptr) *lengths = found;
  const auto num_entries = static_cast<std::size_t>(found.total);
  auto columns = allocate<Ordinal>(exec, "tessera::smooth_prolongator::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::smooth_prolongator::values", num_entries);
  Kokkos::parallel_for(
      "tessera::smooth_prolongator::fill", rows,
      detail::FillSmoothed<Scalar, Space, Offset, false>{in, static_cast<Scalar>(omega_over_rho),
                                                         offsets, columns, values, filters});
  return {A.num_rows, tentative.T.num_cols, offsets, columns, values};
}

template <class Scalar, class Space, class Offset>
void smooth_prolongator_numeric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& P,
                                const WeakFilter<Space>& filter, std::size_t longest_row) {
  const auto in = detail::smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require(P.num_rows == A.num_rows && P.num_cols == tentative.T.num_cols, [&] {
    return "P is " + std::to_string(P.num_rows) + " by " + std::to_string(P.num_cols) +
           "; expected T's shape, " + std::to_string(tentative.T.num_rows) + " by " +
           std::to_string(tentative.T.num_cols);
  });
  Kokkos::parallel_for(
      "tessera::smooth_prolongator::refill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      detail::FillSmoothed<Scalar, Space, Offset, true>{in, static_cast<Scalar>(omega_over_rho),
                                                        P.offsets, P.columns, P.values});
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                         \
  template kernels::Csr<SCALAR, SPACE, OFFSET> smooth_prolongator(                         \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const WeakFilter<SPACE>&, std::size_t,      \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, kernels::RowLengths*);            \
  template void smooth_prolongator_numeric(                                                \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                        \
      const NonDeduced<ArrayView<const SCALAR, SPACE>>&, double,                           \
      const Tentative<SCALAR, SPACE, OFFSET>&, const kernels::Csr<SCALAR, SPACE, OFFSET>&, \
      const WeakFilter<SPACE>&, std::size_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
