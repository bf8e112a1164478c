// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"

#include "tessera/amg/coarsening/detail/smoothing_by_chunks.hpp"
#include "tessera/amg/coarsening/detail/smoothing_by_groups.hpp"
#include "tessera/amg/coarsening/detail/smoothing_by_rows.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>

namespace tessera::amg {

/// Entries of A a row.
template <class Scalar, class Space, class Offset>
double mean_row(const kernels::CsrView<Scalar, Space, Offset>& A) {
  return static_cast<double>(A.num_entries) / std::max<Ordinal>(1, A.num_rows);
}

/// Whether a device makes each row by a group of lanes.
template <class Space>
bool takes_groups(double mean_row, const WeakFilter<Space>& filter) {
  return mean_row >= rules::min_entries_for_groups && !(filter.theta > 0 && filter.in_order);
}

template <class Scalar, class Space>
void require_weights(const ArrayView<const Scalar, Space>& weights, Ordinal num_rows) {
  require(weights.extent(0) == 0 || weights.extent(0) == static_cast<std::size_t>(num_rows), [&] {
    return "there are " + std::to_string(weights.extent(0)) +
           " weights; expected none, or one for each of " + std::to_string(num_rows) + " rows";
  });
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row, const NonDeduced<ArrayView<const Scalar, Space>>& weights,
    kernels::RowLengths* lengths) {
  auto in = detail::smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require_weights<Scalar, Space>(weights, A.num_rows);
  in.weights = weights;
  if constexpr (kernels::is_host_space<Space>) {
    if (in.m == 1) return detail::smoothed_by_chunks(exec, in, omega_over_rho, lengths);
  } else {
    const double mean = mean_row(A);
    if (takes_groups(mean, filter)) {
      const auto shape = detail::group_shape(mean, in.block_size);
      return detail::SmoothingByGroups(exec, in, omega_over_rho, shape).run(lengths);
    }
  }
  return detail::smoothed_by_rows(exec, in, omega_over_rho, lengths);
}

template <class Scalar, class Space, class Offset>
void smooth_prolongator_numeric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& P,
                                const WeakFilter<Space>& filter, std::size_t longest_row,
                                const NonDeduced<ArrayView<const Scalar, Space>>& weights) {
  auto in = detail::smoothing_input(A, inverse_diagonal, tentative, filter, longest_row);
  require_weights<Scalar, Space>(weights, A.num_rows);
  in.weights = weights;
  require(P.num_rows == A.num_rows && P.num_cols == tentative.T.num_cols, [&] {
    return "P is " + std::to_string(P.num_rows) + " by " + std::to_string(P.num_cols) +
           "; expected T's shape, " + std::to_string(tentative.T.num_rows) + " by " +
           std::to_string(tentative.T.num_cols);
  });
  const Array<Scalar, Space> near_nullspace = detail::interpolated_near_nullspace(exec, in);
  in.near_nullspace = near_nullspace;
  const detail::SmoothedRows<Scalar, Space, Offset, true> rows{static_cast<Scalar>(omega_over_rho),
                                                               P.offsets, P.columns, P.values};
  if constexpr (kernels::is_host_space<Space>) {
    if (in.m == 1) return detail::resmooth_by_chunks(exec, in, rows);
  } else {
    const double mean = mean_row(A);
    if (takes_groups(mean, filter)) {
      return detail::fill_by_groups(exec, "tessera::smooth_prolongator::fill", in, rows,
                                    detail::lane_shape(mean));
    }
  }
  detail::fill_by_rows(exec, in, rows);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, smooth_prolongator)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, smooth_prolongator_numeric)

}  // namespace tessera::amg
