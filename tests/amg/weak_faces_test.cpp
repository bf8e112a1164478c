// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Grids with weak faces, as between two materials with a thin insulating layer: no aggregate may
/// reach across one, however few they are.
#include "support/systems.hpp"

#include <ostream>
#include <set>

namespace tessera::test::weak_faces_test {

/// A grid and where its faces are weak.
struct Case {
  std::string name;
  Ordinal nx, ny, nz;
  std::function<bool(int d, Ordinal x, Ordinal y, Ordinal z)> weak;
  int iterations;  ///< as recorded, give or take one
  std::string aggregation;  ///< how the name of the finest level's begins

  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

/// Whole planes of one direction.
auto planes(int direction, const std::set<Ordinal>& at) {
  return [=](int d, Ordinal x, Ordinal y, Ordinal z) {
    const Ordinal coordinate = d == 0 ? x : d == 1 ? y : z;
    return d == direction && at.contains(coordinate);
  };
}

/// Every `one_in`-th face or so.
auto scattered(std::uint32_t one_in) {
  return [=](int d, Ordinal x, Ordinal y, Ordinal z) {
    const auto place = static_cast<std::uint32_t>(x + 1000 * (y + 1000 * z));
    return kernels::hash32(place, d) % one_in == 0;
  };
}

class WeakFaces : public ::testing::TestWithParam<Case> {};

TEST_P(WeakFaces, CostNoIterations) {
  const Case& c = GetParam();
  const auto weight = [&](int d, Ordinal x, Ordinal y, Ordinal z) {
    return c.weak(d, x, y, z) ? 1e-3 : 1.0;
  };
  const auto solved = solve_hashed(grid_network(c.nx, c.ny, c.nz, weight).matrix());
  EXPECT_NEAR(solved.result.iterations, c.iterations, 1);
  const std::string& aggregation = solved.hierarchy.levels.front().aggregation;
  EXPECT_EQ(aggregation.rfind(c.aggregation, 0), 0u) << aggregation;
  std::cout << c << ": " << solved.result.iterations << " iterations, " << aggregation
            << ", operator complexity " << solved.hierarchy.operator_complexity << '\n';
}

bool slit(int d, Ordinal x, Ordinal y, Ordinal) {
  return d == 0 && x == 149 && y >= 100 && y < 200;
}
bool crossing(int d, Ordinal x, Ordinal y, Ordinal) {
  return (d == 0 && x == 76) || (d == 1 && y == 121);
}

INSTANTIATE_TEST_SUITE_P(
    Planes, WeakFaces,
    ::testing::Values(
        Case{"seven of x", 500, 500, 1, planes(0, {37, 76, 118, 160, 277, 333, 401}), 17, "boxes"},
        Case{"four of x", 200, 200, 1, planes(0, {37, 76, 118, 160}), 15, "boxes"},
        Case{"four of y", 200, 200, 1, planes(1, {37, 76, 118, 160}), 15, "boxes"},
        Case{"between squares of three", 200, 200, 1, planes(0, {38, 77, 119, 161}), 15, "boxes"},
        Case{"at equal distances", 200, 200, 1, planes(0, {39, 79, 119, 159}), 11, "boxes"},
        Case{"one beside another", 200, 200, 1, planes(0, {50, 51, 52, 90, 92, 95}), 18, "boxes"},
        Case{"crossing", 200, 200, 1, crossing, 14, "boxes"},
        Case{"three of z", 40, 40, 40, planes(2, {9, 22, 30}), 13, "mis2"}));

INSTANTIATE_TEST_SUITE_P(Others, WeakFaces,
                         ::testing::Values(Case{"a slit", 300, 300, 1, slit, 15, "mis2"},
                                           Case{"1 %", 200, 200, 1, scattered(100), 15, "mis2"},
                                           Case{"5 %", 200, 200, 1, scattered(20), 16, "mis2"}));

}  // namespace tessera::test::weak_faces_test
