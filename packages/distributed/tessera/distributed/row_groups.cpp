// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace tessera::distributed {
namespace {

using RowCounts = std::vector<std::int64_t>;
/// Where each of some contiguous groups ends.
using GroupEnds = std::vector<std::size_t>;
/// By process which host, or which device, it is on.
using PlaceNumbers = std::vector<int>;

constexpr double max_for_places = 1.5;  ///< rows of the largest group, for the sake of places
constexpr double max_for_fewer = 1.1;  ///< and for that of fewer groups

/// Processes with rows, in the order of their ranks.
struct Sharers {
  std::vector<int> ranks;
  RowCounts rows;
  PlaceNumbers hosts;
  PlaceNumbers devices;  ///< -1 for none

  std::size_t size() const { return ranks.size(); }
};

/// Groups that are filled in order as far as `room` goes.
GroupEnds filled_groups(std::span<const std::int64_t> rows, std::int64_t room) {
  GroupEnds ends;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && sum + rows[i] > room) {
      ends.push_back(i);
      sum = 0;
    }
    sum += rows[i];
  }
  ends.push_back(rows.size());
  return ends;
}

/// At most `count` groups, the largest of which is as small as it can be.
GroupEnds balanced_groups(std::span<const std::int64_t> rows, std::size_t count) {
  std::int64_t low = *std::ranges::max_element(rows);
  std::int64_t high = std::accumulate(rows.begin(), rows.end(), std::int64_t(0));
  while (low < high) {
    const std::int64_t room = low + (high - low) / 2;
    if (filled_groups(rows, room).size() <= count)
      high = room;
    else
      low = room + 1;
  }
  return filled_groups(rows, low);
}

std::int64_t total_of(std::span<const std::int64_t> rows) {
  return std::accumulate(rows.begin(), rows.end(), std::int64_t(0));
}

/// The processes from `begin` up to `end` in runs of the same number; those of -1 by themselves.
GroupEnds runs_of(const PlaceNumbers& numbers, std::size_t begin, std::size_t end) {
  GroupEnds ends;
  for (std::size_t i = begin + 1; i < end; ++i)
    if (numbers[i] < 0 || numbers[i] != numbers[i - 1]) ends.push_back(i);
  ends.push_back(end);
  return ends;
}

/// How many of `count` groups each run gets: one, and then whoever has most rows for each of its
/// groups gets another, as long as it has processes for it.
std::vector<std::size_t> allotted(const RowCounts& rows, const std::vector<std::size_t>& processes,
                                  std::size_t count) {
  std::vector<std::size_t> groups(rows.size(), 1);
  for (std::size_t given = rows.size(); given < count; ++given) {
    std::size_t neediest = rows.size();
    double most = -1;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double each = static_cast<double>(rows[r]) / static_cast<double>(groups[r]);
      if (groups[r] == processes[r] || each <= most) continue;
      most = each;
      neediest = r;
    }
    if (neediest == rows.size()) break;
    ++groups[neediest];
  }
  return groups;
}

/// Appends the ends of at most `count` groups of the processes from `begin` up to `end`. Those of a
/// run of the first of `places` are together as long as there is no group for each of the runs;
/// within a run it goes on with the others.
void divide_groups(const Sharers& sharers, std::span<const PlaceNumbers* const> places,
                   std::size_t begin, std::size_t end, std::size_t count, GroupEnds& ends) {
  const std::span<const std::int64_t> rows(sharers.rows);
  if (places.empty()) {
    for (const std::size_t own : balanced_groups(rows.subspan(begin, end - begin), count))
      ends.push_back(begin + own);
    return;
  }
  const GroupEnds runs = runs_of(*places.front(), begin, end);
  RowCounts rows_of_runs;
  std::vector<std::size_t> processes;
  std::size_t first = begin;
  for (const std::size_t last : runs) {
    rows_of_runs.push_back(total_of(rows.subspan(first, last - first)));
    processes.push_back(last - first);
    first = last;
  }
  if (count < runs.size()) {
    for (const std::size_t run : balanced_groups(rows_of_runs, count))
      ends.push_back(runs[run - 1]);
    return;
  }
  const auto groups = allotted(rows_of_runs, processes, count);
  first = begin;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    divide_groups(sharers, places.subspan(1), first, runs[r], groups[r], ends);
    first = runs[r];
  }
}

std::int64_t largest_group(const Sharers& sharers, const GroupEnds& ends) {
  std::int64_t most = 0;
  std::size_t first = 0;
  for (const std::size_t last : ends) {
    most = std::max(most, total_of(std::span(sharers.rows).subspan(first, last - first)));
    first = last;
  }
  return most;
}

/// Along devices and hosts, or hosts, as far as groups stay balanced.
GroupEnds groups_by_place(const Sharers& sharers, std::size_t count) {
  const PlaceNumbers* const places[] = {&sharers.hosts, &sharers.devices};
  const auto along = [&](std::size_t kinds) {
    GroupEnds ends;
    divide_groups(sharers, std::span(places).first(kinds), 0, sharers.size(), count, ends);
    return ends;
  };
  GroupEnds anyhow = along(0);
  const double most = max_for_places * static_cast<double>(largest_group(sharers, anyhow));
  for (const std::size_t kinds : {2, 1}) {
    GroupEnds ends = along(kinds);
    if (static_cast<double>(largest_group(sharers, ends)) <= most) return ends;
  }
  return anyhow;
}

/// With fewer groups where these are hardly larger.
GroupEnds min_groups(const Sharers& sharers, std::size_t count) {
  const double room =
      max_for_fewer * static_cast<double>(largest_group(sharers, groups_by_place(sharers, count)));
  std::size_t low = 1;
  while (low < count) {
    const std::size_t middle = low + (count - low) / 2;
    if (static_cast<double>(largest_group(sharers, groups_by_place(sharers, middle))) <= room)
      count = middle;
    else
      low = middle + 1;
  }
  return groups_by_place(sharers, count);
}

/// Of each group the process that keeps its rows.
class Owners {
 public:
  Owners(const Sharers& sharers, std::size_t groups) : m_sharers(sharers) {
    std::map<int, std::size_t> processes;
    for (const int host : sharers.hosts)
      ++processes[host];
    for (const auto& [host, count] : processes)
      m_share[host] = (groups * count + sharers.size() - 1) / sharers.size();
  }

  /// Its place among the sharers.
  std::size_t of(std::size_t begin, std::size_t end) {
    std::map<int, std::int64_t> on_host;
    std::int64_t all = 0;
    for (std::size_t i = begin; i < end; ++i) {
      on_host[m_sharers.hosts[i]] += m_sharers.rows[i];
      all += m_sharers.rows[i];
    }
    const auto rank_of_choice = [&](std::size_t i) {
      const int host = m_sharers.hosts[i];
      const int device = m_sharers.devices[i];
      return std::tuple(device < 0 ? 0 : m_on_device[device], m_on_host[host] >= m_share[host],
                        5 * on_host[host] <= 3 * all, m_last_host != host,
                        5 * m_sharers.rows[i] <= 3 * all);
    };
    std::size_t best = begin;
    for (std::size_t i = begin + 1; i < end; ++i)
      if (rank_of_choice(i) < rank_of_choice(best)) best = i;
    ++m_on_device[m_sharers.devices[best]];
    ++m_on_host[m_sharers.hosts[best]];
    m_last_host = m_sharers.hosts[best];
    return best;
  }

 private:
  const Sharers& m_sharers;
  std::map<int, std::size_t> m_share, m_on_host, m_on_device;
  int m_last_host = -1;
};

}  // namespace

std::vector<int> keepers_of_groups(const RowCounts& rows, const Places& places,
                                   std::int64_t max_groups) {
  std::vector<int> keepers(rows.size());
  std::iota(keepers.begin(), keepers.end(), 0);
  Sharers sharers;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (rows[p] == 0) continue;
    sharers.ranks.push_back(static_cast<int>(p));
    sharers.rows.push_back(rows[p]);
    sharers.hosts.push_back(places.hosts[p]);
    sharers.devices.push_back(places.devices[p]);
  }
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(max_groups, 1));
  if (count >= sharers.size()) return keepers;
  const GroupEnds ends = min_groups(sharers, count);
  Owners owners(sharers, ends.size());
  std::size_t first = 0;
  for (const std::size_t last : ends) {
    const int owner = sharers.ranks[owners.of(first, last)];
    for (std::size_t i = first; i < last; ++i)
      keepers[static_cast<std::size_t>(sharers.ranks[i])] = owner;
    first = last;
  }
  return keepers;
}

std::vector<int> keepers_of_rows(const RowCounts& rows, const Places& places,
                                 std::int64_t rows_per_process) {
  const std::int64_t all = total_of(rows);
  return keepers_of_groups(rows, places, all / std::max<std::int64_t>(rows_per_process, 1));
}

}  // namespace tessera::distributed
