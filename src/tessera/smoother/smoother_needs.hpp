// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What each kind of smoother needs of its level.
#pragma once

#include "tessera/smoother/parameters.hpp"

#include <string>
#include <string_view>

namespace tessera {

struct SmootherNeeds {
  bool spectral_radius = false;  ///< that of D^-1 A
  bool entries = false;  ///< A's in compressed rows, while it is made
  /// Why it cannot relax rows that are distributed over processes; empty where it can: it reads
  /// vectors by the products of its operator alone then, and entries by whole rows.
  std::string_view obstacle_to_distribution{};
};

/// Of the relaxation that `p` names; of `auto`, what any of those needs that it may become.
SmootherNeeds smoother_needs(const SmootherParameters& p);

/// As in the parameters.
std::string_view smoother_name(SmootherType type);

/// The names of those that distributed rows can be relaxed by, with commas and an "or".
std::string distributed_smoother_names();

}  // namespace tessera
