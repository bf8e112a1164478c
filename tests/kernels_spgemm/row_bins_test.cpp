// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The bins of rows by size, and the bound on the number of entries.

#include "tessera/kernels/spgemm/detail/row_bins.hpp"
#include "kernels_spgemm/spgemm_test.hpp"

#include <numeric>

namespace tessera::kernels::spgemm_detail::row_bins_test {

TEST(RowBins, ClassOfASize) {
  EXPECT_EQ(size_class(TableFill::full, 0), 0);
  EXPECT_EQ(size_class(TableFill::full, 16), 0);
  EXPECT_EQ(size_class(TableFill::full, 17), 1);
  EXPECT_EQ(size_class(TableFill::three_quarters, 12), 0);
  EXPECT_EQ(size_class(TableFill::three_quarters, 13), 1);
  EXPECT_EQ(size_class(TableFill::full, 8192), num_classes - 2);
  EXPECT_EQ(size_class(TableFill::full, 8193), num_classes - 1);
}

TEST(RowBins, FewRowsJoinTheNextBin) {
  SizeHistogram histogram;
  histogram.rows[0] = 10;
  histogram.rows[1] = 100'000;
  histogram.rows[2] = 100'000;
  histogram.rows[num_classes - 1] = 5;
  const auto bins = group_classes(histogram, 13);
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[0].log2_slots, 5);
  EXPECT_EQ(bins[0].count, 100'010);
  EXPECT_EQ(bins[1].first, 100'010);
  EXPECT_EQ(bins[1].count, 100'000);
  EXPECT_TRUE(bins[1].in_scratch);
  EXPECT_FALSE(bins[2].in_scratch);
  EXPECT_EQ(bins[2].first, 200'010);
}

TEST(RowBins, SmallTablesShareABin) {
  SizeHistogram histogram;
  histogram.rows[0] = 50'000;
  histogram.rows[3] = 100'000;
  histogram.rows[4] = 100'000;
  const auto bins = group_classes(histogram, 13, 7);
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_EQ(bins[0].log2_slots, 7);
  EXPECT_EQ(bins[0].first_class, 0);
  EXPECT_EQ(bins[0].last_class, 3);
  EXPECT_EQ(bins[0].count, 150'000);
  EXPECT_EQ(bins[1].log2_slots, 8);
  EXPECT_EQ(bins[1].first, 150'000);
}

TEST(RowBins, TablesBeyondScratchAreOneBin) {
  SizeHistogram histogram;
  histogram.rows[6] = 100'000;
  histogram.rows[8] = 1;
  histogram.rows[9] = 1;
  const auto bins = group_classes(histogram, 10);
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_TRUE(bins[0].in_scratch);
  EXPECT_FALSE(bins[1].in_scratch);
  EXPECT_EQ(bins[1].count, 2);
}

template <class Space>
void expect_rows_in_bins() {
  const Space exec;
  std::vector<Ordinal> sizes(50'000);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = i % 7 == 0 ? 1000 : i % 3 ? 5 : 100;
  const auto owner = test::to_device(exec, sizes);
  const SizeHistogram histogram = histogram_of_sizes<Space>(exec, TableFill::full, owner);
  EXPECT_EQ(histogram.total, std::accumulate(sizes.begin(), sizes.end(), std::int64_t(0)));
  EXPECT_EQ(sum_of_sizes<Space>(exec, owner), histogram.total);
  const auto bins = bin_rows<Space>(exec, TableFill::full, histogram, 13, owner);
  ASSERT_EQ(bins.bins.size(), 3u);
  const auto rows = test::to_host(bins.rows);
  std::vector<Ordinal> sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(sorted[i], static_cast<Ordinal>(i));
  for (const RowBin& bin : bins.bins) {
    for (Ordinal i = bin.first; i < bin.first + bin.count; ++i) {
      EXPECT_EQ(size_class(TableFill::full, sizes[rows[i]]), bin.first_class);
      EXPECT_TRUE(i == bin.first || rows[i - 1] < rows[i]) << i;
    }
  }
}

TEST(RowBins, RowsAreListedBinByBin) {
  expect_rows_in_bins<HostSpace>();
  expect_rows_in_bins<DeviceSpace>();
}

}  // namespace tessera::kernels::spgemm_detail::row_bins_test
