// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Passes over rows by groups of lanes: each row once, and sums over all of them.
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/row_lanes.hpp"

#include <vector>

namespace tessera::test::row_lanes_test {

/// Adds lane + 1 of each lane to its row, 1 by a thread.
template <class Space>
struct MarkRows {
  Array<int, Space> marks;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { marks(i) += 1; }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    const int sum = group.sum(group.lane() + 1);
    if (i >= 0 && group.lane() == 0) marks(i) += sum;
  }
};

/// Each row's number, by one lane.
template <class Space>
struct AddRows {
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i,
                                  std::int64_t& sum) const {
    if (i >= 0 && group.lane() == group.size() - 1) sum += i;
  }
};

template <class Space>
void expect_each_row_once(Ordinal num_rows, int lanes) {
  SCOPED_TRACE(std::to_string(num_rows) + " rows by " + std::to_string(lanes));
  const Space exec;
  const auto marks = to_device(exec, std::vector<int>(num_rows, 0));
  kernels::for_each_row(exec, "mark", num_rows, lanes, MarkRows<Space>{marks});
  const int width = kernels::is_host_space<Space> ? 1 : lanes;
  const int by_groups = width * (width + 1) / 2;
  EXPECT_EQ(to_host(marks), std::vector<int>(num_rows, by_groups));
  kernels::for_each_row(exec, "mark", num_rows, 0, MarkRows<Space>{marks});
  EXPECT_EQ(to_host(marks), std::vector<int>(num_rows, by_groups + 1));
  std::int64_t sum = -1;
  kernels::sum_of_rows<std::int64_t>(exec, "sum", num_rows, lanes, AddRows<Space>{}, sum);
  EXPECT_EQ(sum, std::int64_t(num_rows) * (num_rows - 1) / 2);
}

template <class Space>
void expect_visits() {
  for (const Ordinal num_rows : {0, 1, 31, 1000, 70000}) {
    for (const int lanes : {4, 8, 16, 32})
      expect_each_row_once<Space>(num_rows, lanes);
  }
}

TEST(RowsByGroups, OfAHostAreVisitedOnce) { expect_visits<HostSpace>(); }

TEST(RowsByGroups, OfADeviceAreVisitedOnce) {
  if (kernels::is_host_space<DeviceSpace>) GTEST_SKIP() << "the device is the host";
  expect_visits<DeviceSpace>();
}

}  // namespace tessera::test::row_lanes_test
