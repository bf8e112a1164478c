// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters and values that once had another name. An old one is an error that names the new one,
/// whatever it comes in by.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::parameters {

/// A parameter whose key ended in `before`, from a dot or the beginning on, and ends in `now`:
/// "smoother.degree" is that of "amg.smoother.degree" and of "amg.levels.3.smoother.degree".
struct MovedKey {
  std::string_view before;
  std::string_view now;
};

/// A value of the parameter whose key ends in `key`.
struct MovedValue {
  std::string_view key;
  std::string_view before;
  std::string_view now;
};

std::span<const MovedKey> moved_keys();
std::span<const MovedValue> moved_values();

/// The whole key that what was `key` has now; empty where it has not moved.
std::string moved_key(std::string_view key);

/// The keys that those of `known` once had, for a hint to who misspells one.
std::vector<std::string> former_keys(const std::vector<std::string>& known);

/// What `value` of the parameter is called now; empty where it has kept its name.
std::string_view moved_value(std::string_view key, std::string_view value);

}  // namespace tessera::parameters
