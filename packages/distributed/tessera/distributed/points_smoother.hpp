// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Fine and coarse points relaxed apart, on levels that are distributed over processes.
#pragma once

#include "tessera/distributed/set_halos.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>
#include <vector>

namespace tessera::distributed {

/// The numbers of own rows, and behind them those of the columns that are others'. `own`: by own
/// row. Collective.
template <class Space>
Array<const Ordinal, Space> coarse_numbers_here(const Space& exec, const Matrix<Space>& A,
                                                const Array<const Ordinal, Space>& own);

/// tessera::make_points_smoother for the level's rows, which `op` has, too, in `Scalar`. By Jacobi
/// and l1-Jacobi points are relaxed as on one process, whatever the number of processes. With
/// several, Gauss-Seidel is a hybrid one, within each process by sets and colours.
/// `inverse_diagonal`: of own rows; `coarse_number`: `coarse_numbers_here`; `halos`: those of A and
/// of its sets, which Gauss-Seidel does not read. Sends nothing: what it throws is to be agreed on.
/// @throws Error of kind `configuration` as `check_points`
template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_points_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& op, const Matrix<Space>& A,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const Array<const Ordinal, Space>& coarse_number, const std::vector<SetHalo<Space>>& halos);

}  // namespace tessera::distributed
