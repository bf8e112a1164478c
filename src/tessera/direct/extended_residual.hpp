// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Residuals in more than double.
#pragma once

#include "tessera/direct/host_matrix.hpp"

namespace tessera::direct {

/// b - A (x + low), summed in long double and rounded once; n numbers each, `low` null for zeros.
/// Returns its norm. What double itself would say of a residual near epsilon |A| |x| is noise.
/// Where long double is double (some hosts of Arm) nothing is gained.
double extended_residual(const HostSpace& exec, const HostMatrix& A, const double* b,
                         const double* x, const double* low, double* residual);

}  // namespace tessera::direct
