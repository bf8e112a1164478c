// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which processes share a host, and which a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::distributed {

class Communicator;

/// The 16 bytes that tell a device from all others, on whatever host; all of them 0 for none.
using DeviceId = std::array<std::int64_t, 2>;

/// By rank. Hosts and devices are numbered from 0 on, in the order of the first rank on each.
struct Places {
  std::vector<int> hosts;
  std::vector<int> devices;  ///< numbered through all hosts; -1 for a process without one

  bool operator==(const Places&) const = default;
};

/// hosts: by rank, the same number for those on one host; devices: likewise, what tells each.
Places numbered_places(const std::vector<std::int64_t>& hosts,
                       const std::vector<DeviceId>& devices);

/// By rank the one that each process has where those of a host follow each other, and on a host
/// those of a device: hosts come in the order of the first rank on each, devices in that of the
/// first rank on each, processes of a host without one together, in the place of the first of them.
/// On one device, and on a host without any, the order stays. So rank 0 stays, and ranks that are
/// in that order already all do.
std::vector<int> ranks_by_place(const Places& places);

/// Of all processes; `own_device` is this one's. Collective, three numbers of each process.
Places places_of_all(const Communicator& processes, const DeviceId& own_device);

}  // namespace tessera::distributed
