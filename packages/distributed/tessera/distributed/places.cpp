// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/places.hpp"

#include "tessera/distributed/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace tessera::distributed {
namespace {

/// The number of each key, in the order in which keys turn up.
template <class Key>
class OrderOfFirst {
 public:
  int operator()(const Key& key) {
    return m_numbers.try_emplace(key, static_cast<int>(m_numbers.size())).first->second;
  }

 private:
  std::map<Key, int> m_numbers;
};

}  // namespace

Places numbered_places(const std::vector<std::int64_t>& hosts,
                       const std::vector<DeviceId>& devices) {
  OrderOfFirst<std::int64_t> host_numbers;
  OrderOfFirst<DeviceId> device_numbers;
  Places places;
  for (const std::int64_t host : hosts)
    places.hosts.push_back(host_numbers(host));
  for (const DeviceId& device : devices)
    places.devices.push_back(device == DeviceId{} ? -1 : device_numbers(device));
  return places;
}

std::vector<int> ranks_by_place(const Places& places) {
  std::map<int, int> first_on_host;
  std::map<std::pair<int, int>, int> first_on_device;  // by host, too: -1 is on all of them
  std::vector<std::array<int, 3>> order;
  for (std::size_t p = 0; p < places.hosts.size(); ++p) {
    const int rank = static_cast<int>(p);
    const int host = places.hosts[p];
    const auto on_host = first_on_host.try_emplace(host, rank).first;
    const auto on_device = first_on_device.try_emplace({host, places.devices[p]}, rank).first;
    order.push_back({on_host->second, on_device->second, rank});
  }
  std::ranges::sort(order);
  std::vector<int> ranks(order.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    ranks[static_cast<std::size_t>(order[n][2])] = static_cast<int>(n);
  return ranks;
}

Places places_of_all(const Communicator& processes, const DeviceId& own_device) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::vector<std::int64_t> hosts(size), firsts(size), seconds(size);
  processes.all_gather(processes.first_on_host(), hosts);
  processes.all_gather(own_device[0], firsts);
  processes.all_gather(own_device[1], seconds);
  std::vector<DeviceId> devices;
  for (std::size_t p = 0; p < size; ++p)
    devices.push_back({firsts[p], seconds[p]});
  return numbered_places(hosts, devices);
}

}  // namespace tessera::distributed
