// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An interpolation as the truncated product of two matrices.
#pragma once

#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/amg/coarsening/truncation.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::amg {

/// Which weights of a row stay: `truncation_pattern`.
struct TruncationOptions {
  double factor = 0;
  int max_entries = 0;
};

/// M N, truncated, and its values again for new ones of M and N in their patterns.
template <class Scalar, class Space, class Offset>
class TruncatedProduct {
 public:
  using Csr = kernels::Csr<Scalar, Space, Offset>;

  Csr make(const Space& exec, const Csr& M, const Csr& N, const TruncationOptions& options,
           PhaseTimer<Space>& timer) {
    m_product = kernels::spgemm(exec, M.view(), N.view(), m_plan);
    timer.start(exec, "truncation");
    Csr P = truncation_pattern(exec, m_product.view(), options.factor, options.max_entries);
    P.values = allocate<Scalar>(exec, "tessera::amg::values", P.num_entries());
    truncate_values(exec, m_product.view(), P);
    return P;
  }
  void remake(const Space& exec, const Csr& M, const Csr& N, const Csr& P,
              PhaseTimer<Space>& timer) {
    m_product.values = allocate<Scalar>(exec, "tessera::amg::values", m_product.num_entries());
    kernels::spgemm_numeric(exec, M.view(), N.view(), m_product, m_plan);
    timer.start(exec, "truncation");
    truncate_values(exec, m_product.view(), P);
  }
  /// Frees the values before truncation.
  void release() { m_product.values = {}; }

 private:
  Csr m_product;
  kernels::SpgemmPlan<Space> m_plan;
};

}  // namespace tessera::amg
