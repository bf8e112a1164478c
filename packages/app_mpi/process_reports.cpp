// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/process_reports.hpp"

#include <algorithm>
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
  gather(static_cast<std::int64_t>(own.peak_forecast_bytes), [](Report& p, std::int64_t number) {
    p.peak_forecast_bytes = static_cast<std::size_t>(number);
  });
  return all;
}

void sum_bytes(const distributed::Communicator& processes, HierarchyInfo& hierarchy) {
  auto& levels = hierarchy.levels;
  if (processes.size() == 1) return;
  for (std::size_t* bytes : {&hierarchy.setup_peak_bytes, &hierarchy.setup_forecast_bytes,
                             &hierarchy.peak_forecast_bytes})
    *bytes = static_cast<std::size_t>(processes.sum_of(static_cast<std::int64_t>(*bytes)));
  // The coarsest of all processes' is gathered: process 0 has its own levels in its place.
  const double fewest = processes.minimum_of(static_cast<double>(levels.size()));
  const auto common = static_cast<std::size_t>(std::max(0.0, fewest - 1));
  std::vector<std::int64_t> bytes;
  for (std::size_t l = 0; l < common; ++l)
    for (const StorageInfo* stored : {&levels[l].A, &levels[l].P, &levels[l].R})
      bytes.push_back(static_cast<std::int64_t>(stored->bytes));
  processes.sum(std::span<std::int64_t>(bytes));
  hierarchy.bytes = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::size_t next = 3 * l;
    for (StorageInfo* stored : {&levels[l].A, &levels[l].P, &levels[l].R}) {
      if (l < common) stored->bytes = static_cast<std::size_t>(bytes[next++]);
      hierarchy.bytes += stored->bytes;
    }
  }
  if (!levels.empty() && levels.front().A.bytes > 0)
    hierarchy.memory_complexity =
        static_cast<double>(hierarchy.bytes) / static_cast<double>(levels.front().A.bytes);
}

}  // namespace tessera::app_mpi
