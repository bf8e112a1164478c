// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/level_placing.hpp"

#include "tessera/distributed/moved_rows.hpp"
#include "tessera/distributed/row_groups.hpp"
#include "tessera/distributed/surroundings.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <set>

namespace tessera::distributed {
namespace {

/// Of all processes. Collective.
template <class Space>
LevelLoad load_of(const Matrix<Space>& A) {
  double most[] = {A.halo == nullptr ? 0.0 : static_cast<double>(A.halo->senders.size()),
                   static_cast<double>(A.ghosts.extent(0))};
  A.processes->maximum(most);
  const auto entries = A.processes->sum_of(static_cast<std::int64_t>(A.rows.num_entries()));
  return {static_cast<double>(A.row_shares->size()), static_cast<double>(entries),
          processes_with_rows(*A.row_shares), most[0], most[1]};
}

/// How many hosts or devices there are.
int count_of_places(const std::vector<int>& numbers) {
  return 1 + *std::ranges::max_element(numbers);
}

std::string rounded_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

/// How many processes keep rows, and of how many hosts and devices where there are several.
std::string description_of(const std::vector<std::int64_t>& rows, const std::vector<int>& keepers,
                           const Places& places) {
  int kept = 0;
  int before = 0;
  std::set<int> hosts, devices;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (rows[p] == 0) continue;
    ++before;
    if (keepers[p] != static_cast<int>(p)) continue;
    ++kept;
    hosts.insert(places.hosts[p]);
    devices.insert(places.devices[p]);
  }
  std::string text = "on " + std::to_string(kept) + " of " + std::to_string(before) + " processes";
  const auto add = [&](const char* what, std::size_t some, int all) {
    if (all > 1) text += ", " + std::to_string(some) + " of " + std::to_string(all) + what;
  };
  add(" hosts", hosts.size(), count_of_places(places.hosts));
  add(" GPUs", devices.size(), count_of_places(places.devices));
  return text;
}

/// Whether all who have rows may keep them, wherever they are.
bool has_rows_for_all(const Partition& rows, int rows_per_process) {
  return rows.size() / std::max(rows_per_process, 1) >= processes_with_rows(rows);
}

LevelPlacing staying(std::size_t processes) {
  LevelPlacing made{std::vector<int>(processes), {}};
  std::iota(made.keepers.begin(), made.keepers.end(), 0);
  return made;
}

LevelPlacing placed_by_rows(const std::vector<std::int64_t>& rows, const Places& places,
                            int rows_per_process) {
  LevelPlacing made{keepers_of_rows(rows, places, rows_per_process), {}};
  for (std::size_t p = 0; p < rows.size() && made.note.empty(); ++p)
    if (made.keepers[p] != static_cast<int>(p))
      made.note = description_of(rows, made.keepers, places) + ": by " +
                  std::to_string(rows_per_process) + " rows per process";
  return made;
}

}  // namespace

template <class Space>
LevelPlacing placing_of(const Space& exec, const Matrix<Space>& coarse, const LevelShares& shares) {
  const auto rows = rows_by_process(*coarse.row_shares);
  const bool is_settled = shares.measures_messages
                              ? processes_with_rows(*coarse.row_shares) <= 1
                              : has_rows_for_all(*coarse.row_shares, shares.rows_per_process);
  if (is_settled) return staying(rows.size());
  const Communicator& processes = *coarse.processes;
  const Places& known = places(exec, processes);
  if (!shares.measures_messages) return placed_by_rows(rows, known, shares.rows_per_process);
  const MessageCost& cost = message_cost(exec, processes);
  const LevelLoad load = load_of(coarse);
  constexpr bool is_host = kernels::is_host_space<Space>;
  const std::int64_t workers = is_host ? load.processes : count_of_places(known.devices);
  const double speed = is_host ? bytes_per_second_of_host : bytes_per_second_of_device;
  const std::int64_t worth = processes_worth(load, cost, workers, speed);
  LevelPlacing made{keepers_of_groups(rows, known, worth), {}};
  const auto on = [&](std::int64_t kept) {
    return rounded_text(1e3 * seconds_of_cycle(load, cost, kept, workers, speed)) + " on " +
           std::to_string(kept);
  };
  made.note = description_of(rows, made.keepers, known) + ": by messages of " +
              rounded_text(1e6 * cost.latency_s) + " us and " +
              rounded_text(1e9 * cost.seconds_per_byte) +
              " ns per byte, from which follow ms per cycle of " + on(1);
  if (worth > 1) made.note += ", " + on(worth);
  if (worth < load.processes) made.note += ", " + on(load.processes);
  return made;
}

#define TESSERA_INSTANTIATE_PLACING(Space) \
  template LevelPlacing placing_of(const Space&, const Matrix<Space>&, const LevelShares&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_PLACING)
#undef TESSERA_INSTANTIATE_PLACING

}  // namespace tessera::distributed
