// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which a kernel is picked for products, and how its lanes share rows.
#pragma once

#include "tessera/kernels/execution/rule.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::rules {

// Compressed rows by the classical kernel.

inline constexpr Rule<double> classical_entries_per_lane = {
    "mean entries per row, over its lanes, above which twice as many lanes share a row", 2.5,
    "about two entries for a lane: shorter strides waste lanes, longer ones lose coalescing (hypre "
    "paper, section 2)"};

// Compressed rows by the staged kernel.

inline constexpr Rule<double> staged_part_bytes = {
    "bytes of a warp's part above which more lanes share a row", 4200,
    "leaves an SM room for some 50 warps' parts; parts of 4 kB and what goes with them: 35.2 -> "
    "34.8 ms on 7-point 256^3 (docs/notebook/iterations.md)"};
inline constexpr Rule<double> min_staged_parts = {
    "warps' parts below which more lanes share a row", 2048,
    "every SM is to have work: some 16 parts for each of an H200's 132 "
    "(docs/notebook/products.md)"};
inline constexpr Rule<double> min_entries_per_staged_lane = {
    "mean entries that are left to a lane where a wide or a small matrix gets more lanes", 4,
    "chosen by reasoning: as many loads are in flight per lane"};
inline constexpr Rule<double> wide_columns_over_rows = {
    "columns over rows above which a matrix is wide", 2,
    "rows of restrictions read runs of x that lie far from their neighbours': lanes side by side "
    "read one run, which with more loads in flight took 7.2 -> 6.4 ms per solve of 7-point 128^3 "
    "(docs/notebook/iterations.md)"};
inline constexpr Rule<double> longest_row_of_two_per_lane = {
    "mean entries per row up to which a lane takes two rows", 4.5,
    "a warp's copies would be of a few hundred bytes (docs/notebook/products.md)"};
inline constexpr Rule<double> min_parts_of_two_per_lane = {
    "parts of two rows per lane above which it does", 16384,
    "there must be parts enough for every SM all the same (docs/notebook/products.md)"};

// The same where columns come from patterns (docs/notebook/iterations.md).

inline constexpr Rule<Ordinal> min_rows_for_patterns = {
    "rows from which on column patterns are looked for", 10000,
    "chosen by reasoning: launches outweigh a smaller product"};
inline constexpr Rule<double> shortest_mean_for_patterns = {
    "mean entries per row from which on they are", 2,
    "chosen by reasoning: the columns that need not be read must be more than the byte per row "
    "and the patterns that are read in their place"};
inline constexpr Rule<double> longest_mean_for_patterns = {
    "mean entries per row up to which they are", 96,
    "chosen by reasoning: a pattern's row has 128 entries at the most"};
inline constexpr Rule<Ordinal> rows_per_missed_pattern = {
    "rows over those without a pattern, down to which patterns are used", 32,
    "chosen by reasoning: at most a lane of a warp reads its columns"};
inline constexpr Rule<double> pattern_part_bytes = {
    "bytes of a warp's part above which more lanes share a row, of values in 4 bytes", 5500,
    "parts hold values alone; of 8 bytes they have the lanes that they have with their columns "
    "(docs/notebook/iterations.md)"};
inline constexpr Rule<double> min_pattern_part_bytes = {
    "bytes of a warp's part below which a lane takes twice as many rows", 1200,
    "chosen by reasoning: copies of a few hundred bytes wait for their latency"};
inline constexpr Rule<double> min_parts_of_patterns = {
    "parts, with twice as many rows per lane, above which it does", 8192,
    "there must be parts enough for every SM all the same"};

// Tiles.

inline constexpr Rule<double> staged_tile_part_bytes = {
    "bytes of a warp's part of tiles above which more lanes share a tile row", 8400,
    "leaves an SM room for some 27 warps' parts: with fewer it waits for x "
    "(docs/notebook/products.md)"};
inline constexpr Rule<Ordinal> min_staged_tile_parts = {
    "warps' parts of tiles below which more lanes share a tile row", 2048, "see min_staged_parts"};
inline constexpr Rule<double> min_tiles_for_tensor_cores = {
    "mean tiles per tile row from which on tensor cores serve several vectors", 16,
    "with 7 they take 1.2 times as long as lanes for eight vectors, with 26 half as long "
    "(docs/notebook/products.md)"};
inline constexpr Rule<int> min_vectors_for_tensor_cores = {
    "vectors from which on they do", 5,
    "with four and fewer the plain kernel has a pass of less work (docs/notebook/products.md)"};

// ELL.

inline constexpr Rule<int> min_slots_per_ell_lane = {
    "slots of a row that are left to a lane where several share it", 2,
    "chosen by reasoning: as many lanes as fill the device once, and leave each a few slots"};

}  // namespace tessera::rules
