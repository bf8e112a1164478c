// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A list for each process, and one of each.
#pragma once

#include "app_mpi/together.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::app_mpi {

/// By receiver what is sent, by sender what has come. Collective.
template <class T>
std::vector<std::vector<T>> exchanged(const Communicator& processes,
                                      std::vector<std::vector<T>> given) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto size = static_cast<std::size_t>(processes.size());
  const auto own = static_cast<std::size_t>(processes.rank());
  std::vector<std::int64_t> counts(size);
  std::vector<std::int64_t> expected(size);
  for (std::size_t p = 0; p < size; ++p)
    counts[p] = static_cast<std::int64_t>(given[p].size());
  processes.all_to_all(counts, expected);
  std::vector<std::vector<T>> come(size);
  std::vector<Communicator::Outgoing> outgoing;
  std::vector<Communicator::Incoming> incoming;
  for (std::size_t p = 0; p < size; ++p) {
    if (p == own) continue;
    if (!given[p].empty())
      outgoing.push_back({static_cast<int>(p), given[p].data(), given[p].size() * sizeof(T)});
    come[p].resize(static_cast<std::size_t>(expected[p]));
    if (!come[p].empty())
      incoming.push_back({static_cast<int>(p), come[p].data(), come[p].size() * sizeof(T)});
  }
  processes.start(outgoing, incoming)->wait();
  come[own] = std::move(given[own]);
  return come;
}

}  // namespace tessera::app_mpi
