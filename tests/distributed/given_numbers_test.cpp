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
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
  bool are_boxes = false;
};

/// Nodes of `block` unknowns; `given_number`: of an unknown by its number in the grid, none where
/// that is null.
using GivenNumber = std::function<std::int64_t(std::int64_t)>;

Made made_by(const Communicator& processes, int block, const GivenNumber& given_number,
             amg::Aggregation how = amg::Aggregation::mis2) {
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
      if (given_number) numbers.push_back(given_number(v * block + i));
    }
  const Space exec;
  const Share share(host);
  auto A = distributed::numbered(exec, processes, share.rows()).matrix;
  if (given_number) A.given_numbers = on_device(numbers);
  const auto graph = distributed::node_graph(exec, distributed::level_rows(A, block),
                                             distributed::Strength<Space>{});
  const distributed::GlobalHubTest<Space> is_hub{A.rows.offsets, block, 1000};
  const auto aggregates = distributed::aggregates_of(exec, graph, how, std::nullopt, is_hub);
  Made made;
  made.are_boxes = aggregates.box.has_value();
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

std::int64_t in_grid(std::int64_t i) { return i; }

TEST(GivenNumbers, MakeTheAggregatesOfOneProcess) {
  for (const int block : {1, 3}) {
    SCOPED_TRACE(block);
    const Made alone = made_by(distributed::alone(), block, nullptr);
    const Made given = made_by(all_processes(), block, in_grid);
    EXPECT_EQ(given.num_aggregates, alone.num_aggregates);
    EXPECT_EQ(num_different(given, alone), 0);
    if (num_processes() == 1) continue;
    const Made others = made_by(all_processes(), block, nullptr);
    EXPECT_GT(num_different(others, alone), num_nodes / 5);
  }
}

/// A node's rows need not be next to each other in the application.
TEST(GivenNumbers, NeedNotBeThoseOfNodes) {
  const auto sevenfold = [](std::int64_t i) { return 7 * i; };
  const Made alone = made_by(distributed::alone(), 3, sevenfold);
  const Made together = made_by(all_processes(), 3, sevenfold);
  EXPECT_EQ(together.num_aggregates, alone.num_aggregates);
  EXPECT_EQ(num_different(together, alone), 0);
}

/// Lines of a grid that are shared out across are put together again.
TEST(GivenNumbers, MakeTheBoxesOfOneProcess) {
  for (const int block : {1, 3}) {
    SCOPED_TRACE(block);
    const Made alone = made_by(distributed::alone(), block, nullptr, amg::Aggregation::automatic);
    const Made given = made_by(all_processes(), block, in_grid, amg::Aggregation::automatic);
    EXPECT_TRUE(alone.are_boxes);
    EXPECT_TRUE(given.are_boxes);
    EXPECT_EQ(given.num_aggregates, alone.num_aggregates);
    EXPECT_EQ(given.aggregate_of, alone.aggregate_of) << "numbered by the box, too";
    if (num_processes() == 1) continue;
    EXPECT_FALSE(made_by(all_processes(), block, nullptr, amg::Aggregation::automatic).are_boxes);
  }
}

/// The numbers of the grid in no order.
Numbers mixed() {
  Numbers numbers(num_nodes);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::uint64_t state = 1;
  for (std::size_t i = num_nodes - 1; i > 0; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::swap(numbers[i], numbers[(state >> 33U) % (i + 1)]);
  }
  return numbers;
}

/// What is no numbering from 0 on, or no grid's, has the aggregates of before.
TEST(GivenNumbers, OfNoGridMakeNoBoxes) {
  const std::map<std::string, GivenNumber> numberings = {
      {"with gaps", [](std::int64_t i) { return 7 * i; }},
      {"from 1 on", [](std::int64_t i) { return i + 1; }},
      {"below 0", [](std::int64_t i) { return i - 1; }},
      {"one twice", [](std::int64_t i) { return i == 500 ? 499 : i; }},
      {"one twice, the last", [](std::int64_t i) { return i == num_nodes - 1 ? 0 : i; }},
      {"few steps in another order", [](std::int64_t i) { return i * 377 % num_nodes; }},
      {"in no order",
       [numbers = mixed()](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; }},
  };
  for (const auto& [name, number] : numberings) {
    SCOPED_TRACE(name);
    const Made some = made_by(all_processes(), 1, number, amg::Aggregation::automatic);
    EXPECT_FALSE(some.are_boxes);
    EXPECT_GT(some.num_aggregates, num_nodes / 20);
    EXPECT_LT(some.num_aggregates, num_nodes / 3);
  }
}

}  // namespace tessera::test::given_numbers_test
