// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The processes of a peer that works with MPI.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace tessera::perf {

/// MPI from construction to destruction, and the split of a system's rows over its processes.
class MpiProcesses {
 public:
  MpiProcesses(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_size);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  ~MpiProcesses() { MPI_Finalize(); }

  int rank() const { return m_rank; }
  int size() const { return m_size; }

  /// The first of a process's rows; that of process `size()` is `num_rows`.
  int first_row(int num_rows, int process) const {
    return static_cast<int>(std::int64_t{num_rows} * process / m_size);
  }

  /// A barrier that sleeps, so that an idle process leaves the cores alone.
  void quiet_barrier() const {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (!done) usleep(500);
    }
  }

  /// A vector of `num_rows`, whole in every process, from each one's own rows.
  std::vector<double> gather(int num_rows, const double* own) const {
    std::vector<int> counts;
    std::vector<int> firsts;
    for (int process = 0; process < m_size; ++process) {
      firsts.push_back(first_row(num_rows, process));
      counts.push_back(first_row(num_rows, process + 1) - firsts.back());
    }
    std::vector<double> whole(static_cast<std::size_t>(num_rows));
    MPI_Allgatherv(own, counts[m_rank], MPI_DOUBLE, whole.data(), counts.data(), firsts.data(),
                   MPI_DOUBLE, MPI_COMM_WORLD);
    return whole;
  }

 private:
  int m_rank = 0;
  int m_size = 1;
};

}  // namespace tessera::perf
