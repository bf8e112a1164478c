// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which the implementation of a sparse product is picked.
#pragma once

#include "tessera/kernels/execution/rule.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::rules {

// Rows that repeat the pattern of the row before (docs/notebook/products.md).

inline constexpr Rule<Ordinal> min_rows_with_runs = {
    "rows from which on runs of rows are looked for on a device", 100000,
    "chosen by reasoning: the launches of doing so cost more than a smaller product"};
inline constexpr Rule<Ordinal> min_rows_per_run = {
    "mean rows of a run from which on runs are multiplied side by side", 3,
    "chosen by reasoning: only the first row of a run goes through a hash table"};
inline constexpr Rule<double> min_share_of_sample_in_runs = {
    "share of sampled rows that repeat another from which on all rows are looked at", 0.6,
    "chosen by reasoning: in runs of three rows two thirds repeat another, and a sample may show "
    "fewer"};

}  // namespace tessera::rules
