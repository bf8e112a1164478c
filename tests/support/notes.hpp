// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup noted.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"

#include <algorithm>
#include <string>

namespace tessera::test {

/// Whether one of the notes holds `text`.
inline bool noted(const HierarchyInfo& info, const std::string& text) {
  return std::ranges::any_of(
      info.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace tessera::test
