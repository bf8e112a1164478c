// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How many processes a level is worth, by what its messages and its rows cost.
#pragma once

#include <cstdint>

namespace tessera::distributed {

/// What a message takes: a time by itself, and one for each byte in it.
struct MessageCost {
  double latency_s = 0;
  double seconds_per_byte = 0;
};

/// A level as the processes have it before it moves; messages and ghosts of those with the most.
struct LevelLoad {
  double rows = 0;  ///< of all processes
  double entries = 0;
  int processes = 1;  ///< that have rows
  double neighbours = 0;  ///< messages of a product
  double ghosts = 0;  ///< others' unknowns in a product
};

/// Products with the matrix, and as many exchanges, in a level's part of a cycle: two smoothers by
/// Chebyshev polynomials of degree 3, the first from zero, and a residual.
inline constexpr double products_per_cycle = 6;
/// An entry of a matrix in double and its column.
inline constexpr double bytes_per_entry = 12;
/// Of an entry's row: x, b and the result once, and an offset.
inline constexpr double bytes_per_row = 32;
/// What a core of a server reads from memory while others do, too.
inline constexpr double bytes_per_second_of_host = 8e9;
/// What a data centre's GPU reads from its memory.
inline constexpr double bytes_per_second_of_device = 2e12;

/// Seconds of the level's part of a cycle on `kept` processes. `workers`: memories behind all
/// processes, such as devices; more processes than these are not faster. Fewer processes have
/// fewer neighbours and larger pieces, and vectors go there and back. The messages of that way are
/// not counted: in the end all levels go to one process, on whichever level they begin to.
double seconds_of_cycle(const LevelLoad& level, const MessageCost& messages, std::int64_t kept,
                        std::int64_t workers, double bytes_per_second);

/// The number of processes with the least of these times, the least number where several have it.
std::int64_t processes_worth(const LevelLoad& level, const MessageCost& messages,
                             std::int64_t workers, double bytes_per_second);

}  // namespace tessera::distributed
