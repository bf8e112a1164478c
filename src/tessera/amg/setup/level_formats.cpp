// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_formats.hpp"

#include "tessera/amg/setup/level_choices.hpp"

#include <algorithm>

namespace tessera::amg {

std::string storage_setting(const Parameters& p, int level, const std::string& matrix,
                            const std::string& member) {
  if (p.choose_level) return "amg.choose_level: " + matrix + '.' + member;
  if (p.levels.empty()) return "amg.storage." + member;
  const auto last = static_cast<int>(p.levels.size()) - 1;
  const std::string listed =
      "amg.levels." + std::to_string(std::min(level, last)) + '.' + matrix + '.' + member;
  const LevelParameters chosen = listed_choice(p, level);
  const StorageParameters& storage = matrix == "A" ? chosen.A : matrix == "P" ? chosen.P : chosen.R;
  // An element of the list begins with what holds for all levels.
  const bool is_that_of_all =
      member == "format" ? storage.format == p.storage.format : storage.scalar == p.storage.scalar;
  return is_that_of_all ? listed + " or amg.storage." + member : listed;
}

}  // namespace tessera::amg
