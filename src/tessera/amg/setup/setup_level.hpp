// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A level while its hierarchy is built, and when it gets new values.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/level_parameters.hpp"
#include "tessera/amg/setup/level_storage.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::amg {

/// Notes on a level's choices that could not be had, and of remedies, by what makes
/// it again.
struct LevelNotes {
  std::vector<std::string> products;
  std::vector<std::string> A;
  std::vector<std::string> connection;  ///< of P and R
};

/// A level as setup has it, and the way from it to the next.
template <class Scalar, class Space, class Offset>
struct SetupLevel {
  FineLevel<Scalar, Space, Offset> fine;
  LevelStorage<Scalar, Space, Offset> storage = {};
  LevelParameters asked = {};  ///< `chosen` before open storage was picked by the values
  LevelParameters chosen = {};
  /// The near-nullspace on this level, which new values leave as it is; kept for another pick.
  MultiVector<Scalar, Space> near_nullspace = {};
  std::unique_ptr<Coarsening<Scalar, Space, Offset>> coarsening = {};
  std::string coarsening_name = {};  ///< as parameters name it
  CoarseLevel<Scalar, Space, Offset> coarse = {};
  LevelNotes notes = {};
};

}  // namespace tessera::amg
