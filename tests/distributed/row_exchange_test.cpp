// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that processes send each other, the numbers that their columns get, and sums of rows,
/// beside what a host's map makes of them.
#include "distributed/shares.hpp"

#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/row_stack.hpp"

#include <map>
#include <random>
#include <set>
#include <type_traits>

namespace tessera::test::row_exchange_test {

using ColumnNumbers = distributed::ColumnNumbers<Space>;
using distributed::LocalRows;
using distributed::Partition;
using Exchange = distributed::RowExchange<Space>;
using Global = ColumnNumbers::Global;

template <class T, class... Properties>
std::vector<std::remove_const_t<T>> host_list(const Kokkos::View<T*, Properties...>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

TEST(ColumnNumbers, AreThoseOfAMap) {
  std::mt19937 draw(7);
  const Space exec;
  constexpr Global first = 1000;
  constexpr Ordinal own = 50;
  const auto columns = [&](std::size_t count, Global from, Global to) {
    std::vector<Global> made(count);
    for (Global& column : made)
      column = std::uniform_int_distribution<Global>(from, to)(draw);
    return made;
  };
  ColumnNumbers numbers(exec, first, own, on_device(std::vector<Global>{2000000000000, 3, 999}));
  std::map<Global, Ordinal> expected{{2000000000000, 50}, {3, 51}, {999, 52}};
  for (const auto& added :
       {columns(300, 900, 1200), columns(0, 0, 1), columns(1, 5, 5), columns(5000, 0, 3000),
        std::vector<Global>{1050, 1049, 1000, 999, 2000000000000, 2000000000001}}) {
    std::set<Global> unknown(added.begin(), added.end());
    for (const Global column : unknown)
      if ((column < first || column >= first + own) && expected.count(column) == 0)
        expected.emplace(column, own + static_cast<Ordinal>(expected.size()));
    const auto found = host_list(numbers.add(exec, on_device(added)));
    const auto others = host_list(numbers.others());
    ASSERT_EQ(found.size(), added.size());
    for (std::size_t e = 0; e < added.size(); ++e) {
      const bool is_own = added[e] >= first && added[e] < first + own;
      ASSERT_EQ(found[e], is_own ? static_cast<Ordinal>(added[e] - first) : expected[added[e]]);
      ASSERT_EQ(is_own ? first + found[e] : others[static_cast<std::size_t>(found[e] - own)],
                added[e]);
    }
    ASSERT_EQ(others.size(), expected.size());
    auto sorted = others;
    std::ranges::sort(sorted);
    ASSERT_EQ(host_list(numbers.ascending_others()), sorted);
    EXPECT_EQ(numbers.global(exec, numbers.size() - 1), others.back());
  }
  std::vector<Ordinal> used(numbers.others().extent(0));
  for (Ordinal& is_used : used)
    is_used = static_cast<Ordinal>(draw() % 2);
  const auto before = host_list(numbers.others());
  const auto kept = host_list(numbers.keep(exec, on_device(used)));
  ASSERT_TRUE(std::ranges::is_sorted(host_list(numbers.others())));
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(kept[i] >= 0, used[i] != 0);
    if (used[i] != 0) {
      ASSERT_EQ(numbers.global(exec, kept[i]), before[i]);
    }
  }
  // Those left out get new numbers.
  const auto again = host_list(numbers.add(exec, on_device(before)));
  for (std::size_t i = 0; i < before.size(); ++i)
    ASSERT_EQ(numbers.global(exec, again[i]), before[i]);
  EXPECT_EQ(numbers.others().extent(0), before.size());
}

TEST(NumbersOfOthers, AreEachOnceAndSorted) {
  std::mt19937 draw(3);
  for (const std::size_t count : {0U, 1U, 1000U}) {
    std::vector<Global> numbers(count);
    for (Global& number : numbers)
      number = static_cast<Global>(draw() % 300) - 20;
    std::set<Global> expected;
    for (const Global number : numbers)
      if (number >= 0 && (number < 100 || number >= 150)) expected.insert(number);
    EXPECT_EQ(
        host_list(distributed::numbers_of_others<Space>(Space(), on_device(numbers), 100, 50)),
        std::vector<Global>(expected.begin(), expected.end()));
  }
}

TEST(SumOfRows, HasEachRowAndThoseThatBelongToIt) {
  std::mt19937 draw(5);
  for (const Ordinal num_rows : {0, 1, 7, 400}) {
    for (const std::size_t count : {0U, 3U, 900U}) {
      if (num_rows == 0 && count > 0) continue;
      std::vector<Ordinal> belongs(count);
      for (Ordinal& row : belongs)
        row = static_cast<Ordinal>(draw() % static_cast<unsigned>(num_rows));
      const auto sums =
          distributed::sum_of_rows(Space(), num_rows, distributed::from_host(Space(), belongs));
      std::vector<std::int64_t> offsets{0};
      std::vector<Ordinal> columns;
      for (Ordinal i = 0; i < num_rows; ++i) {
        columns.push_back(i);
        for (std::size_t k = 0; k < count; ++k)
          if (belongs[k] == i) columns.push_back(num_rows + static_cast<Ordinal>(k));
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
      }
      EXPECT_EQ(host_list(sums.offsets), offsets);
      EXPECT_EQ(host_list(sums.columns), columns);
      EXPECT_EQ(host_list(sums.values), std::vector<double>(columns.size(), 1.0));
      EXPECT_EQ(sums.num_cols, num_rows + static_cast<Ordinal>(count));
    }
  }
}

/// What process `p` has in the row of number g: every fifth one is empty.
std::vector<Global> columns_of(Global g, int p, Global all) {
  std::vector<Global> columns;
  for (Global k = 0; k < g % 5; ++k)
    columns.push_back((7 * g + 3 * k * k + p) % all);
  return columns;
}

/// Own rows and those of `ghosts`, as this process has them, with columns numbered here.
struct RowsHere {
  ColumnNumbers numbers;
  LocalRows<Space> rows;

  RowsHere(const Partition& shares, const std::vector<Global>& ghosts) {
    numbers = ColumnNumbers(shares.first(), shares.own());
    std::vector<std::int64_t> offsets{0};
    std::vector<Global> columns;
    std::vector<double> values;
    const auto push = [&](Global g) {
      for (const Global column : columns_of(g, process(), shares.size())) {
        columns.push_back(column);
        values.push_back(static_cast<double>(g * 1000 + column));
      }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    };
    for (Ordinal i = 0; i < shares.own(); ++i)
      push(shares.first() + i);
    for (const Global g : ghosts)
      push(g);
    const auto here = numbers.add(Space(), on_device(columns));
    rows = {shares.own() + static_cast<Ordinal>(ghosts.size()), numbers.size(), on_device(offsets),
            here, on_device(values)};
  }
};

TEST(DistributedRowExchange, SendsPatternsAndValues) {
  const auto processes = all_processes();
  for (const Ordinal own : {0, 1, 40}) {
    const Ordinal count = process() == 1 ? 0 : own + process();
    const Partition shares(*processes, count);
    if (shares.size() == 0) continue;
    std::vector<Global> ghosts;
    for (Global g = process() % 3; g < shares.size(); g += 3)
      if (!shares.is_own(g)) ghosts.push_back(g);
    const auto plan = distributed::halo_plan(Space(), processes, shares, ghosts);
    const RowsHere given(shares, ghosts);
    for (const auto direction : {Exchange::Direction::forward, Exchange::Direction::backward}) {
      const bool is_forward = direction == Exchange::Direction::forward;
      Exchange exchange(plan, direction);
      const auto received = exchange.pattern(Space(), given.rows, given.numbers);
      if (plan == nullptr) {
        EXPECT_EQ(received.num_rows(), 0);
        continue;
      }
      const auto exports = host_list(plan->exports);
      std::vector<std::int64_t> offsets{0};
      std::vector<Global> columns;
      std::vector<double> values;
      const auto expect_row = [&](Global g, int sender) {
        for (const Global column : columns_of(g, sender, shares.size())) {
          columns.push_back(column);
          values.push_back(static_cast<double>(g * 1000 + column));
        }
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
      };
      for (const auto& n : is_forward ? plan->senders : plan->receivers)
        for (Ordinal r = n.first; r < n.first + n.length; ++r)
          expect_row(is_forward ? ghosts[static_cast<std::size_t>(r)]
                                : shares.first() + exports[static_cast<std::size_t>(r)],
                     n.process);
      EXPECT_EQ(host_list(received.offsets), offsets);
      EXPECT_EQ(host_list(received.columns), columns);
      for (int round = 0; round < 2; ++round) {
        const Array<double, Space> come("come", values.size());
        exchange.values(Space(), given.rows, come);
        EXPECT_EQ(host_list(come), values);
      }
    }
  }
}

}  // namespace tessera::test::row_exchange_test
