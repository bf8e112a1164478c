// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/classical_coarsening.hpp"

#include "tessera/amg/coarsening/detail/require_one_unknown.hpp"
#include "tessera/amg/coarsening/truncation.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// Numbers coarse points in their order, fine ones by -1; returns how many are coarse, for which it
/// waits.
template <class Space>
Ordinal number_coarse_points(const Space& exec, const Array<std::int8_t, Space>& is_coarse,
                             const Array<Ordinal, Space>& number) {
  Ordinal num_coarse = 0;
  Kokkos::parallel_scan(
      "tessera::amg::number_coarse_points", Kokkos::RangePolicy<Space>(exec, 0, number.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& count, const bool last) {
        if (last) number(i) = is_coarse(i) != 0 ? count : -1;
        count += is_coarse(i) != 0 ? 1 : 0;
      },
      num_coarse);
  exec.fence("tessera::amg::number_coarse_points");
  return num_coarse;
}

template <class Scalar, class Space, class Offset>
kernels::DependenceOptions dependence_options(const ClassicalParameters& p,
                                              const kernels::CsrView<Scalar, Space, Offset>& A) {
  return {p.strength_threshold, p.max_row_sum, p.strong_couplings == StrongCouplings::by_sign,
          kernels::longest_ordinary_row(A.num_rows, A.num_entries)};
}

}  // namespace detail

// `Coarse` as the class has it: the name in its base is another type to clang.
//! [classical coarsening]
template <class Scalar, class Space, class Offset>
auto ClassicalCoarsening<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                            const ConstVectors& B,
                                                            const CoarseningLimits& limits,
                                                            Product& product,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  const auto A = fine.A->view();
  detail::require_one_unknown("classical", fine, B);

  timer.start(exec, "strength");
  auto found = kernels::strong_dependences(exec, A, detail::dependence_options(m_parameters, A));

  timer.start(exec, "splitting");
  const auto is_coarse = kernels::pmis(exec, found.strong, found.stays);
  const auto coarse_number = allocate<Ordinal>(exec, "tessera::amg::coarse_number", A.num_rows);
  const Ordinal num_coarse = detail::number_coarse_points(exec, is_coarse, coarse_number);
  if (!limits.allow_nodes(num_coarse)) return std::nullopt;

  timer.start(exec, "interpolation");
  m_factors = interpolation_pattern<Scalar, Space, Offset>(exec, found.strong, coarse_number,
                                                           num_coarse, m_parameters.interpolation);
  // What setup has at its peak, in the Galerkin product, is not to hold these as well.
  found = {};
  fill_interpolation(exec, A, m_parameters.interpolation, m_factors);
  m_untruncated = kernels::spgemm(exec, m_factors.M.view(), m_factors.N.view(), m_plan);

  timer.start(exec, "truncation");
  Coarse coarse;
  coarse.P = truncation_pattern(exec, m_untruncated.view(), m_parameters.truncation_factor,
                                m_parameters.max_row_entries);
  coarse.P.values = allocate<Scalar>(exec, "tessera::amg::values", coarse.P.num_entries());
  truncate_values(exec, m_untruncated.view(), coarse.P);
  coarse.aggregation = "pmis";
  release();
  product.make(exec, coarse);
  return coarse;
}
//! [classical coarsening]

template <class Scalar, class Space, class Offset>
void ClassicalCoarsening<Scalar, Space, Offset>::compute(const Space& exec, const Fine& fine,
                                                         bool keeps_interpolation, Product& product,
                                                         Coarse& coarse, PhaseTimer<Space>& timer) {
  require(m_keeps_pattern, [] {
    return std::string("ClassicalCoarsening::compute without what initialize found of the pattern");
  });
  if (!keeps_interpolation) {
    timer.start(exec, "interpolation");
    fill_interpolation(exec, fine.A->view(), m_parameters.interpolation, m_factors);
    m_untruncated.values =
        allocate<Scalar>(exec, "tessera::amg::values", m_untruncated.num_entries());
    kernels::spgemm_numeric(exec, m_factors.M.view(), m_factors.N.view(), m_untruncated, m_plan);
    timer.start(exec, "truncation");
    truncate_values(exec, m_untruncated.view(), coarse.P);
    release();
  }
  product.remake(exec, !keeps_interpolation, coarse);
}

template <class Scalar, class Space, class Offset>
void ClassicalCoarsening<Scalar, Space, Offset>::release() {
  if (m_keeps_pattern) {
    m_factors.M.values = m_factors.N.values = m_untruncated.values = {};
  } else {
    m_factors = {};
    m_untruncated = {};
    m_plan = {};
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, ClassicalCoarsening)

}  // namespace tessera::amg
