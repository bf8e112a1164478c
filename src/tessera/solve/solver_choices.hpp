// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is chosen for a system, with notes on it.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/solve/parameters.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::detail {

/// Filled in by the steps of a setup, one after another, and changed by fallbacks.
struct SolverChoices {
  SolveParameters effective;  ///< with every open choice filled in
  std::vector<std::string> notes;  ///< why the choices are as they are
  HierarchyInfo info;  ///< with the notes before its own

  /// Adds to what is said of the solver, unless that is said already.
  void note_once(const std::string& note) {
    auto& known = info.notes;
    if (std::find(known.begin(), known.end(), note) == known.end()) known.push_back(note);
  }
  /// Says of a new hierarchy why it is as it is.
  void show_notes() { info.notes.insert(info.notes.begin(), notes.begin(), notes.end()); }
};

}  // namespace tessera::detail
