// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a solve ended as it says, by residuals that are computed again.
///
/// They are those of the system as it was drawn, in long double. What a solve may report is off
/// from them by what its own residual b - A x has of rounding, which is at most
///
///     (entries of the row + 2) u (|b| + |A| |x|)
///
/// in each row, u being the unit roundoff of the solve's scalar (Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd edition, section 3.1), and a smallest number for each product, which
/// may have underflowed. The norm of that is the allowance: what is compared with the tolerance is
/// (1 + 1e-9) tolerance reference + allowance. There is one other, where a solve that failed is
/// compared with its guess: entries of the best iterate that are below the scalar's range are
/// rounded.
#pragma once

#include "fuzz/solves/case.hpp"

#include <string>
#include <vector>

namespace tessera::fuzz {

/// What is wrong with `result` and `x`, a line each: of A x = b from the guess of the case, for an
/// A of its pattern.
std::vector<std::string> faults_of(const Case& drawn, const test::HostMatrix<double>& A,
                                   const SolverParameters& parameters, const SolveResult& result,
                                   const std::vector<double>& x);

}  // namespace tessera::fuzz
