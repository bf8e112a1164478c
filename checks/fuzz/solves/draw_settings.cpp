// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Settings drawn from the descriptions of the parameters, so that a new one is drawn as well.
#include "fuzz/solves/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace tessera::fuzz {

namespace {

using parameters::Parameter;
using parameters::ParameterList;
using parameters::ParameterTree;
using parameters::ParameterValue;

/// What a run may cost, in entries that are read: seconds, whatever the settings.
constexpr double budget = 1e8;

std::string_view last_name(std::string_view key) { return key.substr(key.rfind('.') + 1); }

/// What work an iteration grows by: the largest value of each of these, whatever section it is in.
double work_factor(const Settings& settings) {
  double factor = 1;
  for (const std::string_view name :
       {"sweeps", "degree", "coarse_sweeps", "fine_sweeps", "inner_sweeps"}) {
    double largest = 1;
    for (const auto& [key, value] : settings) {
      if (last_name(key) == name) largest = std::max(largest, std::stod(value));
    }
    factor *= largest;
  }
  return factor;
}

void replace(Settings& settings, const std::string& key, const std::string& value) {
  std::erase_if(settings, [&](const auto& s) { return s.first == key; });
  settings.insert(settings.begin(), {key, value});
}
void replace(Settings& settings, const std::string& key, double value) {
  replace(settings, key, std::to_string(static_cast<int>(value)));
}

double largest_row(const test::HostMatrix<double>& A) {
  std::int64_t longest = 1;
  for (std::int32_t i = 0; i < A.num_rows; ++i)
    longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
  return static_cast<double>(longest);
}

/// A coarsest level as large as it may be takes minutes to invert, and so do sweeps over long rows
/// by which incomplete factors are made.
void limit_setup(Case& drawn) {
  constexpr double most = 1000;
  const double of_sweep = static_cast<double>(drawn.A.num_entries()) * largest_row(drawn.A) + 1;
  for (auto& [key, value] : drawn.settings) {
    if (key.ends_with("ilu.sweeps") && std::stod(value) * of_sweep > budget)
      value = std::to_string(static_cast<int>(std::max(1.0, budget / of_sweep)));
  }
  const bool is_drawn =
      std::any_of(drawn.settings.begin(), drawn.settings.end(), [](const auto& setting) {
        const bool is_size =
            setting.first == "amg.coarse_size" || setting.first == "amg.max_dense_size";
        return is_size && std::stod(setting.second) > most;
      });
  if (is_drawn && drawn.A.num_rows > most) replace(drawn.settings, "amg.max_dense_size", most);
  // A cycle that visits each level twice for each visit of the one above doubles its work with
  // each, and levels that hardly shrink are many.
  constexpr double max_levels = 6;
  const bool branches =
      std::any_of(drawn.settings.begin(), drawn.settings.end(), [](const auto& setting) {
        return setting.first == "amg.cycle" && (setting.second == "w" || setting.second == "k");
      });
  const bool has_few =
      std::any_of(drawn.settings.begin(), drawn.settings.end(), [](const auto& setting) {
        return setting.first == "amg.max_levels" && std::stod(setting.second) <= max_levels;
      });
  if (branches && !has_few) replace(drawn.settings, "amg.max_levels", max_levels);
}

/// Iterations are limited so that no run is long that makes some progress in each.
void limit_iterations(Case& drawn) {
  double most = 1000, restart = 50;
  for (const auto& [key, value] : drawn.settings) {
    if (key == "solver.max_iterations") most = std::stod(value);
    if (key == "solver.gmres.restart") restart = std::stod(value);
  }
  const double asked = most;
  const double entries = 10.0 * drawn.A.num_rows + static_cast<double>(drawn.A.num_entries());
  const double columns = drawn.num_columns;
  const double affordable = budget / (columns * (entries * work_factor(drawn.settings) + 1));
  // Where a single one is too long, its sweeps are fewer.
  for (auto& [key, value] : drawn.settings) {
    if (affordable < 1 && (last_name(key) == "sweeps" || last_name(key) == "coarse_sweeps"))
      value = std::to_string(static_cast<int>(std::max(1.0, affordable * std::stod(value))));
  }
  most = std::min(most, affordable);
  most = std::min(most, budget / (columns * (drawn.A.num_rows * std::min(restart, most) + 1)));
  if (most == asked) return;
  replace(drawn.settings, "solver.max_iterations", std::max(1.0, most));
}

void draw_out_of_range(Draw& draw, const ParameterTree& tree, Case& drawn) {
  std::vector<Parameter> numbers;
  for (const Parameter& p : tree.parameters()) {
    if (p.highest > p.lowest && p.choices.empty()) numbers.push_back(p);
  }
  const Parameter& p = numbers[draw.below(static_cast<std::int32_t>(numbers.size()))];
  double value = 0;
  if (std::holds_alternative<int>(p.default_value)) {
    const bool may_exceed = p.highest < std::numeric_limits<int>::max();
    value = may_exceed && draw.chance(0.5) ? p.highest + 1 : p.lowest - 1;
  } else {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::array<double, 5> values{
        std::nextafter(p.lowest, -infinity), std::nextafter(p.highest, infinity),
        std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
    value = values[draw.below(5)];
  }
  drawn.out_of_range = {p.key, value};
}

double draw_number(Draw& draw, const Parameter& p, double usual) {
  const double low = p.lowest, high = p.highest;
  switch (draw.below(8)) {
    case 0:
      return low;
    case 1:
      return high;
    case 2:
      return draw.uniform(low, high);
    case 3: {
      const double least = std::max({low, high * 1e-16, 1e-300});
      return std::exp(draw.uniform(std::log(least), std::log(std::max(high, least))));
    }
    default:
      // 0 is for "none" or "pick", and other numbers are what such a parameter is there for.
      if (usual == 0 && draw.chance(0.5)) return draw.decades(2);
      return usual * std::exp2(draw.uniform(-3, 3));
  }
}

/// Multigrid of several levels by one coarsening and one smoother, with what belongs to these: of
/// all that there is, so much is rarely drawn at once.
void draw_multigrid(Draw& draw, const ParameterTree& tree, Settings& settings) {
  replace(settings, "preconditioner", "amg");
  if (draw.chance(0.8)) replace(settings, "amg.coarse_size", draw.size_up_to(60));
  for (const std::string_view choice : {"amg.coarsening", "amg.smoother.type"}) {
    const auto& all = tree.parameters();
    const auto p =
        std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.key == choice; });
    const std::string value = draw_value(draw, *p);
    replace(settings, p->key, value);
    const std::string section = p->key.substr(0, p->key.rfind('.') + 1) + value + ".";
    for (const Parameter& q : all) {
      if (q.key.starts_with(section) && draw.chance(0.4))
        replace(settings, q.key, draw_value(draw, q));
    }
  }
}

/// As many digits of the largest right-hand side, up to all of them.
void draw_absolute_tolerance(Draw& draw, Case& drawn) {
  double largest = 0;
  for (const double value : drawn.b)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  const double tolerance = std::min(1e300, largest * std::pow(10.0, draw.uniform(-16, 1)));
  replace(drawn.settings, "solver.absolute_tolerance",
          parameters::to_text(ParameterValue(tolerance)));
}

}  // namespace

std::string draw_value(Draw& draw, const Parameter& p) {
  if (!p.choices.empty())
    return p.choices[draw.below(static_cast<std::int32_t>(p.choices.size()))].name;
  if (std::holds_alternative<bool>(p.default_value)) return draw.chance(0.5) ? "true" : "false";
  if (const int* usual = std::get_if<int>(&p.default_value)) {
    const double number = std::round(draw_number(draw, p, *usual));
    return std::to_string(static_cast<int>(std::clamp(number, p.lowest, p.highest)));
  }
  const double number = draw_number(draw, p, std::get<double>(p.default_value));
  return parameters::to_text(ParameterValue(std::clamp(number, p.lowest, p.highest)));
}

void draw_settings(Draw& draw, Case& drawn) {
  // Defaults alone, few settings, many, or most of them.
  constexpr std::array<double, 5> shares{0, 0.03, 0.1, 0.3, 0.8};
  const double share = shares[draw.below(5)];
  SolveParameters aggregate;
  const ParameterTree tree(aggregate);
  for (const Parameter& p : tree.parameters()) {
    const bool decides = p.key == "preconditioner" || p.key == "solver.name";
    if (draw.chance(decides ? std::min(1.0, 10 * share) : share))
      drawn.settings.emplace_back(p.key, draw_value(draw, p));
  }
  for (const ParameterList& list : tree.lists()) {
    if (!draw.chance(share)) continue;
    const int size = draw.between(1, 3);
    for (int element = 0; element < size; ++element) {
      // One at least, for without any there is no such element.
      const int first = draw.below(static_cast<std::int32_t>(list.parameters.size()));
      for (std::size_t i = 0; i < list.parameters.size(); ++i) {
        const Parameter& p = list.parameters[i];
        if (static_cast<int>(i) == first || draw.chance(share / 2))
          drawn.settings.emplace_back(list.key_of(element, p.key), draw_value(draw, p));
      }
    }
  }
  if (draw.chance(0.3)) draw_multigrid(draw, tree, drawn.settings);
  if (draw.chance(0.1)) draw_absolute_tolerance(draw, drawn);
  limit_setup(drawn);
  limit_iterations(drawn);
  if (draw.chance(0.02)) draw_out_of_range(draw, tree, drawn);
}

SolveParameters parameters_of(const Case& drawn) {
  SolveParameters result;
  ParameterTree tree(result);
  for (const auto& [key, value] : drawn.settings)
    tree.set_text(key, value, "-p " + key + "=" + value);
  for (const Parameter& p : tree.parameters()) {
    if (!drawn.out_of_range || p.key != drawn.out_of_range->first) continue;
    const double number = drawn.out_of_range->second;
    const bool is_whole = std::holds_alternative<int>(p.default_value);
    p.set(is_whole ? ParameterValue(static_cast<int>(number)) : ParameterValue(number));
  }
  return result;
}

std::string to_text(const Case& drawn) {
  std::string text;
  for (const auto& [key, value] : drawn.settings) {
    text += " -p ";
    text += key + "=" + value;
  }
  if (drawn.out_of_range)
    text += fmt::format(", and out of its range {}={}", drawn.out_of_range->first,
                        drawn.out_of_range->second);
  return text;
}

}  // namespace tessera::fuzz
