// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An interpolation as the truncated product of two matrices.
#pragma once

#include "tessera/amg/coarsening/detail/cancels.hpp"
#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/amg/coarsening/truncation.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"

#include <optional>

namespace tessera::amg {

/// Which weights of a row stay: `truncation_pattern`.
struct TruncationOptions {
  double factor = 0;
  int max_entries = 0;
  bool is_remade = true;  ///< with new values of the same patterns
};

/// M N, truncated, and its values again for new ones of M and N in their patterns. On a device rows
/// of a product whose values are not made again are truncated where they are summed, with the same
/// result but for rounding.
template <class Scalar, class Space, class Offset>
class TruncatedProduct {
 public:
  using Csr = kernels::Csr<Scalar, Space, Offset>;

  Csr make(const Space& exec, const Csr& M, const Csr& N, const TruncationOptions& options,
           PhaseTimer<Space>& timer) {
    if (auto P = made_in_one_pass(exec, M, N, options)) return *P;
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
  static std::optional<Csr> made_in_one_pass(const Space& exec, const Csr& M, const Csr& N,
                                             const TruncationOptions& options) {
    if (kernels::is_host_space<Space> || options.is_remade) return std::nullopt;
    return kernels::truncated_spgemm(
        exec, M.view(), N.view(), {options.factor, options.max_entries, detail::cancelling_share});
  }

  Csr m_product;
  kernels::SpgemmPlan<Space> m_plan;
};

}  // namespace tessera::amg
