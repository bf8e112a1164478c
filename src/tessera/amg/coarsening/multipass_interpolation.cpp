// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/multipass_interpolation.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
auto MultipassInterpolation<Scalar, Space, Offset>::make(const Space& exec, const CsrView& A,
                                                         Graph& strong, PhaseTimer<Space>& timer)
    -> Csr {
  m_numbers = start_passes(exec, m_splitting.coarse_number, A.num_rows);
  Ordinal count = m_splitting.num_coarse;
  Pass coarse;
  coarse.rows = points_of_pass(exec, m_numbers, 0, count);
  coarse.P = identity_pattern<Scalar, Space, Offset>(exec, count);
  m_passes = {coarse};
  while (count > 0) {
    const auto before = static_cast<Ordinal>(m_passes.size()) - 1;
    const Ordinal count_before = count;
    count = next_pass(exec, strong, before, m_numbers);
    if (count == 0) break;
    Pass pass;
    pass.rows = points_of_pass(exec, m_numbers, before + 1, count);
    const Graph graph =
        pass_pattern(exec, strong, pass.rows, m_numbers.pass, m_numbers.rank, before);
    pass.M = {count, count_before, graph.offsets, graph.columns, {}};
    m_passes.push_back(pass);
  }
  strong = {};
  m_untruncated = {};
  fill(exec, A);
  timer.start(exec, "truncation");
  Csr P = truncation_pattern(exec, m_untruncated.view(), m_parameters.truncation_factor,
                             m_parameters.max_row_entries);
  P.values = allocate<Scalar>(exec, "tessera::amg::values", P.num_entries());
  truncate_values(exec, m_untruncated.view(), P);
  return P;
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::remake(const Space& exec, const CsrView& A,
                                                           const Csr& P, PhaseTimer<Space>& timer) {
  fill(exec, A);
  timer.start(exec, "truncation");
  truncate_values(exec, m_untruncated.view(), P);
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::fill(const Space& exec, const CsrView& A) {
  const bool is_new = m_untruncated.offsets.extent(0) == 0;
  for (std::size_t p = 0; p < m_passes.size(); ++p) {
    Pass& pass = m_passes[p];
    if (p == 0) {
      pass.P.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.P.num_entries());
      Kokkos::deep_copy(exec, pass.P.values, Scalar(1));
      continue;
    }
    pass.M.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.M.num_entries());
    fill_pass(exec, A, pass.rows, m_numbers.pass, m_numbers.rank, static_cast<Ordinal>(p) - 1,
              pass.M);
    const Csr& before = m_passes[p - 1].P;
    if (is_new) {
      pass.P = kernels::spgemm(exec, pass.M.view(), before.view(), pass.plan);
    } else {
      pass.P.values = allocate<Scalar>(exec, "tessera::multipass::values", pass.P.num_entries());
      kernels::spgemm_numeric(exec, pass.M.view(), before.view(), pass.P, pass.plan);
    }
  }
  std::vector<RowsOfPass<Scalar, Space, Offset>> rows;
  for (const Pass& pass : m_passes)
    rows.push_back({pass.rows, pass.P});
  if (is_new) m_untruncated = pattern_of_passes(exec, A.num_rows, m_splitting.num_coarse, rows);
  m_untruncated.values =
      allocate<Scalar>(exec, "tessera::multipass::values", m_untruncated.num_entries());
  place_values(exec, rows, m_untruncated);
}

template <class Scalar, class Space, class Offset>
void MultipassInterpolation<Scalar, Space, Offset>::release() {
  for (Pass& pass : m_passes)
    pass.M.values = pass.P.values = {};
  m_untruncated.values = {};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, MultipassInterpolation)

}  // namespace tessera::amg
