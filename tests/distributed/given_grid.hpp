// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A grid whose lines are shared out across, with numbers that the application has for its rows.
#pragma once

#include "distributed/shares.hpp"
#include "tessera/distributed/local_numbers.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tessera::test::given_grid {

using Communicator = std::shared_ptr<const distributed::Communicator>;
using Numbers = std::vector<std::int64_t>;

inline constexpr std::int64_t side = 30;  // nodes of a grid
inline constexpr std::int64_t num_nodes = side * side;

/// The nodes of each process, by their numbers in the grid: strips of a few across its lines. The
/// first `without` have none.
inline std::vector<Numbers> nodes_by_process(int processes, int without) {
  std::vector<Numbers> nodes(static_cast<std::size_t>(processes));
  for (std::int64_t v = 0; v < num_nodes; ++v)
    nodes[static_cast<std::size_t>(without + v % side / 4 % (processes - without))].push_back(v);
  return nodes;
}

inline Numbers neighbours_of(std::int64_t v) {
  Numbers found{v};
  if (v >= side) found.push_back(v - side);
  if (v + side < num_nodes) found.push_back(v + side);
  if (v % side > 0) found.push_back(v - 1);
  if (v % side + 1 < side) found.push_back(v + 1);
  return found;
}

/// Of an unknown by its number in the grid; null for none.
using GivenNumber = std::function<std::int64_t(std::int64_t)>;

inline std::int64_t in_grid(std::int64_t i) { return i; }

struct SharedGrid {
  distributed::Matrix<Space> A;
  Numbers own;  ///< this process's nodes, by their numbers in the grid
};

/// Nodes of `block` unknowns. An entry is the sum of its row's and its column's number in the grid.
inline SharedGrid shared_grid(const Communicator& processes, int block,
                              const GivenNumber& given_number, int without = 0) {
  const auto nodes = nodes_by_process(processes->size(), without);
  std::vector<std::int64_t> place(num_nodes);
  std::int64_t next = 0;
  for (const Numbers& some : nodes)
    for (const auto v : some)
      place[static_cast<std::size_t>(v)] = next++;
  SharedGrid made;
  made.own = nodes[static_cast<std::size_t>(processes->rank())];
  HostShare host;
  Numbers numbers;
  for (const auto v : made.own)
    for (int i = 0; i < block; ++i) {
      for (const auto w : neighbours_of(v))
        for (int j = 0; j < block; ++j)
          host.push(place[static_cast<std::size_t>(w)] * block + j,
                    static_cast<double>((v + w) * block + i + j + 1));
      host.end_row();
      if (given_number) numbers.push_back(given_number(v * block + i));
    }
  const Share share(host);
  made.A = distributed::numbered(Space(), processes, share.rows()).matrix;
  if (given_number) made.A.given_numbers = on_device(numbers);
  return made;
}

}  // namespace tessera::test::given_grid
