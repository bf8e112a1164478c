// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rates by which the time that sparse factors take is estimated, and what is a thread's task.
#pragma once

#include "tessera/kernels/execution/rule.hpp"

namespace tessera::rules {

// The time that they take.

inline constexpr Rule<double> panel_flops_per_second = {
    "operations per second of sparse Cholesky factors, and of LU in panels", 2.5e9,
    "multifrontal panels, measured on a Xeon at 2.x GHz without wide vectors"};
inline constexpr Rule<double> sparse_lu_flops_per_second = {
    "operations per second of other sparse LU factors", 0.5e9,
    "KLU's scalar loops on the same host"};
inline constexpr Rule<double> factor_seconds_per_entry = {
    "seconds per entry of sparse factors beside the operations", 1.0e-8, "on the same host"};

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

}  // namespace tessera::rules
