// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which an algorithm is picked for a triangular solve.
#pragma once

#include "tessera/kernels/execution/rule.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::rules {

// What a solve takes on a device, by its levels: fitted to times on an H200
// (docs/notebook/one_kernel.md). What matters is their ratios.

inline constexpr Rule<double> sptrsv_launch_us = {"microseconds of a launch in a row of launches",
                                                  2.5, "fitted"};
inline constexpr Rule<double> sptrsv_block_level_us = {
    "microseconds of a block's barrier, with the way to the values of the level before", 0.55,
    "fitted"};
inline constexpr Rule<double> sptrsv_block_turn_us = {
    "microseconds of the rows that a block solves for at once", 0.2, "fitted"};
inline constexpr Rule<double> sptrsv_block_bytes_per_us = {
    "bytes per microsecond that one processor reads", 1.8e4, "fitted"};
inline constexpr Rule<double> sptrsv_counters_level_us = {
    "microseconds of a level by counters: values go from one processor to another", 0.9,
    "fitted; 0.8 to 1.1 were measured whatever the level's width"};
inline constexpr Rule<double> sptrsv_device_bytes_per_us = {
    "bytes per microsecond that the device reads", 2e6, "fitted"};

// Recursive blocks on a device.

inline constexpr Rule<Ordinal> rows_of_smallest_triangle = {
    "rows from which on a triangle is halved", 16384,
    "x of a smaller one fits into one processor's memory"};
inline constexpr Rule<int> max_chosen_recursion_depth = {
    "times that a triangle is halved without being asked to, at the most", 5,
    "chosen by reasoning: each doubles the launches"};
inline constexpr Rule<double> min_gain_by_recursion = {
    "estimate of the other algorithms, over the least that recursion may take, above which it is "
    "estimated, too",
    1.5,
    "chosen by reasoning: the estimate is a lower bound; measured, recursion took 1.5 to 16 times "
    "the fastest (docs/notebook/one_kernel.md)"};

// Levels.

inline constexpr Rule<std::int64_t> min_work_of_shared_level = {
    "rows and entries of a level from which on a host's threads share it", 4096,
    "chosen by reasoning: less takes no longer than the threads' barrier"};
inline constexpr Rule<Ordinal> mean_level_for_scans = {
    "mean rows of a level above which rows are ordered by a pass over all for each level", 4096,
    "chosen by reasoning: on a device such passes are quicker than the sorting of one level by one "
    "team"};
inline constexpr Rule<Ordinal> max_levels_for_scans_on_host = {
    "levels up to which a host does so", 2,
    "a host sorts by one pass, and two are no more than that"};

}  // namespace tessera::rules
