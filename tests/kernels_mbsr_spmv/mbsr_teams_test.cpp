// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The kernels of a device, made to run on a host: their logic is tested where there is no device.
#include "mbsr_spmv_fixture.hpp"

#include "tessera/kernels/spmv/mbsr/detail/tile_sweep.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_analyse_impl.hpp"

namespace tessera::test::mbsr_teams_test {

template <class Param>
class MbsrTeams : public ::testing::Test {};
using TeamTypes = ::testing::Types<Mixed<double, double, HostSpace>,
                                   Mixed<float, double, HostSpace>, Mixed<Half, float, HostSpace>>;
TYPED_TEST_SUITE(MbsrTeams, TeamTypes, StoredNames);

/// As `plans` of a device, with shares of as few steps as a device has.
template <class Case>
auto team_plans(const Case& t) {
  using Space = typename Case::Space;
  auto list = t.plans();
  for (const int lanes : {4, 8, 16, 32}) {
    list.push_back(list.front());
    list.back().lanes = lanes;
  }
  list.erase(list.begin());
  const auto view = t.A.view();
  if (view.num_tiles > 0) {
    list.push_back(kernels::detail::balanced_plan<Space>(t.exec, view, 64));
    list.push_back(kernels::detail::balanced_plan<Space>(t.exec, view, 3));
  }
  return list;
}

/// Calls `test(case, plan)` for every matrix, both layouts, some numbers of columns, every plan.
template <class Param, class Test>
void for_each_team_case(const Test& test) {
  for (const auto& matrix : share_of(mbsr_spmv_matrices())) {
    for (const auto layout : tile_layouts) {
      for (const int k : {1, 3, 7}) {
        const MbsrCase<Param> t(matrix, layout, k);
        SCOPED_TRACE(std::to_string(matrix.num_rows) + " by " + std::to_string(matrix.num_cols));
        for (const auto& plan : team_plans(t)) {
          SCOPED_TRACE(std::to_string(plan.lanes) + " lanes, shares of " +
                       std::to_string(plan.steps_per_share));
          ASSERT_NO_FATAL_FAILURE(test(t, plan));
        }
      }
    }
  }
}

template <class Case, class Plan, bool teams>
void expect_residual(const Case& t, const Plan& plan, std::bool_constant<teams>) {
  using Working = typename Case::Working;
  const auto r = t.rows_by_k(all_nan<Working>(t.size()));
  const kernels::detail::SubtractFrom<Working> subtract{
      kernels::detail::Columns<const Working>(t.y), kernels::detail::Columns<Working>(r)};
  kernels::detail::sweep(t.exec, "tessera::test", plan, t.A.view(),
                         ConstMultiVectorView<Working, typename Case::Space>(t.x), subtract,
                         std::bool_constant<teams>());
  ASSERT_TRUE(is_within(to_host(r), t.residual_bound())) << (teams ? "by teams" : "by threads");
}

TYPED_TEST(MbsrTeams, EveryNumberOfLanesAndShares) {
  for_each_team_case<TypeParam>([](const auto& t, const auto& plan) {
    expect_residual(t, plan, std::true_type());
    if (plan.lanes == 4) {  // a host does not look at the lanes
      expect_residual(t, plan, std::false_type());
    }
  });
}

TESSERA_STORED_TEST(MbsrTeams, ProductAndDots) {
  const MbsrCase<TypeParam> t(poisson<double>(19, 17, 3), kernels::TileLayout::packed, 3);
  for (const auto& plan : team_plans(t)) {
    const auto y = t.rows_by_k(all_nan<Working>(t.size()));
    const Array<Working, HostSpace> result = to_device(t.exec, all_nan<Working>(t.k));
    const kernels::detail::RowUpdate<Working> update(
        kernels::detail::ScaleAdd<Working>{1, 0, kernels::detail::Columns<Working>(y)});
    const ConstMultiVectorView<Working, HostSpace> x(t.x);
    kernels::detail::sweep_and_dot<true>(t.exec, "tessera::test", plan, t.A.view(), x, update, x,
                                         ConstMultiVectorView<Working, HostSpace>(y),
                                         ArrayView<Working, HostSpace>(result));
    EXPECT_TRUE(is_within(to_host(result), t.dot_bound_with(to_host(y))));
  }
}

TEST(MapWindow, MasksAndCountsAtAnyAlignment) {
  std::vector<kernels::TileMap> maps(64);
  Random random(5);
  for (auto& map : maps)
    map = static_cast<kernels::TileMap>(random.uniform() * 65536);
  for (int shift = 0; shift < 4; ++shift) {  // arrays that do not begin at a word
    for (int from = 0; from < 20; ++from) {
      for (int to = from; to < 30; ++to) {
        const int first = from - from % 4;
        const kernels::TileMap* const shifted = maps.data() + shift;
        const kernels::detail::MapWindow window(shifted, first, from, to);
        int before = 0;
        for (int q = 0; q < kernels::detail::tiles_per_window; ++q) {
          const bool inside = first + q >= from && first + q < to;
          const unsigned expected = inside ? shifted[first + q] : 0;
          ASSERT_EQ(window.map(q), expected);
          ASSERT_EQ(window.entries_before(q), before);
          before += kernels::count_bits(expected);
        }
        ASSERT_EQ(window.entries(), before);
      }
    }
  }
}

}  // namespace tessera::test::mbsr_teams_test
