// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values that multigrid's setup fills in open choices by, where the level decides rather than
/// the matrix. Those that the matrix decides are in solve/selection_rules.hpp.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/rule.hpp"
#include "tessera/smoother/parameters.hpp"

namespace tessera::rules {

// Smoothers.

inline constexpr Rule<SmootherType> smoother_of_scalars = {
    "amg.smoother.type with one unknown per node, and where A is not symmetric",
    SmootherType::jacobi,
    "one Jacobi sweep is the cheapest cycle for scalar problems; a polynomial is small on an "
    "interval of the real axis alone"};
inline constexpr Rule<SmootherType> smoother_of_nodes = {
    "amg.smoother.type with several unknowns per node of a symmetric A", SmootherType::chebyshev,
    "elasticity's wider spectrum is worth a polynomial (16^3 elements: 12 iterations, not 22)"};

// Storage by range.

inline constexpr Rule<double> widest_span_for_half = {
    "span of a level's weights up to which its matrices are stored in half", 128,
    "half rounds by 2^-11: with coefficients that jump by 1e9 the cycle is no preconditioner "
    "otherwise"};
inline constexpr Rule<double> widest_span_for_level_in_float = {
    "span of a level's weights up to which its matrices are stored in float", 1e6,
    "as for half, by float's digits"};

// Products of tiles.

inline constexpr Rule<double> min_entries_per_multiplied_tile = {
    "entries per tile from which on tiles are multiplied", 8,
    "for A A with 4 entries per tile (scalar stencils) products of rows are the faster by 2 to 3 "
    "on an H200, with 9 (blocks of 3 by 3) those of tiles, by 2.8 there and 1.7 on a host "
    "(docs/notebook/data_flow.md)"};
inline constexpr Rule<int> min_block_size_for_tiles = {
    "unknowns per node from which on a device makes tiles of a finest level whose format is open",
    3,
    "on an H200 elasticity in two dimensions takes 1.05 times as long with tiles at 500,000 rows "
    "(docs/notebook/data_flow.md)"};
inline constexpr Rule<Ordinal> min_rows_for_tiles = {
    "rows from which on it does", 50000,
    "on an H200 elasticity in three dimensions takes 1.09 times as long with tiles at 14,000 rows, "
    "0.81 at 200,000 and 0.70 at 670,000 (docs/notebook/data_flow.md)"};

// The coarsest level.

inline constexpr Rule<double> coarse_factor_seconds_per_entry = {
    "seconds per entry of the finest level that factors of the coarsest may take", 2e-6,
    "some tens of cycles, as many as relaxation in their place costs"};
inline constexpr Rule<double> decided_by_diagonal = {
    "largest off-diagonal over diagonal row sum up to which a level that cannot be coarsened is "
    "relaxed rather than factored",
    0.5,
    "its radius is at most 1 + theta, which makes the usual omega, 4/3 over it, 8/9: each of the "
    "17 sweeps that the coarsest level gets leaves at most 5/9, all of them 5e-5"};
inline constexpr Rule<int> default_coarse_sweeps = {
    "applications of the smoother to a coarsest level that is not solved", 17,
    "leave 5e-5 of the error where the diagonal decides"};

}  // namespace tessera::rules
