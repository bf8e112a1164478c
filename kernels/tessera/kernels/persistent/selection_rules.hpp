// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which a solve in one kernel is shared out among workers
/// (docs/notebook/one_kernel.md).
#pragma once

#include "tessera/kernels/execution/rule.hpp"

#include <cstddef>

namespace tessera::rules {

// Workers of a solve on a device. An item is a lane of a row.

inline constexpr Rule<std::size_t> items_of_one_block = {
    "items up to which one block does a whole solve, if its shared memory holds it", 2048,
    "lanes that synchronize in a block have 0.1 us to wait, blocks of a cluster some 1.3, of a "
    "grid twice that (docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> items_of_cluster = {
    "items up to which the blocks of one cluster do", 20000,
    "beyond, blocks on all processors gain more by their number than they lose by slower barriers: "
    "on an H200 8.1 -> 5.0 us per iteration of 5-point 64^2, 9.3 -> 7.5 of 128^2, but 9.7 -> 16.8 "
    "at 32^3 (docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> blocks_of_cluster = {
    "blocks of that cluster", 12,
    "16 are the most, and lost: an iteration takes less time with 12 "
    "(docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> items_of_holding_cluster = {
    "items up to which a cluster's lanes hold entries in registers", 6144,
    "two rows for each of 256 lanes of 12 blocks: on an H200 an iteration takes 5.0 us so for 5.7 "
    "at 4,096 items, and 8.6 for 7.4 at 16,384, of which half as many lanes have twice the rows "
    "(docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> entries_of_clustered_row = {
    "entries of a row of average length up to which so few of a cluster's lanes share a row that "
    "all of them hold entries",
    32,
    "beyond, as many lanes share a row as have four of its entries each: on an H200 an iteration "
    "of 27-point 16^3 takes 6.7 us for 8.6 with a lane per row, and 5.7 for 6.7 of 12^3 with two "
    "(docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> items_of_windowed_cluster = {
    "items up to which a cluster's lanes that hold no entries read windows of columns", 0,
    "on an H200 the window lost 1.05 to 1.1 times on 5-point 128^2 and 7-point 24^3; 20000 would "
    "be every cluster (docs/notebook/one_kernel.md)"};
inline constexpr Rule<std::size_t> items_per_block = {
    "items per block of a grid, up to one block per processor", 128,
    "chosen by reasoning: a barrier takes longer among more blocks"};

// Steps of a cycle within a solve.

inline constexpr Rule<std::size_t> one_block_entries = {
    "entries of a step up to which one block runs it while the others wait", 8192,
    "chosen by reasoning: reading them by one multiprocessor takes less time than the barrier that "
    "it saves"};

// Factors within a solve, in microseconds on an H200, where no level is a launch of its own: fitted
// to grids of which a level has 20 to 130 rows (docs/notebook/one_kernel.md).

inline constexpr Rule<double> inside_block_level_us = {"microseconds of a level by one block", 0.5,
                                                       "fitted"};
inline constexpr Rule<double> inside_block_lane_us = {
    "microseconds for each lane that has a part of a row of the level", 0.016, "fitted"};
inline constexpr Rule<double> inside_barrier_us = {
    "microseconds of the barrier that follows a block's solves", 1.5, "fitted"};
inline constexpr Rule<double> inside_level_of_all_us = {"microseconds of a level by all blocks",
                                                        1.05, "fitted; 0.95 to 1.25 were measured"};

}  // namespace tessera::rules
