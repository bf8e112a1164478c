// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by the inverses of blocks on the diagonal.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/smoother/correction_smoother.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera {

/// Rows of a block as `p` says, on a level of nodes of `block_size` rows; 0: full blocks are to be
/// looked for.
/// @throws Error of kind `configuration` for more rows than a block can have, and where `p` says
/// both how many they are and that they are those of nodes
int rows_of_blocks(const BlockJacobiParameters& p, int block_size);

/// x = x + omega B^-1 (b - A x), B being blocks on the diagonal of consecutive rows: as many as
/// `rows_of_blocks` has, the last block being shorter where they do not divide those of A, or those
/// that `kernels::find_full_blocks` finds in `entries`, single ones where it finds none. `entries`
/// are those of A. omega = 2 / (1 + 1.25 rho), rho the spectral radius of B^-1 A by some of its
/// powers, which are short of it: what damps most between 1, where all eigenvalues are of cells
/// that a flow alone couples, and a radius that is 2 where two colours do for cells that diffusion
/// couples. The note tells of blocks without an inverse.
template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_block_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const BlockJacobiParameters& p,
    int block_size, int sweeps);

}  // namespace tessera
