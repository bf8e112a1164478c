// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/reduction_coarsening.hpp"

#include "tessera/amg/coarsening/detail/require_one_unknown.hpp"
#include "tessera/amg/coarsening/dominance.hpp"
#include "tessera/amg/coarsening/product_work.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// Coarse points by PMIS on couplings that are strong in either direction, and by dominance; waits.
template <class Scalar, class Space, class Offset>
Splitting<Space> split_for_reduction(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& A,
                                     const ReductionParameters& p) {
  const kernels::DependenceOptions options{
      .theta = p.strength_threshold,
      .max_row_sum = 1,
      .by_sign = false,
      .longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries)};
  const auto found = kernels::strong_dependences(exec, A, options);
  const auto is_coarse = kernels::pmis(exec, kernels::symmetrize(exec, found.strong), found.stays);
  convert_undominated(exec, A, p.converted_share, is_coarse);
  return number_coarse_points(exec, is_coarse);
}

/// The inverse diagonal of coarse points, 0 for fine ones.
template <class Scalar, class Space>
Array<Scalar, Space> weights_of_coarse_points(const Space& exec,
                                              const Array<const Scalar, Space>& inverse_diagonal,
                                              const Array<const Ordinal, Space>& coarse_number) {
  const auto weights =
      allocate<Scalar>(exec, "tessera::amg::coarse_weights", inverse_diagonal.extent(0));
  Kokkos::parallel_for(
      "tessera::amg::coarse_weights",
      Kokkos::RangePolicy<Space>(exec, 0, inverse_diagonal.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        weights(i) = coarse_number(i) >= 0 ? inverse_diagonal(i) : Scalar(0);
      });
  return weights;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
auto ReductionCoarsening<Scalar, Space, Offset>::fine_points(const Space& exec,
                                                             const Fine& fine) const
    -> FinePoints<Scalar, Space, Offset> {
  FinePoints<Scalar, Space, Offset> result{m_inverse.M, m_parameters.fine_sweeps, {}};
  if (m_parameters.relax_coarse)
    result.coarse_weights = detail::weights_of_coarse_points<Scalar, Space>(
        exec, fine.inverse_diagonal, m_coarse_number);
  return result;
}

template <class Scalar, class Space, class Offset>
bool ReductionCoarsening<Scalar, Space, Offset>::find_inverse_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const CoarseningLimits& limits) {
  m_inverse = fine_inverse_pattern(exec, A, m_coarse_number, m_parameters.coupling_drop);
  const auto& [N, M] = m_inverse;
  for (int power = 1; power < m_parameters.polynomial_sparsity; ++power) {
    if (!allow_multiplications(limits, count_multiplications(exec, N.view(), M.view())))
      return false;
    raise_pattern(exec, m_inverse);
  }
  // Of rows of A_ff in the steps of Horner's rule, of A_cf in R.
  return allow_multiplications(limits, count_multiplications(exec, A, M.view()));
}

//! [reduction coarsening]
template <class Scalar, class Space, class Offset>
auto ReductionCoarsening<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                            const ConstVectors& B,
                                                            const CoarseningLimits& limits,
                                                            Product& product,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  const auto A = fine.A->view();
  const ReductionParameters& p = m_parameters;
  detail::require_one_unknown("reduction", fine, B);

  timer.start(exec, "splitting");
  const auto [coarse_number, num_coarse] = detail::split_for_reduction(exec, A, p);
  if (!limits.allow_nodes(num_coarse)) return std::nullopt;
  m_coarse_number = coarse_number;

  timer.start(exec, "fine inverse");
  if (!find_inverse_pattern(exec, A, limits)) return no_coarser_level();
  fill_fine_inverse(exec, A, fine.inverse_diagonal, p.polynomial_order, m_inverse);

  timer.start(exec, "restriction");
  Coarse coarse;
  m_restriction = ideal_restriction(exec, A, m_coarse_number, num_coarse, m_inverse.M.view(),
                                    {p.coupling_drop, p.restriction_drop}, coarse.R);
  if (!allow_multiplications(limits, count_multiplications(exec, coarse.R.view(), A)))
    return no_coarser_level();
  coarse.P = one_point_prolongator(exec, A, m_coarse_number, num_coarse);
  coarse.fine_points = fine_points(exec, fine);
  coarse.coarse_number = m_coarse_number;
  coarse.aggregation = "pmis, ddc";
  coarse.drops = {p.operator_drop, p.lump_dropped};
  release();
  product.make(exec, coarse);
  return coarse;
}
//! [reduction coarsening]

template <class Scalar, class Space, class Offset>
void ReductionCoarsening<Scalar, Space, Offset>::compute(const Space& exec, const Fine& fine,
                                                         bool keeps_interpolation, Product& product,
                                                         Coarse& coarse, PhaseTimer<Space>& timer) {
  require(m_keeps_pattern, [] {
    return std::string("ReductionCoarsening::compute without what initialize found of the pattern");
  });
  const auto A = fine.A->view();
  timer.start(exec, "fine inverse");
  fill_fine_inverse(exec, A, fine.inverse_diagonal, m_parameters.polynomial_order, m_inverse);
  coarse.fine_points = fine_points(exec, fine);
  if (!keeps_interpolation) {
    timer.start(exec, "restriction");
    refill_restriction(exec, A, m_inverse.M.view(), m_restriction, coarse.R);
    Kokkos::deep_copy(exec, coarse.P.values, Scalar(1));
  }
  release();
  product.remake(exec, !keeps_interpolation, coarse);
}

template <class Scalar, class Space, class Offset>
std::nullopt_t ReductionCoarsening<Scalar, Space, Offset>::no_coarser_level() {
  m_inverse = {};
  m_restriction = {};
  m_coarse_number = {};
  return std::nullopt;
}

template <class Scalar, class Space, class Offset>
void ReductionCoarsening<Scalar, Space, Offset>::release() {
  if (m_keeps_pattern) {
    m_inverse.M.values = m_restriction.minus_A_cf.values = m_restriction.weights.values = {};
  } else {
    m_inverse = {};
    m_restriction = {};
    m_coarse_number = {};
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, ReductionCoarsening)

}  // namespace tessera::amg
