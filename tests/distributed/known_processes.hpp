// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Processes whose hosts, devices and messages' costs a test makes up.
#pragma once

#include "distributed/shares.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/surroundings.hpp"

#include <utility>

namespace tessera::test {

/// Processes about which something is known beforehand, whether true or not.
class KnownProcesses : public distributed::CountingCommunicator {
 public:
  explicit KnownProcesses(
      distributed::Surroundings known = {},
      std::shared_ptr<const distributed::Communicator> processes = all_processes())
      : CountingCommunicator(std::move(processes)) {
    m_known[Space::name()] = std::move(known);
  }
  distributed::SurroundingsBySpace& surroundings() const override { return m_known; }

 private:
  mutable distributed::SurroundingsBySpace m_known;
};

/// A number for each of all processes.
inline std::vector<int> by_rank(int (*number)(int)) {
  std::vector<int> numbers;
  for (int p = 0; p < num_processes(); ++p)
    numbers.push_back(number(p));
  return numbers;
}

}  // namespace tessera::test
