// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/exit_code.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

void check_settings(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("-p {}: expected key=value, in one word", setting));
    }
  }
}

void set_parameters(parameters::ParameterTree& tree, const std::string& config,
                    const std::vector<std::string>& settings) {
  if (!config.empty()) {
    parameters::set_from_json_file(tree, config);
  }
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    tree.set_text(setting.substr(0, equals), setting.substr(equals + 1), "-p " + setting);
  }
}

namespace {

/// Throws unless the problem looks at the parameter: ignored, it would pass for understood.
void check_belongs(const std::string& key, ProblemKind problem) {
  std::vector<std::string> own;
  for (const std::string_view name : parameter_names(problem)) {
    if (name == key) return;
    own.push_back(option_name(name));
  }
  throw UsageError(fmt::format("{}: {} has no such option; its own: {}", option_name(key),
                               to_string(problem), parameters::join_names(own)));
}

}  // namespace

std::string shell_line(const std::vector<std::string>& words) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=./,:+@%";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word)
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string option_name(std::string_view key) {
  std::string option = "--";
  option += key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

GalleryParameters gallery_parameters(const GalleryChoice& choice) {
  GalleryParameters parameters;
  parameters::ParameterTree tree(parameters, option_name);
  try {
    tree.set_text("problem", choice.name, "gallery");
    for (const auto& [key, text] : choice.settings) {
      check_belongs(key, parameters.problem);
      tree.set_text(key, text, "gallery");
    }
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return parameters;
}

}  // namespace tessera::app
