// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What each kind of smoother needs of its level.
#pragma once

#include "tessera/smoother/parameters.hpp"

#include <string_view>

namespace tessera {

struct SmootherNeeds {
  bool spectral_radius = false;  ///< that of D^-1 A
  bool entries = false;  ///< A's in compressed rows, while it is made
  /// It reads an iterate by the entries of a square matrix. Over several processes it is made for
  /// each one's own block, and takes others' unknowns from the iterate before. One that reads
  /// vectors by the products of its operator alone, and entries by whole rows, relaxes all rows as
  /// on one process.
  bool square_matrix = false;
};

/// Of the relaxation that `p` names; of `auto`, what any of those needs that it may become.
SmootherNeeds smoother_needs(const SmootherParameters& p);

/// As in the parameters.
std::string_view smoother_name(SmootherType type);

}  // namespace tessera
