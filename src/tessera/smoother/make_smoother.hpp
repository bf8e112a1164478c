// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The smoother that the parameters name.
#pragma once

#include "tessera/core/linear_operator.hpp"
#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera {

/// Makes the smoother of `parameters.type` for A, which it shares. `spectral_radius` is that of
/// D^-1 A; l1-Jacobi and SPAI-0 do not read it.
template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_smoother(const Space& exec,
                                                       const SmootherParameters& parameters,
                                                       const kernels::Csr<Scalar, Space, Offset>& A,
                                                       const kernels::CsrSpmvPlan<Space>& plan,
                                                       double spectral_radius);

}  // namespace tessera
