// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that one process gets are in the order of the application's numbers.
#include "distributed/given_grid.hpp"
#include "tessera/distributed/gathered_rows.hpp"

#include "support/device.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::test::gathered_order_test {

using namespace given_grid;
using Gathered = distributed::GatheredRows<Space>;

/// Numbers of the own unknowns in the grid.
std::vector<double> own_numbers(const SharedGrid& grid, int block) {
  std::vector<double> numbers;
  for (const auto v : grid.own)
    for (int i = 0; i < block; ++i)
      numbers.push_back(static_cast<double>(v * block + i));
  return numbers;
}

/// What a vector of these numbers is on the first process; nothing on others.
std::vector<double> gathered_numbers(Gathered& rows, const SharedGrid& grid, int block) {
  const Space exec;
  const auto own = own_numbers(grid, block);
  const auto sent = to_multivector(exec, own, own.size());
  const auto come =
      allocate_multivector<double>(exec, "come", static_cast<std::size_t>(rows.num_rows()));
  rows.gather(exec, sent, come);
  const auto returned = allocate_multivector<double>(exec, "returned", own.size());
  rows.scatter(exec, come, returned);
  exec.fence();
  EXPECT_EQ(to_host(Array<double, Space>(Kokkos::subview(returned, Kokkos::ALL, 0))), own);
  return to_host(Array<double, Space>(Kokkos::subview(come, Kokkos::ALL, 0)));
}

void expect_the_grid(const Gathered& rows, int block, double times) {
  if (!rows.has_rows()) return;
  const auto offsets = to_host(rows.rows().offsets);
  const auto columns = to_host(rows.rows().columns);
  const auto values = to_host(rows.rows().values);
  ASSERT_EQ(rows.num_rows(), num_nodes * block);
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    Numbers near = neighbours_of(v);
    std::sort(near.begin(), near.end());
    for (std::int64_t i = 0; i < block; ++i) {
      auto e = static_cast<std::size_t>(offsets[static_cast<std::size_t>(v * block + i)]);
      for (const auto w : near)
        for (std::int64_t j = 0; j < block; ++j, ++e) {
          ASSERT_EQ(columns[e], w * block + j) << v;
          ASSERT_EQ(values[e], times * static_cast<double>((v + w) * block + i + j + 1)) << v;
        }
    }
  }
}

TEST(GatheredOrder, IsThatOfGivenNumbers) {
  const Space exec;
  for (const int block : {1, 3}) {
    SCOPED_TRACE(block);
    for (const int without : {0, num_processes() - 1}) {
      // With gaps, too: what counts is the order.
      auto grid = shared_grid(
          all_processes(), block, [&](std::int64_t i) { return i / block * block * 5 + i % block; },
          without);
      Gathered rows(exec, grid.A, block);
      expect_the_grid(rows, block, 1);
      const auto come = gathered_numbers(rows, grid, block);
      std::vector<double> ascending(come.size());
      std::iota(ascending.begin(), ascending.end(), 0.0);
      EXPECT_EQ(come, ascending);
      auto values = to_host(grid.A.rows.values);
      for (double& value : values)
        value *= 2;
      Kokkos::deep_copy(grid.A.rows.values, on_device(values));
      rows.take_values(exec, grid.A);
      expect_the_grid(rows, block, 2);
    }
  }
}

/// Nodes would be taken apart, or numbers do not say which comes first.
TEST(GatheredOrder, IsThatOfProcessesElsewhere) {
  const Space exec;
  const std::vector<std::pair<int, GivenNumber>> cases = {
      {1, nullptr},
      {3, [](std::int64_t i) { return i % 3 * num_nodes + i / 3; }},
      {1, [](std::int64_t i) { return i == 700 ? 701 : i; }},
  };
  for (const auto& [block, number] : cases) {
    const auto grid = shared_grid(all_processes(), block, number);
    Gathered rows(exec, grid.A, block);
    const auto come = gathered_numbers(rows, grid, block);
    if (!rows.has_rows()) continue;
    std::vector<double> expected;
    for (const Numbers& some : nodes_by_process(num_processes(), 0))
      for (const auto v : some)
        for (int i = 0; i < block; ++i)
          expected.push_back(static_cast<double>(v * block + i));
    EXPECT_EQ(come, expected) << block;
  }
}

}  // namespace tessera::test::gathered_order_test
