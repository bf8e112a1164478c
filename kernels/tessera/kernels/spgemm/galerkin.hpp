// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product R A P.
#pragma once

#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::kernels {

/// What repeating the values of a Galerkin product keeps: the intermediate A P and the two plans.
template <class Scalar, class Space, class Offset = std::int32_t>
struct GalerkinPlan {
  Csr<Scalar, Space, Offset> AP;  ///< on a host its rows are not sorted
  SpgemmPlan<Space> first;  ///< of A P
  SpgemmPlan<Space> second;  ///< of R (A P)
};

/// R (A P) by two sparse products (Cusp paper, section 3.4). R: n_c by n, A: n by n, P: n by n_c.
/// Pattern, order and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P);

/// The same, and `plan` for `galerkin_numeric`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> galerkin_product(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& R,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& P,
                                            GalerkinPlan<Scalar, Space, Offset>& plan);

/// Frees the values of A P, for which `galerkin_numeric` makes room again.
template <class Scalar, class Space, class Offset>
void release_intermediate(GalerkinPlan<Scalar, Space, Offset>& plan) {
  plan.AP.values = {};
}

/// The values of `Ac` = R A P again, for R, A and P of the patterns that made `plan` and `Ac`.
/// Overwrites the values of `plan.AP` or, where these were freed, has its own.
template <class Scalar, class Space, class Offset>
void galerkin_numeric(const Space& exec, const GalerkinPlan<Scalar, Space, Offset>& plan,
                      const CsrView<Scalar, Space, Offset>& R,
                      const CsrView<Scalar, Space, Offset>& A,
                      const CsrView<Scalar, Space, Offset>& P,
                      const Csr<Scalar, Space, Offset>& Ac);

}  // namespace tessera::kernels
