// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rates by which the time that sparse factors take is estimated, and what is a thread's task.
#pragma once

#include "tessera/kernels/execution/rule.hpp"

namespace tessera::rules {

// The time that they take.

inline constexpr Rule<double> panel_flops_per_second = {
    "operations per second of sparse Cholesky factors, and of LU in panels", 1e10,
    "multifrontal panels on two threads of an EPYC with wide vectors: 13e9 to 19e9; one thread of "
    "a "
    "Xeon at 2.x GHz without wide vectors made 2.5e9"};
inline constexpr Rule<double> sparse_lu_flops_per_second = {
    "operations per second of other sparse LU factors", 0.5e9,
    "KLU's scalar loops on the same host"};
inline constexpr Rule<double> factor_seconds_per_entry = {
    "seconds per entry of sparse factors beside the operations", 1.0e-8, "on the same host"};

// The order in which rows are eliminated.

inline constexpr Rule<double> min_flops_per_entry_of_dissection = {
    "operations by minimum degree per entry of the graph, rows that are alike counted once, from "
    "which on a nested dissection is tried",
    1e5,
    "on two threads a dissection and its factors take 0.8 of the time at 1e5, the same at 8e4, 1.2 "
    "at 6e4 (docs/notebook/sparse_factors.md)"};

// LU in panels, or by KLU.

inline constexpr Rule<int> columns_per_bit = {
    "columns that a search for a large entry looks at for each power of two that it may gain", 20,
    "GT01R: no pivot is raised, by 1 in place of 20 there are 28; 67,199 rows of a Stokes system "
    "are ordered in 0.1 s, and by the best entries in 58"};
inline constexpr Rule<double> max_residual_of_panels = {
    "what a solve may leave of its residual, or KLU is tried", 1e-2,
    "chosen by reasoning: four or five iterations to 1e-8"};
inline constexpr Rule<double> max_seconds_of_second_try = {
    "estimated seconds of KLU up to which it is", 1,
    "on 89 matrices from real problems it took up to five times its estimate below, eleven times "
    "above, and a Stokes system of 67,199 rows had no end in 120 s"};

// The order of KLU's columns: COLAMD where its bound is low beside what AMD is estimated to take.

inline constexpr Rule<double> max_bound_over_estimate_of_cheap = {
    "bound of COLAMD's entries over AMD's estimate up to which it is taken, where it is sure to be "
    "as quick as a second try has to be",
    8,
    "where pivots leave the diagonal AMD stores 2 to 12 times its estimate, and COLAMD half of its "
    "bound: ex14 has 6.6 and takes a third of the time, orani678 has 12 and would take 2.6 times "
    "as long (docs/notebook/sparse_factors.md)"};
inline constexpr Rule<double> max_bound_over_estimate = {
    "the same where neither of them is expected to be quick", 2,
    "half of the bound is what COLAMD stores, so that nothing is lost with pivots on the diagonal; "
    "tuma1 has 1.9 and takes 0.4 s in the place of 10"};
inline constexpr Rule<double> max_products_of_bound = {
    "products for the pattern of A A^T, per entry of AMD's estimate, up to which there is a bound",
    32, "ex6 takes 21; memplus 66 and bloweya 297, whose bounds are of no use"};

// Subtrees of supernodes that threads factor side by side.

inline constexpr Rule<double> min_share_per_task = {
    "share of all operations from which on a subtree is a task of its own", 1.0 / 32,
    "chosen by reasoning: tasks enough for the threads of a host, and depending on the matrix "
    "alone"};
inline constexpr Rule<double> min_flops_per_task = {
    "operations from which on it is", 1e6,
    "chosen by reasoning: 0.4 ms by panel_flops_per_second, which outweighs the handing over of "
    "a "
    "task"};

// The last digits, where factors stagnate above the tolerance: the solution in more than double,
// and a rounding of it that leaves less.

inline constexpr Rule<int> max_extended_corrections = {
    "corrections in more than double", 20,
    "chosen by reasoning: each gains what the factors are good for, at least a factor of two"};
inline constexpr Rule<double> max_residual_before_rounding = {
    "residual of the rounded solution, over the tolerance, up to which a better rounding is looked "
    "for",
    1000, "qh1484 gains a factor of 400, most matrices 5 to 20"};
inline constexpr Rule<int> max_rounding_passes = {
    "passes over the solution", 500,
    "Lshape_matrices4 leaves 7.9e-9 after 30 and 6.8e-9 after 1,000"};
inline constexpr Rule<double> min_gain_of_rounding_pass = {
    "share of the residual that a pass has to gain", 1e-3, "chosen by reasoning"};
inline constexpr Rule<double> reach_of_pairs = {
    "residual over the tolerance up to which numbers move in pairs", 4,
    "ex33 and ex9 gain a quarter by them, bips98_606 a factor of four"};
inline constexpr Rule<int> max_neighbours_in_pairs = {
    "entries of a row up to which its pairs are tried", 256,
    "chosen by reasoning: a row's cost grows by the square"};
inline constexpr Rule<double> min_gain_of_pair = {
    "share of what the first of a pair costs that both have to gain", 1e-3,
    "chosen by reasoning: above the round-off of the sums"};
inline constexpr Rule<double> min_gain_of_pairs = {
    "share of the residual that a pass of pairs has to gain", 0.01, "chosen by reasoning"};

}  // namespace tessera::rules
