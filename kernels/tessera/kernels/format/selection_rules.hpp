// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which a format is picked for a matrix, and how many lanes pass over its rows.
#pragma once

#include "tessera/kernels/execution/rule.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::rules {

// Formats by their bytes (amg.storage.format=least_bytes).

inline constexpr Rule<double> max_ell_padding = {
    "slots without an entry over entries, up to which ELL is considered", 0.1,
    "from rows of three entries on, a tenth costs more bytes than the missing offsets save"};
inline constexpr Rule<double> min_dense_entries_per_tile = {
    "entries per tile from which on mBSR holds all 16 places", 14,
    "at most an eighth of the values is read for nothing, and no map is decoded"};
inline constexpr Rule<double> min_saving_on_device = {
    "share of CSR's bytes that another format must save on a device", 0.05,
    "chosen by reasoning: less does not pay for the conversion within the products of one solve; a "
    "conversion moves the bytes of some ten products, a solve makes about a hundred"};
inline constexpr Rule<double> min_saving_on_host = {
    "share of CSR's bytes that another format must save on a host", 0.15,
    "on an EPYC with two threads packed tiles of grids and of blocks, which save 17 to 27 % of the "
    "bytes, save 3 to 25 % of the time; tiles in no order that save as much take 10 to 20 % "
    "longer, and a conversion takes the time of some ten products"};
inline constexpr Rule<double> min_saving_if_small = {
    "share of CSR's bytes that another format must save for a small matrix", 0.3,
    "bytes count for less there, and the kernel with the least to decode wins"};
inline constexpr Rule<double> small_caches = {
    "bytes of CSR over those of a device's last cache up to which a matrix is small", 3,
    "on an H200 9-point 1024^2 (134 MB) takes 0.036 ms in CSR and 0.039 in tiles, 7-point 128^3 "
    "(218 MB) 0.054 in both"};
inline constexpr Rule<std::size_t> cache_bytes_on_device = {
    "bytes of a device's last cache, where nobody gives them", 50'000'000,
    "the second level of an H100 or H200"};
inline constexpr Rule<std::size_t> cache_bytes_on_host = {
    "bytes of a host's last cache, where nobody gives them", 16'000'000,
    "chosen by reasoning: a third level that a few cores share"};

// Rows that hold up a kernel with a fixed number of threads per row: both figures must be passed.

inline constexpr Rule<std::int64_t> longest_even_row = {
    "entries of the longest row up to which rows are even", 256,
    "a row that is both long and much longer than the mean holds up its team: the Ginkgo thesis "
    "decides by the same two figures, section 4.1.1"};
inline constexpr Rule<double> longest_even_row_over_mean = {
    "longest over mean row, or tile row, up to which they are even", 16, "see longest_even_row"};
inline constexpr Rule<std::int64_t> longest_even_tile_row = {
    "tiles of the longest tile row up to which tile rows are even", 64,
    "a quarter of longest_even_row: a quarter of the tiles takes as long as the entries"};

// Passes over rows.

inline constexpr Rule<double> min_entries_for_lanes = {
    "mean entries per row from which on several lanes share a row", 6,
    "shorter rows of a warp's threads lie side by side: strength of a 5-point 1024^2 takes 0.5 ms "
    "on an H200, by four lanes 0.8 (docs/notebook/setup.md)"};

}  // namespace tessera::rules
