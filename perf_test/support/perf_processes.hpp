// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The processes of a performance program, with or without an MPI.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/nccl/nccl_communicator.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#if defined(TESSERA_PERF_WITH_MPI)
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#endif

#include <cstdlib>
#include <memory>
#include <string>

namespace tessera::perf {

/// From before Kokkos is initialised, so that processes of one host find a device each, until it is
/// finalised.
class PerfProcesses {
 public:
#if defined(TESSERA_PERF_WITH_MPI)
  PerfProcesses(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    m_all = distributed::mpi_communicator(MPI_COMM_WORLD);
  }
  ~PerfProcesses() { MPI_Finalize(); }
  /// Ends all processes, also those that wait for this one.
  [[noreturn]] static void give_up() {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }
#else
  PerfProcesses(int&, char**&) : m_all(distributed::alone()) {}
  ~PerfProcesses() = default;
  [[noreturn]] static void give_up() { std::exit(1); }
#endif
  PerfProcesses(const PerfProcesses&) = delete;
  PerfProcesses& operator=(const PerfProcesses&) = delete;

  /// All of mpirun's; one by itself without MPI.
  const distributed::Communicator& all() const { return *m_all; }

  /// "mpi", "mpi-device" (MPI is given device pointers), "nccl" or "alone". Collective.
  /// @throws Error where several processes are to be alone, and as `nccl_communicator` does
  std::shared_ptr<const distributed::Communicator> named(
      const std::string& name, const DeviceSpace& exec,
      const distributed::NcclOptions& options) const {
    if (name == "nccl") return distributed::nccl_communicator(m_all, exec, options);
    if (name == "mpi") return m_all;
#if defined(TESSERA_PERF_WITH_MPI)
    if (name == "mpi-device")
      return distributed::mpi_communicator(MPI_COMM_WORLD, {.takes_device_pointers = true});
#endif
    if (m_all->size() > 1)
      throw Error(ErrorKind::configuration, "'--communicator alone' is for one process");
    return distributed::alone();
  }

 private:
  std::shared_ptr<const distributed::Communicator> m_all;
};

}  // namespace tessera::perf
