// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rates by which the time that sparse factors take is estimated, and what is a thread's task.
#pragma once

#include "tessera/kernels/execution/rule.hpp"

namespace tessera::rules {

// The time that they take.

inline constexpr Rule<double> cholesky_flops_per_second = {
    "operations per second of sparse Cholesky factors", 2.5e9,
    "multifrontal panels, measured on a Xeon at 2.x GHz without wide vectors"};
inline constexpr Rule<double> lu_flops_per_second = {"operations per second of sparse LU factors",
                                                     0.5e9, "KLU's scalar loops on the same host"};
inline constexpr Rule<double> factor_seconds_per_entry = {
    "seconds per entry of sparse factors beside the operations", 1.0e-8, "on the same host"};

// Subtrees of supernodes that threads factor side by side.

inline constexpr Rule<double> min_share_per_task = {
    "share of all operations from which on a subtree is a task of its own", 1.0 / 32,
    "chosen by reasoning: tasks enough for the threads of a host, and depending on the matrix "
    "alone"};
inline constexpr Rule<double> min_flops_per_task = {
    "operations from which on it is", 1e6,
    "chosen by reasoning: 0.4 ms by cholesky_flops_per_second, which outweighs the handing over of "
    "a "
    "task"};

}  // namespace tessera::rules
