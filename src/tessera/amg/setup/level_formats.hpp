// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which setting asked for the format, or the scalar, that a level's matrix is stored in.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/matrix/unsuited_format.hpp"

#include <string>

namespace tessera::amg {

/// By its key where parameters name it: the "format" or "scalar" of "A", "P" or "R" of the level of
/// that number.
std::string storage_setting(const Parameters& p, int level, const std::string& matrix,
                            const std::string& member);

/// What `store` returns, a level's "A", "P" or "R", or what is stored as one of these. Where that
/// cannot be in the format that was asked for, the error names the setting and the level.
template <class Store>
auto stored_as_set(const Parameters& p, int level, const std::string& matrix, const Store& store) {
  try {
    return store();
  } catch (const UnsuitedFormat& error) {
    throw error.of(storage_setting(p, level, matrix, "format"),
                   matrix + " of level " + std::to_string(level));
  }
}

}  // namespace tessera::amg
