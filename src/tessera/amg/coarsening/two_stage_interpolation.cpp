// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// The pattern of the rows of M with a number, in its order; no values.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> numbered_rows(const Space& exec,
                                                  const kernels::Csr<Scalar, Space, Offset>& M,
                                                  const Array<const Ordinal, Space>& number,
                                                  Ordinal count) {
  const auto offsets = allocate<Offset>(exec, "tessera::interpolation::offsets", count + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, M.num_rows);
  Kokkos::parallel_for(
      "tessera::interpolation::count_numbered", rows, KOKKOS_LAMBDA(const Ordinal i) {
        if (number(i) >= 0) offsets(number(i)) = M.offsets(i + 1) - M.offsets(i);
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::interpolation::columns", total);
  Kokkos::parallel_for(
      "tessera::interpolation::copy_numbered", rows, KOKKOS_LAMBDA(const Ordinal i) {
        if (number(i) < 0) return;
        Offset at = offsets(number(i));
        for (Offset k = M.offsets(i); k < M.offsets(i + 1); ++k)
          columns(at++) = M.columns(k);
      });
  return {count, M.num_cols, offsets, columns, {}};
}

/// Their values.
template <class Scalar, class Space, class Offset>
void copy_numbered_values(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& M,
                          const Array<const Ordinal, Space>& number,
                          kernels::Csr<Scalar, Space, Offset>& rows) {
  rows.values = allocate<Scalar>(exec, "tessera::interpolation::values", rows.num_entries());
  const auto offsets = rows.offsets;
  const auto values = rows.values;
  Kokkos::parallel_for(
      "tessera::interpolation::numbered_values", Kokkos::RangePolicy<Space>(exec, 0, M.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (number(i) < 0) return;
        Offset at = offsets(number(i));
        for (Offset k = M.offsets(i); k < M.offsets(i + 1); ++k)
          values(at++) = M.values(k);
      });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
auto TwoStageInterpolation<Scalar, Space, Offset>::make(const Space& exec, const CsrView& A,
                                                        Graph& strong, PhaseTimer<Space>& timer)
    -> Csr {
  const auto& [first, second] = m_splittings;
  for (int s = 0; s < 2; ++s) {
    m_stages[s].factors = interpolation_pattern<Scalar, Space, Offset>(
        exec, strong, m_splittings[s].coarse_number, m_splittings[s].num_coarse,
        m_parameters.interpolation);
  }
  strong = {};
  m_stages[1].M =
      detail::numbered_rows(exec, m_stages[1].factors.M, first.coarse_number, first.num_coarse);
  fill(exec, A);
  const TruncationOptions options = truncation_options(m_parameters);
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
  detail::copy_numbered_values(exec, m_stages[1].factors.M, m_splittings[0].coarse_number,
                               m_stages[1].M);
  m_stages[1].factors.M.values = {};
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
