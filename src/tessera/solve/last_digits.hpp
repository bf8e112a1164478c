// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What follows where factors stagnate above the tolerance.
#pragma once

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solve/solver_state.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <string>
#include <vector>

namespace tessera::detail {

/// Refines the columns of x (n by k) that have stagnated with sparse factors in double, and are
/// relative to no projection, by `direct::refine`: `result` tells what became of them. Corrections
/// count as iterations. `logger`: the user's, or empty.
template <class Scalar, class Space, class Offset>
void refine_last_digits(const Space& exec, SolverState<Scalar, Space, Offset>& solver,
                        const ConstMultiVectorView<Scalar, Space>& b,
                        const MultiVectorView<Scalar, Space>& x, const Logger& logger,
                        SolveResult& result);

/// The same of any matrix in double with factors of it: A, b and x are of all rows. Returns what
/// there is to note.
template <class Space, class Offset>
std::vector<std::string> refine_columns(const Space& exec,
                                        const kernels::CsrView<double, Space, Offset>& A,
                                        const direct::SparseDirect& factors,
                                        const SolverParameters& parameters,
                                        const NonDeduced<ConstMultiVectorView<double, Space>>& b,
                                        const NonDeduced<MultiVectorView<double, Space>>& x,
                                        const Logger& logger, SolveResult& result);

}  // namespace tessera::detail
