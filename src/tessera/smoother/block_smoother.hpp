// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by the inverses of full blocks on the diagonal.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/smoother/correction_smoother.hpp"

#include <memory>

namespace tessera {

/// x = x + omega B^-1 (b - A x), B being the blocks that `kernels::find_full_blocks` finds in
/// `entries`, which are those of A; its diagonal where it finds none. omega = 2 / (1 + 1.25 rho),
/// rho the spectral radius of B^-1 A by some of its powers, which are short of it: what damps most
/// between 1, where all eigenvalues are of cells that a flow alone couples, and a radius that is 2
/// where two colours do for cells that diffusion couples.
template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_block_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, int sweeps);

}  // namespace tessera
