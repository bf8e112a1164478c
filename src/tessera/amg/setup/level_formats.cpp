// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_formats.hpp"

#include "tessera/amg/setup/level_choices.hpp"

#include <algorithm>

namespace tessera::amg {

std::string format_setting(const Parameters& p, int level, const std::string& matrix) {
  if (p.choose_level) return "amg.choose_level: " + matrix + ".format";
  if (p.levels.empty()) return "amg.storage.format";
  const auto last = static_cast<int>(p.levels.size()) - 1;
  const std::string listed =
      "amg.levels." + std::to_string(std::min(level, last)) + '.' + matrix + ".format";
  const LevelParameters chosen = listed_choice(p, level);
  const StorageParameters& storage = matrix == "A" ? chosen.A : matrix == "P" ? chosen.P : chosen.R;
  // An element of the list begins with what holds for all levels.
  return storage.format == p.storage.format ? listed + " or amg.storage.format" : listed;
}

}  // namespace tessera::amg
