// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/entry_lists.hpp"
#include "app_mpi/matrix_shares.hpp"
#include "app_mpi/vectors.hpp"
#include "tessera/io/entry_stream.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tessera::app_mpi::detail {

namespace {

/// The file as this process reads it, in batches that all processes take at the same time.
class Reading {
 public:
  /// Collective. Process 0 opens the file; where parts of it can be read, all do.
  Reading(const Communicator& processes, const MatrixRequest& request)
      : m_processes(processes), m_path(request.path) {
    std::int64_t facts[4] = {};
    together(processes, [&] {
      if (processes.rank() != 0) return;
      m_stream = std::make_unique<EntryStream>(request.path, request.threads);
      const MatrixMarketHeader& header = m_stream->header();
      require_square(request.path, header.num_rows, header.num_cols);
      facts[0] = header.num_rows;
      facts[1] = header.num_entries;
      facts[2] = m_stream->is_divisible() ? 1 : 0;
      facts[3] = header.has_rhs ? 1 : 0;
    });
    processes.broadcast(std::as_writable_bytes(std::span(facts)), 0);
    num_rows = facts[0];
    num_entries = facts[1];
    has_rhs = facts[3] != 0;
    if (facts[2] == 0) return;
    together(processes, [&] {
      if (m_stream == nullptr)
        m_stream = std::make_unique<EntryStream>(request.path, request.threads);
      m_stream->take_part(processes.rank(), processes.size());
    });
  }

  /// The next entries on each process, which `take` sees; false where none has any. Collective.
  template <class Take>
  bool next(const Take& take) {
    double more = 0;
    together(m_processes, [&] {
      EntryBatch batch;
      if (m_stream != nullptr && !m_is_over && m_stream->next(batch)) more = 1;
      m_is_over = more == 0;
      take(batch);
    });
    return m_processes.maximum_of(more) > 0;
  }

  /// Throws unless the file held what its head promises. Collective.
  void check_whole() const {
    const std::int64_t found = m_processes.sum_of(m_stream != nullptr ? m_stream->num_found() : 0);
    together(m_processes, [&] {
      if (m_stream != nullptr) m_stream->check_found(found);
    });
  }

  /// On process 0; elsewhere, and without one, nothing.
  std::vector<double> take_rhs() {
    return m_stream != nullptr ? m_stream->take_rhs() : std::vector<double>();
  }

  std::int64_t num_rows = 0;
  std::int64_t num_entries = 0;
  bool has_rhs = false;

 private:
  const Communicator& m_processes;
  std::string m_path;
  std::unique_ptr<EntryStream> m_stream;
  bool m_is_over = false;
};

/// By a first reading, which counts the entries of groups of `unit` rows or more, 65,536 groups at
/// the most.
RowShares shares_by_entries(const Communicator& processes, const MatrixRequest& request) {
  std::error_code ignored;
  together(processes, [&] {
    if (processes.rank() == 0 && std::filesystem::exists(request.path, ignored) &&
        !std::filesystem::is_regular_file(request.path, ignored))
      throw app::UsageError("--balance entries: the file is read twice, which a pipe cannot be");
  });
  Reading reading(processes, request);
  const std::int64_t n = reading.num_rows;
  const std::int64_t unit =
      request.rows_of_node > 0 ? request.rows_of_node : rows_together(n, processes.size());
  const std::int64_t width = std::max<std::int64_t>(1, (n / 65536 + unit - 1) / unit) * unit;
  std::vector<std::int64_t> counts(static_cast<std::size_t>((n + width - 1) / width) + 1, 0);
  while (reading.next([&](const EntryBatch& batch) {
    for (const Ordinal row : batch.rows)
      ++counts[static_cast<std::size_t>(row / width) + 1];
  })) {
  }
  reading.check_whole();
  processes.sum(std::span<std::int64_t>(counts));
  for (std::size_t g = 1; g < counts.size(); ++g)
    counts[g] += counts[g - 1];
  return equal_entries(n, processes.size(), width, [&](std::int64_t row) {
    return counts[static_cast<std::size_t>((row + width - 1) / width)];
  });
}

}  // namespace

MatrixShare read_text_share(const Communicator& processes, const MatrixRequest& request) {
  std::optional<RowShares> by_entries;
  if (request.balance == Balance::entries) by_entries = shares_by_entries(processes, request);
  Reading reading(processes, request);
  MatrixShare share;
  const std::int64_t n = reading.num_rows;
  const std::int64_t unit =
      request.rows_of_node > 0 ? request.rows_of_node : rows_together(n, processes.size());
  share.shares = by_entries ? *by_entries : equal_rows(n, processes.size(), unit);
  EntryLists lists(processes, share.shares);
  std::int64_t read = 0;
  while (reading.next([&](const EntryBatch& batch) {
    read += static_cast<std::int64_t>(batch.rows.size());
    if (request.progress) request.progress(read, reading.num_entries);
    lists.add(batch);
  }))
    lists.send();
  reading.check_whole();
  together(processes, [&] { share.rows = lists.rows(request.path, request.sum_duplicates); });
  if (reading.has_rhs) {
    share.rhs = scattered(processes, share.shares, reading.take_rhs(), 1);
    share.rhs_columns = 1;
  }
  return share;
}

}  // namespace tessera::app_mpi::detail
