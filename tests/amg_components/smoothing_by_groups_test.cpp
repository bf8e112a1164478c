// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/device.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/detail/smoothing_by_groups.hpp"
#include "tessera/amg/coarsening/detail/smoothing_by_rows.hpp"
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <limits>

namespace tessera::test::smoothing_by_lanes_test {

struct GroupsCase {
  const char* name;
  Ordinal num_nodes;
  Ordinal groups;
  int block_size = 1;
  Ordinal m = 1;
  double density = 0.1;
  double theta = 0;
  double empty_rows = 0;
  bool diagonal = true;
  bool unsorted = false;
  bool duplicates = false;
  bool weights = false;
  std::size_t longest_row = std::numeric_limits<std::size_t>::max();
};

/// A random matrix with a dense row, and with what the case asks for.
template <class Scalar>
HostMatrix<Scalar> groups_matrix(const GroupsCase& c) {
  const Ordinal n = c.num_nodes * c.block_size;
  const auto random = random_matrix<Scalar>({.num_rows = n,
                                             .num_cols = n,
                                             .density = c.density,
                                             .empty_row_fraction = c.empty_rows,
                                             .dense_row = n / 2,
                                             .unsorted = c.unsorted,
                                             .seed = 11});
  return by_rows<Scalar>(n, n, [&](auto& A, Ordinal i) {
    const auto begin = random.offsets[i];
    const auto end = random.offsets[i + 1];
    for (auto e = begin; e < end; ++e) {
      if (random.columns[e] != i) A.push(random.columns[e], random.values[e]);
      if (c.duplicates && e % 3 == 0) A.push(random.columns[e], Scalar(0.25) * random.values[e]);
    }
    if (c.diagonal && end > begin) A.push(i, Scalar(2) + Scalar(0.1) * Scalar(end - begin));
  });
}

template <class Scalar, class Space, class Offset>
void expect_same(const kernels::Csr<Scalar, Space, Offset>& found,
                 const kernels::Csr<Scalar, Space, Offset>& expected, const GroupsCase& c,
                 bool exact) {
  ASSERT_EQ(to_host(found.offsets), to_host(expected.offsets)) << c.name;
  ASSERT_EQ(to_host(found.columns), to_host(expected.columns)) << c.name;
  const auto values = to_host(found.values);
  const auto others = to_host(expected.values);
  if (exact) {
    ASSERT_EQ(values, others) << c.name;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    ASSERT_NEAR(values[k], others[k], 1000 * std::numeric_limits<Scalar>::epsilon())
        << c.name << " " << k;
  }
}

/// P with room for all rows and with room for few, and its values once more into it.
template <class Scalar, class Space, class Offset>
void check_groups(const Space& exec, const amg::detail::SmoothingInput<Scalar, Space, Offset>& in,
                  const kernels::Csr<Scalar, Space, Offset>& rows, Ordinal capacity,
                  const GroupsCase& c, bool exact) {
  const bool on_host = kernels::is_host_space<Space>;
  for (const int lanes : on_host ? std::vector{1} : std::vector{4, 8, 16, 32}) {
    for (const int log2_stride : {3, 5}) {
      kernels::RowLengths lengths;
      const auto P = amg::detail::SmoothingByGroups(exec, in, 0.6, {{lanes, capacity}, log2_stride})
                         .run(&lengths);
      expect_same(P, rows, c, exact);
      const auto offsets = to_host(P.offsets);
      Offset longest = 0;
      for (std::size_t i = 1; i < offsets.size(); ++i)
        longest = std::max(longest, offsets[i] - offsets[i - 1]);
      EXPECT_EQ(lengths.longest, longest) << c.name;
      EXPECT_EQ(lengths.total, offsets.back()) << c.name;
      Kokkos::deep_copy(exec, P.values, Scalar(-7));
      amg::detail::fill_by_groups(exec, "tessera::test", in,
                                  amg::detail::SmoothedRows<Scalar, Space, Offset, true>{
                                      Scalar(0.6), P.offsets, P.columns, P.values},
                                  {lanes, capacity});
      expect_same(P, rows, c, exact);
    }
  }
}

template <class Offset, class Scalar, class Space>
void check_case(const Space& exec, const GroupsCase& c) {
  const auto A = groups_matrix<Scalar>(c);
  const Ordinal n = A.num_rows;
  Random random(3);
  std::vector<Ordinal> aggregate_of(c.num_nodes);
  for (Ordinal& g : aggregate_of)
    g = random.uniform() < 0.15 ? -1 : random.below(c.groups);
  auto near_nullspace = random_vector<Scalar>(static_cast<std::size_t>(n) * c.m);
  for (Scalar& value : near_nullspace)
    value = Scalar(1) + Scalar(0.3) * value;
  const auto B = to_multivector(exec, near_nullspace, n, c.m);
  const kernels::Aggregates<Space> aggregates{c.groups, to_device(exec, aggregate_of)};
  const auto tentative = amg::tentative_prolongator<Offset>(
      exec, aggregates, ConstMultiVectorView<Scalar, Space>(B), c.block_size);
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale = kernels::coupling_scale(exec, csr.view(), StrengthMeasure::largest);
  amg::WeakFilter<Space> filter;
  if (c.theta > 0) filter = {c.theta, scale, 1.8};
  const Array<Scalar, Space> inverse = to_device(exec, inverse_diagonal_of(A));
  auto in = amg::detail::smoothing_input<Scalar, Space, Offset>(csr.view(), inverse, tentative,
                                                                filter, c.longest_row);
  const auto weights = to_device(exec, random_vector<Scalar>(n, 9));
  if (c.weights) in.weights = weights;

  const auto rows = amg::detail::smoothed_by_rows(exec, in, 0.6);
  // Where weak entries are left out, lanes sum these in an order of their own.
  const bool exact = c.theta == 0;
  for (const Ordinal capacity : {8, 24, 512})
    check_groups(exec, in, rows, capacity, c, exact);

  // Whatever the mean row would choose.
  filter.in_order = true;
  const ArrayView<const Scalar, Space> given = in.weights;
  const auto P = amg::smooth_prolongator(exec, csr.view(), inverse, 0.6, tentative, filter,
                                         c.longest_row, given);
  expect_same(P, rows, c, true);
  Kokkos::deep_copy(exec, P.values, Scalar(-7));
  amg::smooth_prolongator_numeric(exec, csr.view(), inverse, 0.6, tentative, P, filter,
                                  c.longest_row, given);
  expect_same(P, rows, c, true);
}

TESSERA_TEST_SUITE(SmoothingByGroupsTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(SmoothingByGroupsTest, GivesWhatOneThreadARowGives) {
  const std::vector<GroupsCase> cases{
      {.name = "no rows", .num_nodes = 0, .groups = 1},
      {.name = "one row", .num_nodes = 1, .groups = 1, .density = 1},
      {.name = "sparse", .num_nodes = 200, .groups = 30, .density = 0.04},
      {.name = "many aggregates", .num_nodes = 150, .groups = 140, .density = 0.7},
      {.name = "filtered", .num_nodes = 150, .groups = 30, .density = 0.1, .theta = 0.3},
      {.name = "filtered, long rows",
       .num_nodes = 150,
       .groups = 110,
       .density = 0.5,
       .theta = 0.05},
      {.name = "filtered, duplicates",
       .num_nodes = 120,
       .groups = 30,
       .theta = 0.2,
       .empty_rows = 0.2,
       .unsorted = true,
       .duplicates = true,
       .weights = true},
      {.name = "blocks, m = 6", .num_nodes = 40, .groups = 12, .block_size = 3, .m = 6},
      {.name = "blocks, m = 3",
       .num_nodes = 60,
       .groups = 50,
       .block_size = 3,
       .m = 3,
       .density = 0.4,
       .unsorted = true,
       .weights = true},
      {.name = "two near-nullspace vectors",
       .num_nodes = 80,
       .groups = 20,
       .m = 2,
       .duplicates = true},
      {.name = "empty rows", .num_nodes = 120, .groups = 25, .empty_rows = 0.5},
      {.name = "no diagonal", .num_nodes = 120, .groups = 25, .diagonal = false},
      {.name = "no diagonal, blocks",
       .num_nodes = 40,
       .groups = 15,
       .block_size = 2,
       .m = 2,
       .diagonal = false},
      {.name = "unsorted, duplicates",
       .num_nodes = 120,
       .groups = 25,
       .unsorted = true,
       .duplicates = true,
       .weights = true},
      {.name = "hubs", .num_nodes = 120, .groups = 25, .density = 0.15, .longest_row = 17},
      {.name = "hubs, filtered",
       .num_nodes = 120,
       .groups = 25,
       .density = 0.15,
       .theta = 0.2,
       .longest_row = 17},
      {.name = "hubs, blocks",
       .num_nodes = 40,
       .groups = 15,
       .block_size = 3,
       .m = 6,
       .density = 0.15,
       .longest_row = 17}};
  for (const auto& c : cases)
    check_case<Offset, Scalar>(exec, c);
}

TEST(GroupShape, HasRoomForTwiceTheRootOfTheMeanRow) {
  EXPECT_EQ(amg::detail::group_shape(15).stride(), 8);
  EXPECT_EQ(amg::detail::group_shape(27).stride(), 16);
  EXPECT_EQ(amg::detail::group_shape(62).stride(), 16);
  EXPECT_EQ(amg::detail::group_shape(1e6).stride(), 32);
  EXPECT_EQ(amg::detail::group_shape(81, 3).stride(), 16);
  EXPECT_EQ(amg::detail::group_shape(62).rows.lanes, amg::detail::lane_shape(62).lanes);
}

TEST(LaneShape, SuitsTheMeanRow) {
  for (const double mean : {0.0, 1.0, 7.0, 27.0, 81.0, 120.0, 1e6}) {
    const auto shape = amg::detail::lane_shape(mean);
    EXPECT_GE(shape.lanes, 4);
    EXPECT_LE(shape.lanes, 32);
    EXPECT_EQ(shape.capacity % 8, 0);
    EXPECT_GE(shape.capacity, std::min(2 * mean, 512.0));
  }
  EXPECT_EQ(amg::detail::lane_shape(7).lanes, 4);
  EXPECT_EQ(amg::detail::lane_shape(27).lanes, 8);
  EXPECT_EQ(amg::detail::lane_shape(120).lanes, 32);
}

}  // namespace tessera::test::smoothing_by_lanes_test
