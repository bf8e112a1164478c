// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values by which the nodes of a graph are grouped as those of a numbered box
/// (amg.smoothed_aggregation.aggregation=auto).
#pragma once

#include "tessera/kernels/execution/rule.hpp"

#include <cstdint>

namespace tessera::rules {

// Boxes or MIS(2).

inline constexpr Rule<double> stray_part = {
    "part of a direction's pairs whose connections may be missing on planes that are connected, or "
    "exist on others, in a box",
    0.05,
    "chosen by reasoning: a slit or some scattered faces leave a box what it is "
    "(docs/guide/smoothed_aggregation.md), and max_cut_pairs counts what they cut"};
inline constexpr Rule<std::int64_t> max_cut_pairs = {
    "pairs of points of one aggregate that missing connections may cut apart in a box", 8,
    "a line of them costs iterations that grow with its length; a few cost none"};

}  // namespace tessera::rules
