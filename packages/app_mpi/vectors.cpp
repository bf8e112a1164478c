// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/vectors.hpp"

#include "tessera/io/vector_writer.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <span>

namespace tessera::app_mpi {

std::vector<double> scattered(const Communicator& processes, const RowShares& shares,
                              const std::vector<double>& all, std::size_t columns) {
  const int rank = processes.rank();
  const auto n = static_cast<std::size_t>(shares.all());
  const auto own = static_cast<std::size_t>(shares.count(rank));
  std::vector<double> part(own * columns);
  std::vector<Communicator::Outgoing> outgoing;
  std::vector<Communicator::Incoming> incoming;
  for (std::size_t j = 0; j < columns; ++j) {
    if (rank != 0) {
      if (own > 0) incoming.push_back({0, part.data() + j * own, own * sizeof(double)});
      continue;
    }
    std::copy_n(all.data() + j * n, own, part.data() + j * own);
    for (int p = 1; p < processes.size(); ++p)
      if (shares.count(p) > 0)
        outgoing.push_back({p, all.data() + j * n + static_cast<std::size_t>(shares.first(p)),
                            static_cast<std::size_t>(shares.count(p)) * sizeof(double)});
  }
  processes.start(outgoing, incoming)->wait();
  return part;
}

Columns scattered_from(const Communicator& processes, const RowShares& shares, const char* option,
                       const std::string& path, const std::function<Columns()>& make) {
  Columns all;
  std::int64_t count[1] = {0};
  together(processes, [&] {
    if (processes.rank() != 0) return;
    all = make();
    if (all.rows != shares.all())
      throw Error(ErrorKind::bad_input,
                  fmt::format("{} {}: {} rows; expected {}, as the matrix has", option, path,
                              all.rows, shares.all()));
    if (all.count == 0)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{} {}: no columns; expected at least one", option, path));
    count[0] = static_cast<std::int64_t>(all.count);
  });
  processes.broadcast(std::as_writable_bytes(std::span(count)), 0);
  const auto columns = static_cast<std::size_t>(count[0]);
  return {shares.count(processes.rank()), columns,
          scattered(processes, shares, all.values, columns)};
}

void write_in_order(const Communicator& processes, const RowShares& shares, const Columns& own,
                    const std::optional<app::OutputFile>& file) {
  const int rank = processes.rank();
  const auto n = static_cast<std::size_t>(own.rows);
  std::unique_ptr<VectorWriter> writer;
  together(processes, [&] {
    if (rank == 0)
      file->guarded(
          [&] { writer = std::make_unique<VectorWriter>(file->path(), shares.all(), own.count); });
  });
  std::exception_ptr failure;
  const auto write = [&](const double* values, std::size_t count) {
    // The others send on: what has failed is said at the end.
    if (failure) return;
    try {
      file->guarded([&] { writer->write(values, count); });
    } catch (...) {
      failure = std::current_exception();
    }
  };
  std::vector<double> part;
  for (std::size_t j = 0; j < own.count; ++j) {
    if (rank == 0) write(own.values.data() + j * n, n);
    for (int p = 1; p < processes.size(); ++p) {
      const auto count = static_cast<std::size_t>(shares.count(p));
      if (count == 0) continue;
      std::vector<Communicator::Outgoing> outgoing;
      std::vector<Communicator::Incoming> incoming;
      if (rank == p) outgoing.push_back({0, own.values.data() + j * n, n * sizeof(double)});
      if (rank == 0) {
        part.resize(count);
        incoming.push_back({p, part.data(), count * sizeof(double)});
      }
      processes.start(outgoing, incoming)->wait();
      if (rank == 0) write(part.data(), count);
    }
  }
  together(processes, [&] {
    if (failure) std::rethrow_exception(failure);
    if (rank == 0) file->guarded([&] { writer->commit(); });
  });
}

}  // namespace tessera::app_mpi
