// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/exit_code.hpp"
#include "frontend/gallery_settings.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/words.hpp"

namespace tessera::app {

void check_settings(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    if (!parameters::split_word(setting)) {
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
    if (const auto word = parameters::split_word(setting))
      tree.set_text(word->key, word->value, "-p " + setting);
  }
}

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
  try {
    return frontend::gallery_parameters(choice.name, choice.settings, option_name);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace tessera::app
