// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is told of levels and of the whole.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/smoother/parameters.hpp"

namespace tessera::amg {

/// Sizes, storage and smoother of a level. Times and names of what made the next one are left open.
template <class Scalar, class Space>
LevelInfo level_info(const Level<Scalar, Space>& level, const SmootherParameters& smoother);

/// Operator, grid and memory complexity from the levels' sizes.
void sum_complexities(HierarchyInfo& info);

}  // namespace tessera::amg
