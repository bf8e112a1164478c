// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which `solver.single_kernel=auto` takes one launch for a whole solve, and a solve
/// counts as slow.
#pragma once

#include "tessera/kernels/execution/rule.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::rules {

// Solves in one kernel (docs/notebook/one_kernel.md).

inline constexpr Rule<std::size_t> single_kernel_entries = {
    "entries up to which one kernel does a whole solve", 3'600'000,
    "beyond, work outweighs launches (10^6 in Yang et al., Mille-feuille, SC'24, section III.C): "
    "on an H200 one launch of cg takes 0.6 of the time of graphs at 1.8 million entries, 0.8 and "
    "0.9 at 3.5 and 3.6, as long at 4.7, and 1.2 times as long at 6.9; bicgstab a little less"};
inline constexpr Rule<std::size_t> single_kernel_entries_on_tiles = {
    "the same on tiles (solver.tiles)", 1'800'000,
    "on an H200 cg takes 1.1 times as long as by graphs, with jacobi 0.9, on a matrix of 2.0 "
    "million entries, and larger ones were not measured"};
inline constexpr Rule<std::size_t> single_kernel_entries_with_amg = {
    "the same where the preconditioner is amg", 450'000,
    "on an H200 a solve of a 7-point stencil takes 0.63, 0.86, 0.86 and 0.92 of the time of one by "
    "graphs on 16^3, 24^3, 32^3 and 40^3 points (438,000 entries), and 1.15 and 1.7 times as long "
    "on 48^3 and 64^3"};
inline constexpr Rule<std::size_t> single_kernel_entries_with_ilu = {
    "the same where the preconditioner is ilu", 200'000,
    "on an H200 an iteration is 1.75 (cg, 67 matrices) and 1.94 times (bicgstab, 83) as fast as "
    "with cuSPARSE's SpSV so, by graphs alone 1.50 and 1.72, and 1.81 and 2.00 by the faster of "
    "the two on each; of more entries seven were measured"};
inline constexpr Rule<std::int64_t> single_kernel_levels_of_ilu = {
    "levels of rows that wait for each other, of L and U together, up to which that holds", 200,
    "a level takes one kernel longer than launches, and what is not of levels less"};
inline constexpr Rule<std::int64_t> single_kernel_longest_row = {
    "entries of the longest row up to which one kernel does a whole solve", 100'000,
    "it is the work of one block: with one of 10,000 entries (bloweybq) an iteration takes 9.2 us "
    "on an H200, and 33.7 by graphs; longer ones were not measured. On tiles, where a warp's is "
    "the "
    "most, it takes 486: rows that are uneven have no single kernel there, in cycles and in "
    "factors"};

// Solves that will take long.

inline constexpr Rule<int> iterations_before_estimate = {
    "iterations before further ones are estimated", 30,
    "chosen by reasoning: CG's first ones are its worst"};
inline constexpr Rule<int> iterations_of_estimate = {
    "last iterations whose mean rate the estimate goes by", 20,
    "chosen by reasoning: a rate jumps from one iteration to the next"};
inline constexpr Rule<int> iterations_before_early_look = {
    "the same where sparse factors are all that may follow", 10,
    "of 13 solves that are slow after 30 iterations 11 are so after 10, and so are three others, "
    "which factors solve in a quarter of the time (docs/notebook/real_matrices.md)"};
inline constexpr Rule<int> iterations_of_early_look = {
    "last iterations whose mean rate that look goes by", 6,
    "the same; by the last 10 three of these 11 begin too well"};
inline constexpr Rule<int> too_many_iterations = {
    "estimated further iterations above which a choice is changed", 200,
    "from here on a second setup, and the iterations lost with the Krylov space, are worth it"};
inline constexpr Rule<int> hopeless_per_iteration = {
    "further iterations that count, for each that was done, where the limit will come first", 500,
    "chosen by reasoning: such a solve ends with nothing, so that factors may take a hundred times "
    "as long and more; the longer they do, the longer it is waited for a better rate"};
inline constexpr Rule<int> many_iterations_of_few_rows = {
    "the same where sparse factors of up to max_rows_to_order rows would be sooner", 50,
    "to order them takes next to nothing: a 13-point biharmonic operator of 10,000 rows is solved "
    "after 31 iterations, of 102"};

}  // namespace tessera::rules
