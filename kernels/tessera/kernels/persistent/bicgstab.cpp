// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/run_solve.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
PersistentReport persistent_bicgstab(
    const Space& exec, PersistentWorkspace<Scalar, Space>& workspace,
    const CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
    const NonDeduced<ArrayView<const Scalar, Space>>& b,
    const NonDeduced<ArrayView<Scalar, Space>>& x, const PersistentLimits& limits,
    double time_limit_s, const PersistentTuning& tuning) {
  return detail::run_solve<detail::BicgstabMethod<Scalar, Offset>>(
      exec, "tessera::persistent::bicgstab", workspace, A, inverse_diagonal, b, x, limits,
      time_limit_s, tuning);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                              \
  template PersistentReport persistent_bicgstab<Scalar, Space, Offset>(                         \
      const Space&, PersistentWorkspace<Scalar, Space>&, const CsrView<Scalar, Space, Offset>&, \
      const ArrayView<const Scalar, Space>&, const ArrayView<const Scalar, Space>&,             \
      const ArrayView<Scalar, Space>&, const PersistentLimits&, double, const PersistentTuning&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
