// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The dense arithmetic of a sparse LU factorisation.
#pragma once

#include "tessera/direct/detail/panel.hpp"

namespace tessera::direct::detail {

/// The columns of a front's factors, L below the diagonal and U on and above it, and the rows of U
/// right of them, each of these a column of `upper`.
struct LuPanels {
  Panel lower;
  Panel upper;  ///< as wide as `lower`, and less high by that
  int* swaps;  ///< the row that each of the diagonal block was swapped with
};

/// Factors the panels, with pivots from the diagonal block alone, in each column the largest. One
/// of less than `least` is raised to it. Returns how many were, or -1 where a number is not finite.
int factor_panels(const LuPanels& panels, double least);

/// `update`, of the rows and columns behind the diagonal block, column after column, becomes
/// update - L_21 U_12.
void subtract_product(const LuPanels& panels, double* update);

/// own <- L_11^-1 own with its rows swapped, and below <- below - L_21 own.
void solve_forward(const LuPanels& panels, double* own, double* below);

/// own <- U_11^-1 (own - U_12 below).
void solve_backward(const LuPanels& panels, double* own, const double* below);

}  // namespace tessera::direct::detail
