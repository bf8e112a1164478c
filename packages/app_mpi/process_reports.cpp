// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/process_reports.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <span>

namespace tessera::app_mpi {

std::vector<app::ProcessReport> gathered(const distributed::Communicator& processes,
                                         const app::ProcessReport& own) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::vector<app::ProcessReport> all(size);
  std::vector<std::int64_t> numbers(size);
  const auto gather = [&](std::int64_t number,
                          const std::function<void(app::ProcessReport&, std::int64_t)>& put) {
    processes.all_gather(number, numbers);
    for (std::size_t p = 0; p < size; ++p)
      put(all[p], numbers[p]);
  };
  using Report = app::ProcessReport;
  gather(own.rows, [](Report& p, std::int64_t number) { p.rows = number; });
  gather(own.entries, [](Report& p, std::int64_t number) { p.entries = number; });
  gather(own.ghost_rows, [](Report& p, std::int64_t number) { p.ghost_rows = number; });
  gather(std::bit_cast<std::int64_t>(own.setup_ms),
         [](Report& p, std::int64_t bits) { p.setup_ms = std::bit_cast<double>(bits); });
  gather(std::bit_cast<std::int64_t>(own.solve_ms),
         [](Report& p, std::int64_t bits) { p.solve_ms = std::bit_cast<double>(bits); });
  gather(static_cast<std::int64_t>(own.peak_memory_bytes), [](Report& p, std::int64_t number) {
    p.peak_memory_bytes = static_cast<std::size_t>(number);
  });
  return all;
}

void sum_bytes(const distributed::Communicator& processes, HierarchyInfo& hierarchy) {
  auto& levels = hierarchy.levels;
  // Process 0 has more of them, which are its own.
  std::int64_t count = 0;
  for (const LevelInfo& level : levels)
    count += level.processes > 1 ? 1 : 0;
  const auto most = static_cast<std::size_t>(processes.maximum_of(static_cast<double>(count)));
  std::vector<std::int64_t> bytes(3 * most, 0);
  for (std::size_t l = 0; l < most && l < levels.size(); ++l) {
    if (levels[l].processes == 1) continue;
    bytes[3 * l] = static_cast<std::int64_t>(levels[l].A.bytes);
    bytes[3 * l + 1] = static_cast<std::int64_t>(levels[l].P.bytes);
    bytes[3 * l + 2] = static_cast<std::int64_t>(levels[l].R.bytes);
  }
  processes.sum(std::span<std::int64_t>(bytes));
  hierarchy.bytes = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (l < most && levels[l].processes > 1) {
      levels[l].A.bytes = static_cast<std::size_t>(bytes[3 * l]);
      levels[l].P.bytes = static_cast<std::size_t>(bytes[3 * l + 1]);
      levels[l].R.bytes = static_cast<std::size_t>(bytes[3 * l + 2]);
    }
    hierarchy.bytes += levels[l].A.bytes + levels[l].P.bytes + levels[l].R.bytes;
  }
  if (!levels.empty() && levels.front().A.bytes > 0)
    hierarchy.memory_complexity =
        static_cast<double>(hierarchy.bytes) / static_cast<double>(levels.front().A.bytes);
}

}  // namespace tessera::app_mpi
