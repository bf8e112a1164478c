// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/places.hpp"

#include "tessera/distributed/communicator.hpp"

#include <cstddef>
#include <map>

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
