// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The known name nearest to what a user typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::parameters {

/// Edits (insert, delete, substitute, swap of neighbours) that turn one word into the other: the
/// optimal string alignment distance. Upper and lower case are the same letter.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name to suggest for `name`: one that ends in ".name", else one with further sections
/// between its parts ("amg.pairwise.passes" for "amg.passes"), else the shortest of those that it
/// abbreviates ("solver.tolerance" for "solver.tol" or "tol"), else the one with the fewest edits.
/// Empty where nothing is near: more than a third of the letters would change.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "; did you mean 'x'?" for the nearest name, or an empty string.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// "a, b, c".
std::string join_names(const std::vector<std::string>& names);

}  // namespace tessera::parameters
