// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates of rows that are shared out in no order, by numbers that the application has for
/// them.
#include "distributed/given_grid.hpp"
#include "distributed/shares.hpp"
#include "tessera/distributed/aggregation.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/kernels/execution/array_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::given_numbers_test {

using namespace given_grid;

struct Made {
  std::int64_t num_aggregates = 0;
  std::vector<double> aggregate_of;  ///< by number in the grid
  bool are_boxes = false;
};

Made made_by(const Communicator& processes, int block, const GivenNumber& given_number,
             amg::Aggregation how = amg::Aggregation::mis2, int without = 0) {
  const Space exec;
  const auto [A, own] = shared_grid(processes, block, given_number, without);
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

TEST(GivenNumbers, MakeTheBoxesOfOneProcessWhereOthersHaveNoNodes) {
  if (num_processes() == 1) GTEST_SKIP() << "needs another process";
  const auto how = amg::Aggregation::automatic;
  const Made alone = made_by(distributed::alone(), 1, nullptr, how);
  const Made given = made_by(all_processes(), 1, in_grid, how, num_processes() - 1);
  EXPECT_TRUE(given.are_boxes);
  EXPECT_EQ(given.aggregate_of, alone.aggregate_of);
  const Made some = made_by(all_processes(), 1, in_grid, how, num_processes() / 2);
  EXPECT_EQ(some.aggregate_of, alone.aggregate_of);
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

/// In the pool that a GPU's setup has, arrays of no entries may lie at one address.
TEST(GivenNumbers, AreKnownToProcessesWithoutNodes) {
  const Space exec;
  const ArrayPool<Space> pool(exec);
  HostShare host;
  Numbers numbers;
  if (all_processes()->rank() == num_processes() - 1)
    for (int v = 0; v < 10; ++v) {
      host.push(v, 1);
      host.end_row();
      numbers.push_back(9 - v);
    }
  const Share share(host);
  auto A = distributed::numbered(exec, all_processes(), share.rows()).matrix;
  const auto has_given_numbers = [&] {
    return distributed::node_graph(exec, distributed::level_rows(A, 1),
                                   distributed::Strength<Space>{})
        .has_given_numbers;
  };
  EXPECT_FALSE(has_given_numbers());
  A.given_numbers = on_device(numbers);
  EXPECT_TRUE(has_given_numbers());
}

}  // namespace tessera::test::given_numbers_test
