// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values that multigrid's setup fills in open choices by, where the level decides rather than
/// the matrix. Those that the matrix decides are in solve/selection_rules.hpp.
#pragma once

#include "tessera/kernels/execution/rule.hpp"
#include "tessera/kernels/format/csr.hpp"
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

inline constexpr Rule<int> degree_without_vectors = {
    "amg.smoother.chebyshev.degree for coupled unknowns of a node without near-nullspace vectors",
    4,
    "coarse levels miss what moves several unknowns at once, such as elasticity's rotations, and a "
    "longer polynomial reaches further down the spectrum for them (20^3 elements of Poisson ratio "
    "0.49: 59 iterations, not 114)"};
inline constexpr Rule<double> eigenvalue_ratio_without_vectors = {
    "amg.smoother.chebyshev.eigenvalue_ratio for the same", 30,
    "as far down the spectrum as that degree damps"};

// Strength of couplings, where nothing of the matrix is known (docs/guide/anisotropy.md).

inline constexpr Rule<double> threshold_by_largest = {
    "amg.smoothed_aggregation.strength_threshold by the largest couplings", 0.25,
    "where coefficients jump by 1000 on 200^2 points it takes 20 iterations, with 0.08 34; on "
    "Poisson's problem as many (docs/guide/anisotropy.md)"};
inline constexpr Rule<double> threshold_by_diagonal = {
    "amg.smoothed_aggregation.strength_threshold by the diagonal", 0.08,
    "a row of many equal couplings outweighs them by far; iterations are those of 0.25 by the "
    "largest, but 17 instead of 14 on 50^3 points (docs/guide/anisotropy.md)"};
inline constexpr Rule<double> default_strength_scaling = {
    "amg.smoothed_aggregation.strength_scaling", 0.5,
    "by which the threshold shrinks in the papers: Vanek, Mandel & Brezina, Computing 56 (1996)"};

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

// Products of a reduction.

inline constexpr Rule<double> multiplications_per_entry = {
    "multiplications of a product of a reduction, for each entry that amg.max_operator_complexity "
    "leaves to a level and those below it, up to which it is made",
    128,
    "convection in space takes up to 45 on 100^3 points, and real matrices up to 100; more are "
    "rows "
    "so full that setup goes on for minutes (docs/notebook/reduction.md)"};

// Smoothing of prolongators.

inline constexpr Rule<double> min_entries_for_groups = {
    "mean entries per row of A from which on several lanes share a row of P on a device", 12,
    "shorter rows of neighbouring threads lie side by side: on an H200 two passes take 0.7 ms by "
    "rows and 1.1 by lanes on a 5-point 1024^2, 3.3 and 2.6 on a 27-point 128^3 "
    "(docs/notebook/setup.md)"};

// Classical interpolation.

inline constexpr Rule<double> min_couplings_for_lanes = {
    "mean entries per row of A, or strong ones, from which on eight lanes copy the couplings of a "
    "row, or list them, on a device",
    12,
    "on an H200 a setup of 27-point 128^3 took 33.6 ms for 34.9 to 37.9, of 7-point 256^3, whose "
    "coarse levels have 30 to 90, 129 for 131 to 138 (docs/notebook/classical.md); shorter rows of "
    "neighbouring threads lie side by side"};
inline constexpr Rule<double> min_weights_for_lanes = {
    "mean entries per row of M from which on four lanes make the weights of a row on a device", 5,
    "each lane searches the row of one neighbour, side by side (docs/notebook/classical.md); of "
    "shorter rows lanes would idle"};
inline constexpr Rule<double> min_weights_for_eight_lanes = {
    "mean entries per row of M from which on eight do", 12, "as for four"};

// The coarsest level.

inline constexpr Rule<int> coarse_size = {
    "amg.coarse_size, in unknowns", 200,
    "one size for every device, so that iterations are the same: of 17 systems on an H100 none "
    "takes other iterations with 100 to 600, and up to 250 times differ no more than processes do "
    "(docs/notebook/setup.md)"};
inline constexpr Rule<int> max_unknowns_without_lapack = {
    "unknowns of a dense level up to which the loops here are used, not LAPACK", 256,
    "chosen by reasoning: LAPACK's blocks gain on larger ones"};
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
