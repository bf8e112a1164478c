// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/nccl/own_devices.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::distributed::nccl {

void require_own_devices(const Communicator& processes, const DeviceId& own) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::array<std::vector<std::int64_t>, 2> halves;
  for (std::size_t h = 0; h < 2; ++h) {
    halves[h].resize(size);
    processes.all_gather(own[h], halves[h]);
  }
  std::map<DeviceId, std::size_t> process_of;
  for (std::size_t p = 0; p < size; ++p) {
    const auto [found, is_new] = process_of.try_emplace({halves[0][p], halves[1][p]}, p);
    if (is_new) continue;
    throw Error(ErrorKind::configuration,
                "processes " + std::to_string(found->second) + " and " + std::to_string(p) +
                    " have the same GPU, and NCCL takes one process for each: start as many "
                    "processes as there are GPUs and give each its own "
                    "(--kokkos-map-device-id-by=mpi_rank), or take mpi_communicator alone, which "
                    "serves several processes on a GPU");
  }
}

}  // namespace tessera::distributed::nccl
