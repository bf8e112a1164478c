// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/short_offsets.hpp"
#include "tessera/kernels/persistent/detail/solve_with.hpp"

namespace tessera::kernels {
namespace {

template <template <class> class Method, class Scalar, class Space, class Offset, class... Others>
PersistentReport solve_by(const Space& exec, const char* label,
                          PersistentWorkspace<Scalar, Space>& workspace,
                          const CsrView<Scalar, Space, Offset>& A,
                          const PersistentPreconditioner<Scalar, Space>& M,
                          const Others&... others) {
  if constexpr (sizeof(Offset) > sizeof(std::int32_t)) {
    const auto A_short = detail::with_short_offsets(exec, A, workspace.offsets());
    return solve_by<Method>(exec, label, workspace, A_short, M, others...);
  } else {
    const auto solve = [&](const auto& make_M, const detail::SharedBytes& bytes) {
      using Rows = detail::KrylovShare<Scalar, Offset, decltype(make_M(0))>;
      return detail::run_solve<Method<Rows>>(exec, label, workspace, A, make_M, bytes, others...);
    };
    return detail::solve_with<Scalar, Space>(exec, A.num_rows, M, solve);
  }
}

}  // namespace

template <class Scalar, class Space, class Offset>
PersistentReport persistent_cg(const Space& exec, PersistentWorkspace<Scalar, Space>& workspace,
                               const CsrView<Scalar, Space, Offset>& A,
                               const NonDeduced<PersistentPreconditioner<Scalar, Space>>& M,
                               const NonDeduced<ArrayView<const Scalar, Space>>& b,
                               const NonDeduced<ArrayView<Scalar, Space>>& x,
                               const PersistentLimits& limits, double time_limit_s,
                               const PersistentTuning& tuning) {
  return solve_by<detail::CgMethod>(exec, "tessera::persistent::cg", workspace, A, M, b, x, limits,
                                    time_limit_s, tuning);
}

template <class Scalar, class Space, class Offset>
PersistentReport persistent_bicgstab(const Space& exec,
                                     PersistentWorkspace<Scalar, Space>& workspace,
                                     const CsrView<Scalar, Space, Offset>& A,
                                     const NonDeduced<PersistentPreconditioner<Scalar, Space>>& M,
                                     const NonDeduced<ArrayView<const Scalar, Space>>& b,
                                     const NonDeduced<ArrayView<Scalar, Space>>& x,
                                     const PersistentLimits& limits, double time_limit_s,
                                     const PersistentTuning& tuning) {
  return solve_by<detail::BicgstabMethod>(exec, "tessera::persistent::bicgstab", workspace, A, M, b,
                                          x, limits, time_limit_s, tuning);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, persistent_cg)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, persistent_bicgstab)

}  // namespace tessera::kernels
