// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The dense arithmetic of a sparse Cholesky factorisation.
#pragma once

#include "tessera/direct/detail/panel.hpp"

namespace tessera::direct::detail {

/// How pivots are judged.
struct PivotRule {
  double least;  ///< pivots are positive from this multiple of the matrix's own diagonal on
  int raised = 0;  ///< pivots that were not, to round-off, and were raised to its square root
};

/// Factors the upper part of a panel (height at least width), whose lower triangle is read, into L
/// L^T, and makes the part below L_21 = A_21 L^-T. `diagonal`: that of the matrix, one entry per
/// column. False where a pivot is negative beyond round-off, or not a number.
bool factor_panel(const Panel& panel, const double* diagonal, PivotRule& rule);

/// update <- update - L_21 L_21^T; `update` is of the rows below the panel's upper part.
void subtract_outer_product(const Panel& panel, const Triangle& update);

/// own <- L_11^-1 own and below <- below - L_21 own.
void solve_forward(const Panel& panel, double* own, double* below);

/// own <- L_11^-T (own - L_21^T below).
void solve_backward(const Panel& panel, double* own, const double* below);

}  // namespace tessera::direct::detail
