// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/partition.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::distributed {

Partition::Partition(const Communicator& processes, Ordinal own)
    : m_rank(processes.rank()), m_starts(static_cast<std::size_t>(processes.size()) + 1, 0) {
  processes.all_gather(own, std::span(m_starts).subspan(1));
  std::inclusive_scan(m_starts.begin(), m_starts.end(), m_starts.begin());
}

int Partition::owner(Global number) const {
  const auto above = std::upper_bound(m_starts.begin(), m_starts.end(), number);
  return static_cast<int>(above - m_starts.begin()) - 1;
}

}  // namespace tessera::distributed
