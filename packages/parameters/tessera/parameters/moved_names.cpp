// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/moved_names.hpp"

namespace tessera::parameters {

namespace {

constexpr MovedKey all_keys[] = {
    {"smoother.omega", "smoother.jacobi.omega"},
    {"smoother.omega_over_radius", "smoother.jacobi.omega_over_radius"},
    {"smoother.degree", "smoother.chebyshev.degree"},
    {"smoother.eigenvalue_ratio", "smoother.chebyshev.eigenvalue_ratio"},
    {"solver.flexible", "solver.cg.flexible"},
    {"solver.restart", "solver.gmres.restart"},
    {"solver.damping", "solver.richardson.damping"},
    {"solver.stagnation_window", "solver.richardson.stagnation_window"}};

constexpr MovedValue all_values[] = {{"solver.tiles", "falling", "dynamic"}};

/// True where `key` is `end`, or ends in it behind a dot.
bool ends_in(std::string_view key, std::string_view end) {
  if (!key.ends_with(end)) return false;
  return key.size() == end.size() || key[key.size() - end.size() - 1] == '.';
}

}  // namespace

std::span<const MovedKey> moved_keys() { return all_keys; }

std::span<const MovedValue> moved_values() { return all_values; }

std::string moved_key(std::string_view key) {
  for (const MovedKey& moved : all_keys) {
    if (!ends_in(key, moved.before)) continue;
    key.remove_suffix(moved.before.size());
    return std::string(key) + std::string(moved.now);
  }
  return {};
}

std::vector<std::string> former_keys(const std::vector<std::string>& known) {
  std::vector<std::string> former;
  for (const std::string& key : known) {
    for (const MovedKey& moved : all_keys) {
      if (!ends_in(key, moved.now)) continue;
      former.push_back(key.substr(0, key.size() - moved.now.size()) + std::string(moved.before));
    }
  }
  return former;
}

std::string_view moved_value(std::string_view key, std::string_view value) {
  for (const MovedValue& moved : all_values) {
    if (ends_in(key, moved.key) && value == moved.before) return moved.now;
  }
  return {};
}

}  // namespace tessera::parameters
