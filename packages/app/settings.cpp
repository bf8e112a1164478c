// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/settings.hpp"

#include <fmt/format.h>

#include "app/exit_code.hpp"
#include "tessera/parameters/json.hpp"

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

}  // namespace tessera::app
