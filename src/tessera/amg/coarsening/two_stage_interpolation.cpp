// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"

#include "tessera/amg/coarsening/detail/selected_entries.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {
namespace detail {

/// The rows of M of some points.
template <class Scalar, class Space, class Offset>
struct RowsOfPoints {
  kernels::CsrView<Scalar, Space, Offset> M;
  Array<const Ordinal, Space> points;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal row, const Visit& visit) const {
    const Ordinal i = points(row);
    for (Offset k = M.offsets(i); k < M.offsets(i + 1); ++k)
      visit(k);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
auto TwoStageInterpolation<Scalar, Space, Offset>::make(const Space& exec, const CsrView& A,
                                                        Graph& strong, PhaseTimer<Space>& timer)
    -> Csr {
  for (int s = 0; s < 2; ++s) {
    m_stages[s].factors = interpolation_pattern<Scalar, Space, Offset>(
        exec, strong, m_splittings[s].coarse_number, m_splittings[s].num_coarse,
        m_parameters.interpolation);
  }
  strong = {};
  Stage& second = m_stages[1];
  const Splitting<Space>& first = m_splittings[0];
  m_first_points = list_coarse_points(exec, first.coarse_number, first.num_coarse);
  const auto M = second.factors.M.view();
  second.M =
      detail::selected_pattern(exec, "tessera::interpolation::rows_of_points", first.num_coarse, M,
                               detail::RowsOfPoints<Scalar, Space, Offset>{M, m_first_points});
  fill(exec, A);
  const TruncationOptions options = truncation_options(m_parameters, m_is_remade);
  for (Stage& stage : m_stages) {
    timer.start(exec, "interpolation");
    stage.P = stage.product.make(exec, stage.M, stage.factors.N, options, timer);
  }
  timer.start(exec, "interpolation");
  return m_product.make(exec, m_stages[0].P, m_stages[1].P, options, timer);
}

template <class Scalar, class Space, class Offset>
void TwoStageInterpolation<Scalar, Space, Offset>::remake(const Space& exec, const CsrView& A,
                                                          const Csr& P, PhaseTimer<Space>& timer) {
  fill(exec, A);
  for (Stage& stage : m_stages) {
    timer.start(exec, "interpolation");
    stage.P.values = allocate<Scalar>(exec, "tessera::amg::values", stage.P.num_entries());
    stage.product.remake(exec, stage.M, stage.factors.N, stage.P, timer);
  }
  timer.start(exec, "interpolation");
  m_product.remake(exec, m_stages[0].P, m_stages[1].P, P, timer);
}

template <class Scalar, class Space, class Offset>
void TwoStageInterpolation<Scalar, Space, Offset>::fill(const Space& exec, const CsrView& A) {
  for (Stage& stage : m_stages)
    fill_interpolation(exec, A, m_parameters.interpolation, stage.factors);
  m_stages[0].M = m_stages[0].factors.M;
  Stage& second = m_stages[1];
  const auto M = second.factors.M.view();
  detail::copy_selected_values(exec, "tessera::interpolation::rows_of_points", M,
                               detail::RowsOfPoints<Scalar, Space, Offset>{M, m_first_points},
                               second.M);
  second.factors.M.values = {};
}

template <class Scalar, class Space, class Offset>
void TwoStageInterpolation<Scalar, Space, Offset>::release() {
  for (Stage& stage : m_stages) {
    stage.factors.M.values = stage.factors.N.values = stage.M.values = stage.P.values = {};
    stage.product.release();
  }
  m_product.release();
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, TwoStageInterpolation)

}  // namespace tessera::amg
