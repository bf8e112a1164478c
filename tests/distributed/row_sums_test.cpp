// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sums of rows that several processes have made parts of, beside those of a host's maps.
#include "distributed/shares.hpp"

#include "tessera/distributed/row_sums.hpp"
#include "tessera/distributed/to_host.hpp"

#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace tessera::test::row_sums_test {

using ColumnNumbers = distributed::ColumnNumbers<Space>;
using distributed::LocalRows;
using distributed::Partition;
using Exchange = distributed::RowExchange<Space>;
using Global = ColumnNumbers::Global;
using Row = std::map<Global, double>;

template <class T, class... Properties>
std::vector<std::remove_const_t<T>> host_list(const Kokkos::View<T*, Properties...>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

/// What process `p` has of row g: whole numbers, whose sums are exact. Some rows are empty, some
/// have a column far away.
Row part_of(int p, Global g, Global all, double factor) {
  Row row;
  if ((g + p) % 11 == 5) return row;
  std::set<Global> columns{g, (g + 1) % all};
  if (g % 7 == p % 7) columns.insert((g * 13 + 5) % all);
  for (const Global column : columns)
    row[column] = factor * static_cast<double>(1 + p + 10 * g + 100 * column);
  return row;
}

/// The rows of others that process `p` has a part of: those near its own, and some farther away.
std::vector<Global> ghosts_of(const Partition& shares, int p) {
  std::vector<Global> ghosts;
  const Global first = shares.first(p);
  const Global last = first + shares.own(p);
  for (Global g = 0; g < shares.size(); ++g)
    if ((g < first || g >= last) && (g + 2 == first || g == last || g % 17 == p))
      ghosts.push_back(g);
  return ghosts;
}

/// Own rows and behind them those of `ghosts`, as this process has them.
LocalRows<Space> parts_of(const Partition& shares, const std::vector<Global>& ghosts, double factor,
                          ColumnNumbers& numbers) {
  std::vector<std::int64_t> offsets{0};
  std::vector<Global> columns;
  std::vector<double> values;
  const auto push = [&](Global g) {
    for (const auto& [column, value] : part_of(process(), g, shares.size(), factor)) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  };
  for (Ordinal i = 0; i < shares.own(); ++i)
    push(shares.first() + i);
  for (const Global g : ghosts)
    push(g);
  const auto here = numbers.add(Space(), on_device(columns));
  return {shares.own() + static_cast<Ordinal>(ghosts.size()), numbers.size(), on_device(offsets),
          here, on_device(values)};
}

void expect_sums(const LocalRows<Space>& sums, const ColumnNumbers& numbers,
                 const Partition& shares, double factor) {
  ASSERT_EQ(sums.num_rows, shares.own());
  const auto offsets = host_list(sums.offsets);
  const auto columns = host_list(sums.columns);
  const auto values = host_list(sums.values);
  for (Ordinal i = 0; i < shares.own(); ++i) {
    const Global g = shares.first() + i;
    Row expected = part_of(process(), g, shares.size(), factor);
    for (int p = 0; p < shares.processes(); ++p) {
      const auto ghosts = ghosts_of(shares, p);
      if (!std::ranges::binary_search(ghosts, g)) continue;
      for (const auto& [column, value] : part_of(p, g, shares.size(), factor))
        expected[column] += value;
    }
    Row found;
    for (auto e = offsets[static_cast<std::size_t>(i)];
         e < offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const Global column = numbers.global(Space(), columns[static_cast<std::size_t>(e)]);
      ASSERT_TRUE(found.emplace(column, values[static_cast<std::size_t>(e)]).second)
          << "row " << g << " has column " << column << " twice";
    }
    EXPECT_EQ(found, expected) << "row " << g;
  }
}

TEST(DistributedRowSums, AddPartsOfOthersAndCopyTheRest) {
  const auto processes = all_processes();
  for (const Ordinal own : {0, 1, 5, 300}) {
    const Ordinal count = process() == 1 ? own / 2 : own + process();
    const Partition shares(*processes, count);
    if (shares.size() == 0) continue;
    const auto ghosts =
        processes->size() > 1 ? ghosts_of(shares, process()) : std::vector<Global>();
    const auto plan = distributed::halo_plan(Space(), processes, shares, ghosts);
    ColumnNumbers numbers(shares.first(), shares.own());
    const auto parts = parts_of(shares, ghosts, 1, numbers);
    distributed::RowSums<Space> sums;
    ColumnNumbers of_sums = numbers;
    const auto made = sums.make(Space(), parts, shares.own(),
                                Exchange(plan, Exchange::Direction::backward), of_sums);
    EXPECT_TRUE(plan == nullptr ||
                std::ranges::is_sorted(distributed::to_host(Space(), of_sums.others())));
    expect_sums(made, of_sums, shares, 1);
    if (plan == nullptr) continue;
    const auto again = sums.remake(Space(), parts_of(shares, ghosts, 3, numbers));
    EXPECT_EQ(again.values.data(), made.values.data());
    expect_sums(again, of_sums, shares, 3);
  }
}

}  // namespace tessera::test::row_sums_test
