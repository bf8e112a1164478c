// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The smoother that the parameters name.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera {

/// Makes the smoother of `parameters.type` for A, which it shares. `entries` are A's in compressed
/// rows, which nothing keeps; `spectral_radius` is that of D^-1 A: each may be left out where
/// `smoother_needs` does not name it. `inverse_diagonal`: 1 / A_ii, 0 where the diagonal is zero,
/// shared. `block_size`: rows of a node. It relaxes all points: where `parameters.points` says
/// otherwise, `make_points_smoother` (smoother/point_sets_smoother.hpp).
/// @throws Error of kind `precondition` without entries for one that reads them, and as
/// `make_registered_smoother` for one that is registered (smoother/register_smoother.hpp)
template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius, int block_size = 1);

}  // namespace tessera
