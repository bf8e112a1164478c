// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/message_cost.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::distributed {

double seconds_of_cycle(const LevelLoad& level, const MessageCost& messages, std::int64_t kept,
                        std::int64_t workers, double bytes_per_second) {
  const double before = level.processes;
  const auto now = static_cast<double>(kept);
  const double joined = before / now;  // processes whose rows one has
  const double busy = std::min(now, static_cast<double>(std::max<std::int64_t>(workers, 1)));
  const double read = (bytes_per_entry * level.entries + bytes_per_row * level.rows) / busy;
  const double product = read / bytes_per_second;
  // A larger piece has a smaller part of its rows at its surface, as in space.
  const double ghosts = kept == 1 ? 0 : level.ghosts * std::pow(joined, 2.0 / 3.0);
  const double neighbours = std::min(level.neighbours, now - 1);
  const double message = neighbours * messages.latency_s;
  const double sent = 8 * ghosts * messages.seconds_per_byte;
  // R's result to those who keep it, and P's from there.
  const double moved = 8 * level.rows * (1 / now - 1 / before) * messages.seconds_per_byte;
  return products_per_cycle * (product + message + sent) + 2 * moved;
}

std::int64_t processes_worth(const LevelLoad& level, const MessageCost& messages,
                             std::int64_t workers, double bytes_per_second) {
  std::int64_t best = 1;
  double least = seconds_of_cycle(level, messages, 1, workers, bytes_per_second);
  for (std::int64_t kept = 2; kept <= level.processes; ++kept) {
    const double seconds = seconds_of_cycle(level, messages, kept, workers, bytes_per_second);
    if (seconds < least) {
      least = seconds;
      best = kept;
    }
  }
  return best;
}

}  // namespace tessera::distributed
