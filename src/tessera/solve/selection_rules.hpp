// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values that the choices of solve/select.hpp and solve/fallback.hpp go by, one table: each
/// with the property that it belongs to, and the reason or record that it rests on.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/kernels/execution/rule.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/smoother/parameters.hpp"

namespace tessera::rules {

// Preconditioner.

inline constexpr Rule<Ordinal> few_rows = {
    "rows up to which nothing but multigrid is considered", 200,
    "multigrid is one dense level by itself, and anything is quick"};
inline constexpr Rule<Ordinal> max_rows_to_order = {
    "rows up to which the cost of factors is estimated before anything was tried", 20000,
    "ordering takes a tenth to a third of what multigrid would"};
inline constexpr Rule<Ordinal> max_rows_to_order_unsuited = {
    "the same where smoothers cannot divide by the diagonal, or for symmetric stiffness of one "
    "unknown per node without near-nullspace vectors",
    100000,
    "ordering takes 11 ms for a saddle point of 67,199 rows, 30 iterations before it 260 ms "
    "(docs/notebook/real_matrices.md)"};
inline constexpr Rule<double> few_positive_couplings = {
    "share of positive couplings up to which A is treated as an M-matrix", 0.06,
    "of all vectors the constant is nearest to the nullspace of an M-matrix"};
inline constexpr Rule<double> many_positive_couplings = {
    "share of positive couplings above which A is taken for stiffness", 0.27,
    "stretched or high elements of one unknown have fewer; 13 points of the biharmonic operator "
    "have 0.272"};
inline constexpr Rule<int> zeros_per_restart = {
    "the restart over the most coupled rows with a zero diagonal at which multigrid is chosen", 2,
    "smoothers leave such rows out: each is a direction or two more for GMRES, which has as many "
    "as a restart holds"};
inline constexpr Rule<double> min_fill = {
    "entries of a column of L over those of a row of A, at the least", 1.5,
    "half as many without fill, three times as many or more with it: of the definite matrices of "
    "docs/notebook/real_matrices.md none has less than 4.5 times as many"};
inline constexpr Rule<double> decided_share = {
    "sum of a row's entries over its diagonal from which on the diagonal dominates the row", 0.4,
    "where most rows are such, as in mass matrices and short time steps, the smooth vectors, which "
    "relaxation cannot reduce elsewhere, have eigenvalues of D^-1 A near or above that share"};

inline constexpr Rule<double> length_of_long_rows = {
    "entries of a row over those of the mean row above which it is long", 4,
    "of degrees that fall with their third power, as those of preferential attachment, a 64th is "
    "eight times the least, which is half the mean"};
inline constexpr Rule<double> share_of_long_rows = {
    "share of long rows from which on a symmetric matrix up to few_positive_couplings is a graph "
    "whose degrees follow a power law, on a host",
    0.003,
    "such graphs have 0.010 to 0.024; of the real matrices with so few positive couplings none has "
    "more than 0.0018. Their vertices are few edges apart, and Jacobi takes 0.03 to 0.2 of "
    "multigrid's time (docs/notebook/power_laws.md)"};

// Setup and solve with multigrid, in seconds, on one thread of the host that direct::Cost::seconds
// was measured on (docs/notebook/real_matrices.md).

inline constexpr Rule<double> amg_seconds_per_suited_row = {"seconds per row where multigrid suits",
                                                            3e-6, "docs/notebook/real_matrices.md"};
inline constexpr Rule<double> amg_seconds_per_suited_entry = {
    "seconds per entry where multigrid suits", 0.03e-6, "docs/notebook/real_matrices.md"};
inline constexpr Rule<double> amg_seconds_stiffness = {
    "seconds per entry of stiffness without its rigid body modes", 1.5e-6,
    "docs/notebook/real_matrices.md"};
inline constexpr Rule<double> amg_seconds_unknown = {
    "seconds per entry where multigrid is not known to converge at all", 10e-6,
    "docs/notebook/real_matrices.md"};

// Precision and equilibration.

inline constexpr Rule<Ordinal> min_rows_for_float = {
    "fewest rows for multigrid in float", 2000,
    "below, float saved no time that could be measured on a host, and of 81 real matrices the "
    "three on which its round-off costs CG more than 5 % of the iterations have 960 to 1282 rows: "
    "with b of ones 1138_bus, nos3 and plbuckle take 39, 20 and 61 instead of 34, 18 and 56"};
inline constexpr Rule<double> max_span_for_float = {
    "largest over smallest diagonal magnitude for multigrid in float", 1e6,
    "aggregates join unknowns of all sizes, and a float has seven digits for their sums: with "
    "coefficients that jump by 1e7 (jump3d) cycles in float are no longer positive definite"};
inline constexpr Rule<double> min_row_sum_for_float = {
    "least sum of any row's entries, over its diagonal, for multigrid in float", 1e-6,
    "the constant is the nullspace of what float keeps of a matrix whose rows all sum to less than "
    "its round-off: with Neumann conditions and 1e-9 on the diagonal a solve took 15 iterations in "
    "double, and stagnated after 24 in float"};
inline constexpr Rule<double> float_safe_smallest = {
    "diagonal magnitude above which float needs no scaling", 1e-12,
    "leaves room in a float for what a cycle makes of it"};
inline constexpr Rule<double> float_safe_largest = {
    "diagonal magnitude below which float needs no scaling", 1e12,
    "leaves room in a float for what a cycle makes of it"};
inline constexpr Rule<double> half_safe_smallest = {
    "diagonal magnitude above which half needs no scaling", 0.01,
    "half begins at 6e-5: room for the other entries of a row and for coarse levels"};
inline constexpr Rule<double> half_safe_largest = {
    "diagonal magnitude below which half needs no scaling", 1e4,
    "half ends at 65504: room for the other entries of a row and for coarse levels"};
inline constexpr Rule<double> span_safe_in_float = {
    "span of the diagonal that one power of two brings into float's range", 1e16,
    "within that of float_safe_smallest and float_safe_largest"};
inline constexpr Rule<double> span_safe_in_half = {
    "span of the diagonal that one power of two brings into half's range", 1e3,
    "within that of half_safe_smallest and half_safe_largest"};

inline constexpr Rule<double> max_change_of_magnitude = {
    "factor by which new values' magnitudes may differ from the old ones' for a choice of "
    "precision "
    "and powers of two to hold",
    0x1p40,
    "chosen by reasoning: within float's range of 2^126, and values that float rounds to zero "
    "would otherwise go unnoticed"};

// A scaling for the rate's sake. A row's remainder is |sum of its entries| over the sum of their
// magnitudes.

inline constexpr Rule<double> span_of_scaled_diagonal = {
    "largest over smallest diagonal magnitude above which a scaling is looked for", 10,
    "no grid of one coefficient has such a span"};
inline constexpr Rule<double> remainder_of_scaled_rows = {
    "mean remainder of rows and columns from which on they may have been scaled", 0.1,
    "those beside the boundary of a grid of 20^3 points make it 0.03"};
inline constexpr Rule<double> remainder_left_by_scaling = {
    "share of that remainder that is left where scaling pays, at the most", 0.25,
    "less than 0.05 is left where 5- and 7-point matrices were scaled by up to 10^8; of 89 real "
    "matrices of such spans and remainders each keeps 0.52 or more, and coefficients that jump "
    "begin with small ones"};
inline constexpr Rule<double> max_span_of_factors_for_float = {
    "largest over smallest factor of a scaling up to which multigrid in float may follow", 1e24,
    "its input spans as much, within float's 1e-38 to 1e38"};

// What is made of a preconditioner.

inline constexpr Rule<int> rows_of_open_blocks = {
    "block_rows without blocks of nodes", 8,
    "no blocks are known, and a product costs as many entries per row"};
inline constexpr Rule<int> cycles_before_recording = {
    "applications before a cycle is recorded as a graph, and iterations before one is", 24,
    "on an H200 the recording of a cycle takes 0.1 to 0.2 ms, which ten launches of it save where "
    "launches are what limits; a solve of some ten iterations is over by then"};

// Multigrid's coarsening with one unknown per node (docs/notebook/coarsenings.md), off grids on one
// GPU, too. A mesh in the plane has a symmetric matrix with a diagonal of one sign and without
// hubs, more than few_positive_couplings, and at most max_entries_in_the_plane entries per row. A
// flow has no symmetry and skew_share_of_convection.

inline constexpr Rule<double> repeated_rows_of_grid = {
    "share of rows that have the columns of the row before, one further, from which on unknowns "
    "are a numbered grid",
    0.5, "chosen by reasoning: grids of 24 points a side have 0.75 and more, meshes hardly any"};
inline constexpr Rule<amg::CoarseningKind> coarsening_of_meshes_in_the_plane = {
    "amg.coarsening of meshes in the plane, off grids", amg::CoarseningKind::classical,
    "with a polynomial of degree 2 0.69 to 0.91 of aggregation's time where elements are stretched "
    "by 100 and more, and 8 to 55 iterations instead of 11 to 76; by 10, 0.91 and 1.01 times as "
    "long; on an H200 0.79 to 1.15 times aggregation's time on ten, 0.93 in the mean"};
inline constexpr Rule<amg::CoarseningKind> runner_up_of_meshes_in_the_plane = {
    "what comes next on them", amg::CoarseningKind::smoothed_aggregation,
    "the others take longer yet"};
inline constexpr Rule<amg::CoarseningKind> coarsening_without_symmetry = {
    "amg.coarsening without symmetry, off grids and up to few_positive_couplings; on a GPU where "
    "rows come in no full blocks",
    amg::CoarseningKind::classical,
    "0.33 to 1.1 of aggregation's time on flows whose points are numbered at random and on three "
    "circuits, and 7 to 15 iterations instead of 7 to 95; on an H200 0.6 to 1.2 times its time on "
    "seven, 0.88 in the mean, and 7 to 17 iterations instead of 7 to 22"};
inline constexpr Rule<amg::CoarseningKind> runner_up_of_flows_off_grids = {
    "what comes next of them on flows, on a host", amg::CoarseningKind::reduction,
    "1.0 to 1.4 times as long as classical coarsening beyond a Peclet number of 1000, where "
    "aggregation takes two to three times"};
inline constexpr Rule<double> skew_share_of_classical_on_devices = {
    "share of a nonsymmetric matrix's couplings that are of one direction from which on a device "
    "splits unknowns into points, up to few_positive_couplings",
    0.5,
    "a vortex with upwind differences on 512^2 points takes 18 iterations instead of 122 to 352 by "
    "aggregation at Peclet numbers of 10^4 to 10^7, and 0.36 to 0.68 of its time; flows that are "
    "straight 0.83 to 1.5 times (docs/notebook/convection.md)"};
inline constexpr Rule<amg::CoarseningKind> coarsening_of_flows_on_devices = {
    "amg.coarsening of these", amg::CoarseningKind::classical, "the same"};
inline constexpr Rule<double> skew_share_of_streamlines = {
    "share of a nonsymmetric matrix's couplings that are of one direction from which on a host "
    "follows some streamlines",
    0.9,
    "vortices of 320^2 to 512^2 points at a Peclet number of 10^4, a share of 0.75 to 0.82, take "
    "22 to 26 iterations and 0.8 to 1.0 of the time by aggregation"};
inline constexpr Rule<double> rows_of_streamlines = {
    "and from which number of rows on", 100000,
    "vortices of 150^2 and 250^2 points take 0.6 and 0.8 of the time by aggregation, one of 320^2 "
    "1.3 to 1.5 times as long, one of 512^2 1.5 and 2.1 times: the larger, the less aggregates do"};
inline constexpr Rule<double> share_of_upstream = {
    "s (a_ji - a_ij) over |a_ij| + |a_ji|, s being the diagonal's sign, from which on j is "
    "upstream of i",
    0.25, "chosen by reasoning: a Peclet number of the mesh width of two thirds"};
inline constexpr Rule<double> steps_of_streamline = {
    "steps upstream, over the square root of the rows, from which on a streamline is long", 8,
    "straight ones on a square end after two at most, and one turn of a vortex takes four"};
inline constexpr Rule<double> long_streamlines_of_classical = {
    "share of streamlines that are long from which on a host splits unknowns into points, on grids "
    "and up to few_positive_couplings",
    0.5,
    "vortices of 320^2 to 512^2 points with upwind differences take 10 to 12 iterations instead of "
    "31 to 45 by aggregation at Peclet numbers of 10^5 and 10^7, and 0.5 to 0.8 of its time; "
    "straight flows, whose streamlines are short, take 1.7 to 3 times as long by classical "
    "coarsening (docs/notebook/convection.md)"};
inline constexpr Rule<amg::CoarseningKind> coarsening_of_long_streamlines = {
    "amg.coarsening of these", amg::CoarseningKind::classical, "the same"};
inline constexpr Rule<amg::CoarseningKind> coarsening_of_reactions = {
    "amg.coarsening of unknowns that react, taken one by one, on grids, too",
    amg::CoarseningKind::classical,
    "6 to 20 iterations on 14 systems for 12 to 53 by aggregation, in 0.4 to 1.4 times its time "
    "(docs/notebook/uneven_systems.md)"};
inline constexpr Rule<amg::CoarseningKind> coarsening_of_others = {
    "amg.coarsening elsewhere", amg::CoarseningKind::smoothed_aggregation,
    "the least time on grids but for few, in space, and on most real matrices"};
inline constexpr Rule<double> omega_of_uneven_graphs = {
    "amg.smoothed_aggregation.prolongator_omega of graphs whose degrees follow a power law, where "
    "multigrid was asked for or Jacobi has failed",
    0,
    "0.2 to 1.0 of the time with smoothed prolongators, and as many iterations where vertices are "
    "few edges apart, up to twice as many elsewhere (docs/notebook/power_laws.md)"};
inline constexpr Rule<amg::CoarseningKind> runner_up_of_flows_on_grids = {
    "what comes next there on flows", amg::CoarseningKind::pairwise,
    "groups of 4 and a K-cycle take 0.9 to 1.4 times as long on them"};
inline constexpr Rule<amg::CoarseningKind> runner_up_of_others = {
    "what comes next there elsewhere", amg::CoarseningKind::classical,
    "0.5 to 2.4 times as long as aggregation"};
inline constexpr Rule<amg::CoarseningKind> coarsening_after_factors = {
    "amg.coarsening where incomplete factors fail at a flow", amg::CoarseningKind::reduction,
    "its iterations are few whatever the flow and the numbering (docs/notebook/reduction.md)"};

// Multigrid's strength of couplings.

inline constexpr Rule<double> threshold_beside_positive_couplings = {
    "amg.smoothed_aggregation.strength_threshold beside positive couplings, in short rows", 0.5,
    "errors are smooth along the strongest couplings alone"};
inline constexpr Rule<double> max_entries_of_low_order = {
    "entries per row up to which positive couplings are of stretched elements", 30,
    "rows of a trilinear hexahedron's vertex have 27; in longer ones positive couplings are of the "
    "elements' order: with a threshold of 0.5 the beam of order 3 and 924,000 unknowns has an "
    "operator complexity of 1.33, with 0.25 of 1.11, and as many iterations"};
inline constexpr Rule<double> threshold_beside_some_positive_couplings = {
    "amg.smoothed_aggregation.strength_threshold of elements stretched across their axes", 0.35,
    "their axes' couplings, 0.4 of the diagonal's, are to count: bilinear elements at 45 degrees "
    "take 15 iterations instead of 17, with an operator complexity of 1.17 instead of 1.58"};
inline constexpr Rule<double> some_positive_couplings = {
    "share of positive couplings up to which elements are stretched across their axes", 0.16,
    "bilinear elements at 45 degrees have 9 %, tetrahedra at 0 degrees 13 %"};
inline constexpr Rule<double> max_entries_in_the_plane = {
    "entries per row up to which elements are stretched across their axes", 12,
    "on tetrahedra at 0 degrees a threshold of 0.35 would be 13 iterations and a complexity of "
    "1.70 for 12 and 1.66"};
inline constexpr Rule<double> threshold_beside_jumping_rows = {
    "amg.smoothed_aggregation.strength_threshold of elements with jumping rows", 0.25,
    "where coefficients jump inside elements, 1.7 to 3.5 times as many iterations with 0.5; on "
    "graded meshes, whose diagonals span as much, 0.25 takes 1.7 to 2.8 times as many as 0.5 "
    "(docs/notebook/uneven_systems.md)"};
inline constexpr Rule<double> factor_of_jumping_rows = {
    "factor between the diagonal entries of two coupled rows above which these jump", 4,
    "elements of order 2 in one material have 2.3 on squares"};
inline constexpr Rule<double> share_of_jumping_rows = {
    "share of such rows from which on a matrix has jumping rows", 0.02,
    "elements of order 2 on triangles of all shapes have 0.01, discs of another material 0.15 and "
    "more, graded meshes none (docs/notebook/uneven_systems.md)"};
inline constexpr Rule<double> threshold_between_blocks = {
    "amg.smoothed_aggregation.strength_threshold between vertices of several unknowns", 0.08,
    "their couplings are of all directions: elasticity on tetrahedra (824,000 unknowns) has an "
    "operator complexity of 2.43 instead of 3.20 and takes two thirds of the time, with 12 "
    "iterations instead of 11; on bricks both are as with 0.25"};
inline constexpr Rule<int> min_block_of_that_threshold = {
    "unknowns per node from which on threshold_between_blocks holds", 3,
    "measured for elasticity in space"};
inline constexpr Rule<double> threshold_between_cells = {
    "amg.smoothed_aggregation.strength_threshold between cells of discontinuous elements", 0.55,
    "what lies at one place in two cells is joined first: on tetrahedra of order 1 and 24,000 rows "
    "8 iterations instead of 28 (docs/notebook/discontinuous_elements.md)"};
inline constexpr Rule<double> span_of_jumps = {
    "largest over smallest diagonal entry above which coefficients jump", 10,
    "no grid of one coefficient has such a span"};
inline constexpr Rule<double> scaling_beside_jumps = {
    "amg.smoothed_aggregation.strength_scaling beside jumps", 0.8,
    "weak couplings stay weak on coarse levels there"};

// Multigrid's smoothers.

inline constexpr Rule<int> degree_beside_positive_couplings = {
    "amg.smoother.chebyshev.degree beside positive couplings", 3,
    "one Jacobi sweep leaves much of what lies across the strongest couplings; a polynomial of "
    "this degree pays for itself"};
inline constexpr Rule<double> eigenvalue_ratio_beside_positive_couplings = {
    "amg.smoother.chebyshev.eigenvalue_ratio beside positive couplings", 12,
    "the part of the spectrum on which that degree pays for itself"};

inline constexpr Rule<double> omega_of_modes = {
    "amg.smoothed_aggregation.prolongator_omega between nodes of min_block_of_that_threshold "
    "unknowns or more with near-nullspace vectors of their own",
    1.6,
    "with the ratio below 18, 19 and 23 iterations instead of 19, 21 and 26 on MFEM's beam of "
    "orders 1 to "
    "3, 25, 27 and 36 instead of 31, 30 and 39 on tetrahedra, at the same cost "
    "(docs/notebook/mfem.md); "
    "1.8 is as good there, and takes 14 instead of 12 in the plane"};
inline constexpr Rule<double> eigenvalue_ratio_of_modes = {
    "amg.smoother.chebyshev.eigenvalue_ratio for the same", 11,
    "with 9 and 15 up to an iteration more (docs/notebook/mfem.md)"};
inline constexpr Rule<SmootherType> smoother_over_processes = {
    "amg.smoother.type over processes, on hosts, with few positive couplings and rows of more than "
    "max_entries_in_the_plane",
    SmootherType::chebyshev,
    "of degree 2: 8 and 9 iterations instead of 11 and 14 by Jacobi on MFEM's hexahedra and "
    "tetrahedra of "
    "order 1, in 1.04 and 0.97 of its time on one process (docs/notebook/mfem.md); each iteration "
    "waits for messages and sums besides"};

inline constexpr Rule<double> skew_share_of_convection = {
    "share of a nonsymmetric matrix's couplings that are of one direction from which on a host "
    "smooths with incomplete factors",
    0.2,
    "with upwind differences, less than half as many iterations as with Jacobi from there on: one "
    "vortex on 150^2 points takes 13 instead of 51 at a Peclet number of 1000, 17 instead of 200 "
    "at 10^7; of 72 "
    "real matrices without symmetry the eight that it is picked for take 4 to 20 instead of 19 to "
    "94 "
    "(docs/guide/convection.md)"};

inline constexpr Rule<double> skew_share_of_cells_in_one_level = {
    "share of a nonsymmetric matrix's couplings that are of one direction from which on a host, on "
    "one process, takes incomplete factors of discontinuous elements' cells without multigrid",
    0.65,
    "2 to 20 iterations in 0.44 of multigrid's time in the median; at a share of 0.5 up to 30, "
    "which grow "
    "with the mesh (docs/notebook/discontinuous_elements.md)"};

inline constexpr Rule<double> skew_share_of_second_sweep = {
    "share of a nonsymmetric matrix's couplings that are of one direction from which on a device "
    "that smooths with Jacobi sweeps more than once",
    0.005,
    "at a Peclet number of 100 on 512^2 points a share of 0.03 and 0.06; there and on 128^2 to "
    "1024^2 points two sweeps on aggregates take 13 and 14 iterations for 18 to 21, in 0.81 to "
    "0.99 of the time on an H200 (choices-growth-h200-2026-11-29.json.xz), beside classical "
    "coarsening, numbered by chance, 11 and 12 for 16 and 17, in 0.81 to 1.22 of it "
    "(docs/notebook/convection.md)"};
inline constexpr Rule<int> sweeps_of_flows_on_devices = {
    "amg.smoother.sweeps of these", 2,
    "0.50 to 0.78 of the iterations of one sweep, and 0.55 to 0.98 of the time, on 15 flows in two "
    "and three dimensions by aggregation (docs/notebook/convection.md)"};

inline constexpr Rule<int> sweeps_of_blocks = {
    "amg.smoother.sweeps with the inverses of blocks that are picked", 2,
    "docs/notebook/discontinuous_elements.md"};

// Reduction multigrid.

inline constexpr Rule<double> complexity_of_reduction = {
    "amg.max_operator_complexity beside amg.coarsening=reduction", 12,
    "its levels lose few points: convection has operators of 3 to 8 times A's entries "
    "(docs/notebook/reduction.md)"};

// Memory.

inline constexpr Rule<double> max_entries_of_trial = {
    "entries of the piece of a matrix whose setup a forecast of memory is made from", 400000,
    "a setup of some tens of milliseconds; a smaller piece has more of its rows at the rim, where "
    "entries are cut off"};

inline constexpr Rule<double> share_of_trial = {
    "largest share of the entries of a matrix of more that this piece has beside a limit of memory",
    0.25, "the piece and its setup then take less than the setup that they forecast"};
inline constexpr Rule<int> frugal_coarse_size = {
    "amg.coarse_size where a dense level of more does not fit max_memory_mb", 200,
    "its inverse takes 320 kB; one of the 2000 unknowns that may be picked 32 MB"};

// Which full blocks of rows are cells.

inline constexpr Rule<double> same_unknown_share_of_nodes = {
    "share of the same unknown in couplings between full blocks from which on these are nodes", 0.5,
    "discontinuous elements have 0.39 of it at the most, on tetrahedra of order 1; quantities that "
    "flow together nearly all"};
inline constexpr Rule<double> same_unknown_share_of_plain_cells = {
    "the same up to which on a host incomplete factors may do alone, and sparse ones are not "
    "looked "
    "at beforehand",
    0.4,
    "between discontinuous elements, 0.39 at the most, and the four quantities of a driven cavity, "
    "0.48, which incomplete factors alone take 75 iterations of and sparse ones one"};

// Which unknowns of a node, as found from the pattern, react with each other, so that multigrid
// takes them one by one.

inline constexpr Rule<double> share_of_reactions = {
    "couplings within nodes of the sign opposite to the diagonal's, over it, from which on they "
    "react",
    0.5,
    "classical coarsening one by one takes 0.03 to 0.9 of the time of nodes from there on, 0.8 to "
    "1.4 below (docs/notebook/uneven_systems.md)"};
inline constexpr Rule<double> max_same_sign_of_reactions = {
    "share of couplings to other unknowns with the diagonal's sign, up to which they react", 0.01,
    "species that turn into each other have none; elasticity, cross-diffusion, and the real "
    "matrices with nodes whose unknowns are coupled have 0.25 to 0.6"};

// What takes the place of a choice that failed. Seconds are those of one thread of the host that
// direct::Cost's rates are of, not measured on the way: the same choice for any number of threads.

inline constexpr Rule<double> cycle_seconds_per_entry = {
    "seconds per entry of an iteration with multigrid", 25e-9,
    "on the stiffness matrices where it takes too many"};
inline constexpr Rule<double> product_seconds_per_entry = {
    "seconds per entry of an iteration without multigrid", 5e-9, "on the same matrices"};
inline constexpr Rule<int> strong_degree = {
    "amg.smoother.chebyshev.degree after a slow solve", 8,
    "on stiffness matrices whose rigid body modes nobody gave, CG then needs a fifth of the "
    "iterations in about the same time"};
inline constexpr Rule<double> strong_ratio = {
    "amg.smoother.chebyshev.eigenvalue_ratio after a slow solve", 100,
    "that degree damps all but a hundredth of the spectrum's length, not a seventh"};
inline constexpr Rule<int> long_restart = {
    "solver.gmres.restart of the GMRES that takes over from CG, at the most", 200,
    "an indefinite matrix stalls it at each restart: 5-point with 3.9 on the diagonal, 100^2, "
    "takes 1000 iterations and more by 50, 201 by 100, 113 by 200"};
inline constexpr Rule<double> max_basis_bytes = {"bytes of that GMRES' basis", 1024.0 * 1024 * 1024,
                                                 "1 GiB, beside a matrix of any size"};

}  // namespace tessera::rules
