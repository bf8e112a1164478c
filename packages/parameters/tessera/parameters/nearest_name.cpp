// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tessera::parameters {

namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Cuts the first part off a dotted name.
std::string_view take_part(std::string_view& name) {
  const std::string_view part = name.substr(0, name.find('.'));
  name.remove_prefix(std::min(name.size(), part.size() + 1));
  return part;
}

/// Whether the known name is `name` with further sections put in. A list's element is none: what
/// is meant for all of them is not meant for the first.
bool is_with_sections(std::string_view name, std::string_view known) {
  std::string_view part = take_part(name);
  while (!known.empty()) {
    const std::string_view other = take_part(known);
    if (other == part && name.empty() == known.empty()) {
      if (name.empty()) return true;
      part = take_part(name);
    } else if (other.find_first_not_of("0123456789") == std::string_view::npos) {
      return false;
    }
  }
  return false;
}

constexpr std::size_t shortest_abbreviation = 3;  ///< letters; fewer begin too many names

bool begins_with(std::string_view word, std::string_view beginning) {
  return word.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), word.begin(), same_letter);
}

/// Whether each part of `name` is the beginning of the same part of the known name.
bool is_abbreviation(std::string_view name, std::string_view known) {
  if (name.size() - std::min(name.size(), name.find_first_not_of('-')) < shortest_abbreviation)
    return false;
  while (!name.empty() && !known.empty()) {
    const std::string_view part = take_part(name);
    if (part.empty() || !begins_with(take_part(known), part)) return false;
  }
  return name.empty() && known.empty();
}

/// Whether `name` is the beginning of the known name's last part, its sections left out.
bool abbreviates_last_part(std::string_view name, std::string_view known) {
  return is_abbreviation(name, known.substr(known.rfind('.') + 1));
}

/// The shortest known name that fits, and the first of these; empty where none does.
template <class Fits>
std::string shortest_that(const std::vector<std::string>& known, const Fits& fits) {
  std::string shortest;
  for (const std::string& candidate : known) {
    if (fits(candidate) && (shortest.empty() || candidate.size() < shortest.size()))
      shortest = candidate;
  }
  return shortest;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the dynamic programme: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = previous[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      current[j] = std::min({substitute, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string suffix(".");
  suffix += name;
  std::string with_sections;
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.ends_with(suffix)) return candidate;
    if (with_sections.empty() && is_with_sections(name, candidate)) with_sections = candidate;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  if (!with_sections.empty()) return with_sections;
  std::string abbreviated =
      shortest_that(known, [&](const std::string& other) { return is_abbreviation(name, other); });
  if (!abbreviated.empty()) return abbreviated;
  if (!best.empty()) return best;
  abbreviated = shortest_that(
      known, [&](const std::string& other) { return abbreviates_last_part(name, other); });
  if (!abbreviated.empty()) return abbreviated;
  // A last part that is misspelt, without its section: "tolerence" for "solver.tolerance".
  for (const std::string& candidate : known) {
    const std::size_t dot = candidate.rfind('.');
    if (dot == std::string::npos) continue;
    const std::size_t distance = edit_distance(name, std::string_view(candidate).substr(dot + 1));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

std::string join_names(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) {
    if (!joined.empty()) joined += ", ";
    joined += name;
  }
  return joined;
}

}  // namespace tessera::parameters
