// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that a solver is given, numbered and sorted, beside a host's map of each.
#include "distributed/shares.hpp"

#include "tessera/distributed/sorted_share.hpp"

#include <map>
#include <random>

namespace tessera::test::sorted_share_test {

using ColumnNumbers = distributed::ColumnNumbers<Space>;
using Global = ColumnNumbers::Global;

template <class View>
auto host_list(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename View::non_const_value_type>(host.data(),
                                                          host.data() + host.extent(0));
}

constexpr Global num_all = 5000000000;
constexpr Global first = 3000000000;
constexpr Ordinal own = 400;

/// Distinct columns: own ones, a few on both sides, and some of those far away.
std::vector<Global> drawn_columns(std::size_t length, std::mt19937& draw) {
  std::vector<Global> from;
  for (Global column = first - 100; column < first + own + 100; ++column)
    from.push_back(column);
  from.insert(from.end(), {0, 7, num_all - 1});
  std::shuffle(from.begin(), from.end(), draw);
  from.resize(length);
  return from;
}

/// The row's entries as one finds them in the other order, by number here.
TEST(SortedShare, HasEachRowInTheOrderOfItsNumbers) {
  std::mt19937 draw(11);
  HostShare given;
  // Rows of all lengths up to where they are no longer counted, and longer ones.
  for (std::size_t row = 0; row < own; ++row) {
    auto columns = drawn_columns(row < 140 ? row : row + 100, draw);
    if (row % 3 == 1) std::ranges::sort(columns);
    if (row % 3 == 2) std::ranges::sort(columns, std::greater<>());
    for (const Global column : columns)
      given.push(column, static_cast<double>(given.columns.size()) + 0.5);
    given.end_row();
  }
  std::vector<Global> others;
  for (const Global column : given.columns)
    if (column < first || column >= first + own) others.push_back(column);
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const ColumnNumbers numbers(first, own, distributed::from_host(Space(), others));

  const Share share(given);
  const auto made = distributed::sorted_share<Space>(Space(), share.rows(), numbers, num_all);
  EXPECT_EQ(made.outside, distributed::nowhere);
  EXPECT_EQ(made.twice, distributed::nowhere);
  EXPECT_EQ(made.rows.num_rows, own);
  EXPECT_EQ(made.rows.num_cols, numbers.size());
  EXPECT_EQ(host_list(made.rows.offsets), given.offsets);
  const auto columns = host_list(made.rows.columns);
  const auto values = host_list(made.rows.values);
  const auto place = host_list(made.place);
  for (Ordinal row = 0; row < own; ++row) {
    std::map<Ordinal, std::size_t> expected;  // the places by number here
    const auto begin = static_cast<std::size_t>(given.offsets[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(given.offsets[static_cast<std::size_t>(row) + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      const Global column = given.columns[e];
      const bool is_own = column >= first && column < first + own;
      const auto other = std::ranges::lower_bound(others, column) - others.begin();
      expected[static_cast<Ordinal>(is_own ? column - first : own + other)] = e;
    }
    ASSERT_EQ(expected.size(), end - begin);
    std::size_t e = begin;
    for (const auto& [column, at] : expected) {
      ASSERT_EQ(columns[e], column) << "row " << row;
      ASSERT_EQ(place[e], static_cast<Global>(at)) << "row " << row;
      ASSERT_EQ(values[e], given.values[at]) << "row " << row;
      ++e;
    }
  }
  EXPECT_EQ(host_list(distributed::values_at<Space>(Space(), made.place, share.values)), values);
}

TEST(SortedShare, SaysWhatIsWrong) {
  const ColumnNumbers numbers(0, 3);
  const auto made_of = [&](const std::vector<std::vector<Global>>& rows) {
    HostShare given;
    for (const auto& row : rows) {
      for (const Global column : row)
        given.push(column, 1);
      given.end_row();
    }
    return distributed::sorted_share<Space>(Space(), Share(given).rows(), numbers, 3);
  };
  EXPECT_EQ(made_of({{0, 1}, {2, 3, -1}, {-1}}).outside, 3);
  EXPECT_EQ(made_of({{0, 1}, {}, {2, -1}}).outside, 3);
  EXPECT_EQ(made_of({{0, 1}, {2, 0, 2}, {1, 1}}).twice, 1);
  EXPECT_EQ(made_of({{0, 1}, {2, 0, 1}, {1, 1}}).twice, 2);
  // A row that is longer than those that are counted.
  EXPECT_EQ(made_of({std::vector<Global>(200, 1), {}, {}}).twice, 0);
  EXPECT_EQ(made_of({{2, 1, 0}, {}, {1}}).twice, distributed::nowhere);
}

TEST(SortedShare, MayBeEmpty) {
  const distributed::ShareOfRows<Space> nothing{};
  const auto made = distributed::sorted_share<Space>(Space(), nothing, ColumnNumbers(5, 0), 9);
  EXPECT_EQ(made.rows.num_rows, 0);
  EXPECT_EQ(host_list(made.rows.offsets), std::vector<Global>{0});
  EXPECT_EQ(made.outside, distributed::nowhere);
  EXPECT_EQ(made.twice, distributed::nowhere);
}

}  // namespace tessera::test::sorted_share_test
