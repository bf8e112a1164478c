// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/short_offsets.hpp"
#include "tessera/kernels/persistent/detail/solve_with.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
PersistentReport persistent_cg(const Space& exec, PersistentWorkspace<Scalar, Space>& workspace,
                               const CsrView<Scalar, Space, Offset>& A,
                               const NonDeduced<PersistentPreconditioner<Scalar, Space>>& M,
                               const NonDeduced<ArrayView<const Scalar, Space>>& b,
                               const NonDeduced<ArrayView<Scalar, Space>>& x,
                               const PersistentLimits& limits, double time_limit_s,
                               const PersistentTuning& tuning) {
  if constexpr (sizeof(Offset) > sizeof(std::int32_t)) {
    const auto A_short = detail::with_short_offsets(exec, A, workspace.offsets());
    return persistent_cg(exec, workspace, A_short, M, b, x, limits, time_limit_s, tuning);
  } else {
    const auto solve = [&](const auto& make_M, const detail::SharedBytes& bytes) {
      using Preconditioner = decltype(make_M(0));
      using Rows = detail::KrylovShare<Scalar, Offset, Preconditioner>;
      return detail::run_solve<detail::CgMethod<Rows>>(exec, "tessera::persistent::cg", workspace,
                                                       A, make_M, bytes, b, x, limits, time_limit_s,
                                                       tuning);
    };
    return detail::solve_with<Scalar, Space>(exec, A.num_rows, M, solve);
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, persistent_cg)

}  // namespace tessera::kernels
