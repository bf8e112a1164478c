// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates of rows that are shared out in no order, by numbers that the application has for
/// them.
#include "distributed/shares.hpp"
#include "tessera/distributed/aggregation.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace tessera::test::given_numbers_test {

using Communicator = std::shared_ptr<const distributed::Communicator>;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t side = 30;  // nodes of a grid
constexpr std::int64_t num_nodes = side * side;

/// The nodes of each process, by their numbers in the grid: strips of a few across its lines.
std::vector<Numbers> nodes_by_process(int processes) {
  std::vector<Numbers> nodes(static_cast<std::size_t>(processes));
  for (std::int64_t v = 0; v < num_nodes; ++v)
    nodes[static_cast<std::size_t>(v % side / 4 % processes)].push_back(v);
  return nodes;
}

Numbers neighbours_of(std::int64_t v) {
  Numbers found{v};
  if (v >= side) found.push_back(v - side);
  if (v + side < num_nodes) found.push_back(v + side);
  if (v % side > 0) found.push_back(v - 1);
  if (v % side + 1 < side) found.push_back(v + 1);
  return found;
}

struct Made {
  std::int64_t num_aggregates = 0;
  std::vector<double> aggregate_of;  ///< by number in the grid
};

/// Nodes of `block` unknowns. `stride`: the given numbers are that times those in the grid.
Made made_by(const Communicator& processes, int block, bool gives_numbers, int stride = 1) {
  const auto nodes = nodes_by_process(processes->size());
  std::vector<std::int64_t> place(num_nodes);
  std::int64_t next = 0;
  for (const Numbers& some : nodes)
    for (const auto v : some)
      place[static_cast<std::size_t>(v)] = next++;
  const Numbers& own = nodes[static_cast<std::size_t>(processes->rank())];
  HostShare host;
  Numbers numbers;
  for (const auto v : own)
    for (int i = 0; i < block; ++i) {
      for (const auto w : neighbours_of(v))
        for (int j = 0; j < block; ++j)
          host.push(place[static_cast<std::size_t>(w)] * block + j, v == w && i == j ? 8 : -1);
      host.end_row();
      numbers.push_back((v * block + i) * stride);
    }
  const Space exec;
  const Share share(host);
  auto A = distributed::numbered(exec, processes, share.rows()).matrix;
  if (gives_numbers) A.given_numbers = on_device(numbers);
  const auto graph = distributed::node_graph(exec, distributed::level_rows(A, block),
                                             distributed::Strength<Space>{});
  const distributed::GlobalHubTest<Space> is_hub{A.rows.offsets, block, 1000};
  const auto aggregates = distributed::aggregate_mis2(exec, graph, is_hub);
  Made made;
  made.num_aggregates = processes->sum_of(static_cast<std::int64_t>(aggregates.num_own));
  made.aggregate_of.assign(num_nodes, 0);
  const auto found =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), aggregates.aggregate_of);
  for (std::size_t v = 0; v < own.size(); ++v)
    made.aggregate_of[static_cast<std::size_t>(own[v])] = static_cast<double>(found(v));
  processes->sum(std::span<double>(made.aggregate_of));
  return made;
}

/// Pairs of neighbours in one aggregate here and in two there.
std::int64_t num_different(const Made& a, const Made& b) {
  std::int64_t different = 0;
  for (std::int64_t v = 0; v < num_nodes; ++v)
    for (const auto w : neighbours_of(v)) {
      const auto i = static_cast<std::size_t>(v), j = static_cast<std::size_t>(w);
      const bool here = a.aggregate_of[i] == a.aggregate_of[j];
      const bool there = b.aggregate_of[i] == b.aggregate_of[j];
      different += here != there ? 1 : 0;
    }
  return different;
}

TEST(GivenNumbers, MakeTheAggregatesOfOneProcess) {
  for (const int block : {1, 3}) {
    SCOPED_TRACE(block);
    const Made alone = made_by(distributed::alone(), block, false);
    const Made given = made_by(all_processes(), block, true);
    EXPECT_EQ(given.num_aggregates, alone.num_aggregates);
    EXPECT_EQ(num_different(given, alone), 0);
    if (num_processes() == 1) continue;
    const Made others = made_by(all_processes(), block, false);
    EXPECT_GT(num_different(others, alone), num_nodes / 5);
  }
}

/// A node's rows need not be next to each other in the application.
TEST(GivenNumbers, NeedNotBeThoseOfNodes) {
  const Made alone = made_by(distributed::alone(), 3, true, 7);
  const Made together = made_by(all_processes(), 3, true, 7);
  EXPECT_EQ(together.num_aggregates, alone.num_aggregates);
  EXPECT_EQ(num_different(together, alone), 0);
}

}  // namespace tessera::test::given_numbers_test
