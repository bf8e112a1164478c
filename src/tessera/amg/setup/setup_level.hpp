// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What setup keeps of each level, and of all.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/level_parameters.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/finest_extras.hpp"
#include "tessera/amg/setup/level_storage.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::amg {

/// Notes on a level's choices that could not be had, and of remedies, by what makes
/// it again.
struct LevelNotes {
  std::vector<std::string> products;
  std::vector<std::string> A;
  std::vector<std::string> smoother;
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

/// What setup makes the levels of a `Hierarchy<Scalar, Space>` from and, where it `keeps_pattern`,
/// what their new values are made with.
template <class Scalar, class Space, class Offset>
struct HierarchySetup {
  using SetupLevel = amg::SetupLevel<Scalar, Space, Offset>;
  /// Of the levels in float below those in double.
  using Tail = HierarchySetup<float, Space, Offset>;

  HierarchySetup(const Parameters& p, bool keeps) : parameters(p), keeps_pattern(keeps) {}

  Parameters parameters;
  bool keeps_pattern;
  bool symmetric = false;  ///< the operators are, by the parameters or by what was found
  std::size_t finest_entries = 0;  ///< of the whole's finest operator
  std::size_t entries_so_far = 0;  ///< of the whole's operators down to the last of `levels`
  int first_level = 0;  ///< the number of the first of `levels` in the whole
  std::optional<LevelParameters> first_choice;  ///< for that level, where it is made already
  std::vector<int> nullspace;  ///< near-nullspace vectors of which the finest operator makes zero
  /// Without `keeps_pattern` all but the last have nothing left of use for new values alone.
  std::vector<SetupLevel> levels;
  std::unique_ptr<Tail> tail;
  MultiVector<Scalar, Space> coarsest_near_nullspace;
  /// Puts the finest matrix's values into an array; empty where they change in place.
  ValueWriter<Scalar, Space> write_values = {};
};

}  // namespace tessera::amg
