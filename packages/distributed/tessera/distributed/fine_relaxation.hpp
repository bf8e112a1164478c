// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of the fine points of a level that is distributed over processes.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>

namespace tessera::distributed {

/// amg::FinePoints over processes: the level is relaxed on its fine points alone, after the
/// correction and not before. M has no share where the level has a smoother.
template <class Space>
struct FineRelaxation {
  Matrix<Space> M;  ///< approximates the inverse of A_ff
  int sweeps = 1;
  Array<double, Space> coarse_weights;  ///< of own points, for a sweep on coarse ones; or none

  bool has_share() const { return M.has_share(); }
};

/// That of a level of 2^-exponent A.
template <class Space>
FineRelaxation<Space> scaled_relaxation(const Space& exec, const FineRelaxation<Space>& relaxation,
                                        int exponent);

/// What relaxes a level with the operator `A` by it. `storage`: of M.
template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_fine_smoother(
    const Space& exec, const FineRelaxation<Space>& relaxation,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const StorageParameters& storage);

}  // namespace tessera::distributed
