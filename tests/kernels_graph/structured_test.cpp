// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <numeric>
#include <set>
#include <utility>

namespace tessera::test::structured_test {

using kernels::Box;

TESSERA_TEST_SUITE(StructuredTest, Matrices, TypeNames);

template <class Offset, class Space>
auto cut(const Space& exec, const Neighbours& neighbours, Ordinal width = 3,
         const std::optional<Box>& hint = std::nullopt) {
  return kernels::aggregate_structured(exec, make_graph<Offset>(exec, neighbours), width, hint);
}

/// The pieces of a line: all of `width` points but the last one.
Ordinal piece(Ordinal at, Ordinal width, Ordinal num_pieces) {
  return std::min(at / width, num_pieces - 1);
}

template <class Result>
void expect_boxes(const Result& result, const Box& fine, const Box& coarse, Ordinal width,
                  const std::string& what) {
  ASSERT_TRUE(result.has_value()) << what;
  EXPECT_EQ(result->fine, fine) << what << ": " << result->fine.nx << " " << result->fine.ny << " "
                                << result->fine.nz;
  EXPECT_EQ(result->coarse, coarse)
      << what << ": " << result->coarse.nx << " " << result->coarse.ny << " " << result->coarse.nz;
  EXPECT_EQ(result->aggregates.num_aggregates, coarse.size()) << what;
  const auto aggregate_of = to_host(result->aggregates.aggregate_of);
  const auto width_of = [&](Ordinal n, Ordinal pieces) { return n == pieces ? 1 : width; };
  for (Ordinal v = 0; v < fine.size(); ++v) {
    const Ordinal x = piece(v % fine.nx, width_of(fine.nx, coarse.nx), coarse.nx);
    const Ordinal y = piece(v / fine.nx % fine.ny, width_of(fine.ny, coarse.ny), coarse.ny);
    const Ordinal z = piece(v / fine.nx / fine.ny, width_of(fine.nz, coarse.nz), coarse.nz);
    ASSERT_EQ(aggregate_of[v], x + coarse.nx * (y + coarse.ny * z)) << what << ", node " << v;
  }
}

using Stencil = std::function<bool(int, int, int)>;

/// Pieces of `width` points, found where `cut_width` is asked for.
template <class Offset, class Space>
void expect_cut(const Space& exec, const Box& fine, const Stencil& stencil, const Box& coarse,
                const std::string& what, Ordinal width = 3, Ordinal cut_width = 3) {
  expect_boxes(cut<Offset>(exec, stencil_graph(fine.nx, fine.ny, fine.nz, stencil), cut_width),
               fine, coarse, width, what);
}

TESSERA_TYPED_TEST(StructuredTest, FindsBoxesOfEveryStencil) {
  const auto wide_star = [](int dx, int dy, int dz) {
    return (dx != 0) + (dy != 0) + (dz != 0) == 1;
  };
  const std::vector<Stencil> stencils{is_star, is_full, wide_star};
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    const std::string what = "stencil " + std::to_string(s);
    expect_cut<Offset>(exec, {32, 45, 1}, stencils[s], {11, 15, 1}, what + " 2D");
    expect_cut<Offset>(exec, {21, 21, 1}, stencils[s], {7, 7, 1}, what + " square");
    expect_cut<Offset>(exec, {11, 13, 10}, stencils[s], {4, 4, 3}, what + " 3D");
    expect_cut<Offset>(exec, {9, 9, 9}, stencils[s], {5, 5, 5}, what + " cube by twos", 2, 2);
  }
  expect_cut<Offset>(exec, {100, 1, 1}, is_star, {33, 1, 1}, "a line");
  expect_cut<Offset>(exec, {70, 60, 1}, is_full, {23, 20, 1}, "more nodes than the sample");
}

/// A stencil that reaches two lines fits a plane that is folded into pairs of lines, too.
TESSERA_TYPED_TEST(StructuredTest, LongReachIsNoThickness) {
  const auto long_reach = [](int dx, int dy, int) {
    return std::abs(dx) <= 1 && std::abs(dy) <= 2;
  };
  expect_cut<Offset>(exec, {29, 42, 1}, long_reach, {10, 14, 1}, "a plane");
  const auto along = [](int dx, int, int) { return std::abs(dx) <= 2; };
  expect_cut<Offset>(exec, {100, 1, 1}, along, {33, 1, 1}, "a line");
  expect_cut<Offset>(exec, {12, 2, 20}, is_full, {4, 1, 7}, "a plate, 27 points");
  expect_cut<Offset>(exec, {12, 2, 20}, is_star, {4, 1, 7}, "a plate, 7 points");
  expect_cut<Offset>(exec, {2, 40, 1}, is_full, {1, 13, 1}, "a strip");
}

TESSERA_TYPED_TEST(StructuredTest, AutomaticWidthFollowsTheStencil) {
  const auto lines = [](int dx, int dy, int) { return dx == 0 && std::abs(dy) == 1; };
  expect_cut<Offset>(exec, {20, 21, 1}, is_full, {7, 7, 1}, "9 points", 3, 0);
  expect_cut<Offset>(exec, {9, 10, 8}, is_star, {5, 5, 4}, "7 points", 2, 0);
  expect_cut<Offset>(exec, {20, 21, 1}, lines, {20, 7, 1}, "lines", 3, 0);
}

/// Each aggregate with members is connected within itself, and has at most `most` of them.
template <class Result>
void expect_connected(const Result& result, const Neighbours& neighbours, std::size_t most,
                      const std::string& what) {
  SCOPED_TRACE(what);
  const auto aggregate_of = to_host(result->aggregates.aggregate_of);
  EXPECT_EQ(std::count(aggregate_of.begin(), aggregate_of.end(), -1), 0);
  for (const auto& group :
       connected_groups(neighbours, aggregate_of, result->aggregates.num_aggregates))
    EXPECT_LE(group.size(), most);
}

TESSERA_TYPED_TEST(StructuredTest, FivePointAggregatesAreStaggeredAndConnected) {
  for (const auto& [nx, ny] : {std::pair{20, 21}, {21, 20}, {22, 23}, {48, 31}}) {
    const auto neighbours = stencil_graph(nx, ny, 1, is_star);
    const auto result = cut<Offset>(exec, neighbours, 0);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->fine, (Box{nx, ny, 1}));
    ASSERT_EQ(result->coarse.size(), result->aggregates.num_aggregates);
    expect_connected(result, neighbours, 10, std::to_string(nx) + " by " + std::to_string(ny));
    EXPECT_NEAR(nx * ny / 6.0, static_cast<double>(result->coarse.size()),
                0.2 * static_cast<double>(result->coarse.size()));
  }
}

/// Takes the edges away for which `is_weak(v, w)`, with v < w.
Neighbours without(Neighbours neighbours, const std::function<bool(Ordinal, Ordinal)>& is_weak) {
  for (Ordinal v = 0; v < static_cast<Ordinal>(neighbours.size()); ++v) {
    std::erase_if(neighbours[v],
                  [&](Ordinal w) { return is_weak(std::min(v, w), std::max(v, w)); });
  }
  return neighbours;
}

TESSERA_TYPED_TEST(StructuredTest, PiecesEndWherePlanesAreNotConnected) {
  const Ordinal nx = 32;
  const Ordinal ny = 45;
  // Between the columns 13 and 14, 14 and 15, and between the lines 7 and 8.
  const auto run_x = [](Ordinal x) { return x < 14 ? 0 : x < 15 ? 1 : 2; };
  const auto run_y = [](Ordinal y) { return y < 8 ? 0 : 1; };
  const auto is_weak = [&](Ordinal v, Ordinal w) {
    return run_x(v % nx) != run_x(w % nx) || run_y(v / nx) != run_y(w / nx);
  };
  const auto boxes = cut<Offset>(exec, without(stencil_graph(nx, ny, 1, is_full), is_weak), 0);
  ASSERT_TRUE(boxes.has_value());
  EXPECT_EQ(boxes->coarse, (Box{5 + 1 + 6, 3 + 12, 1}));
  const auto aggregate_of = to_host(boxes->aggregates.aggregate_of);
  for (Ordinal v = 0; v < nx * ny; ++v) {
    const Ordinal x = v % nx;
    const Ordinal y = v / nx;
    const Ordinal coarse_x = x < 14 ? piece(x, 3, 5) : x < 15 ? 5 : 6 + piece(x - 15, 3, 6);
    const Ordinal coarse_y = y < 8 ? piece(y, 3, 3) : 3 + piece(y - 8, 3, 12);
    ASSERT_EQ(aggregate_of[v], coarse_x + 12 * coarse_y) << v;
  }
  const auto five_points = without(stencil_graph(nx, ny, 1, is_star), is_weak);
  const auto staggered = cut<Offset>(exec, five_points, 0);
  ASSERT_TRUE(staggered.has_value());
  EXPECT_EQ(staggered->coarse.size(), staggered->aggregates.num_aggregates);
  expect_connected(staggered, five_points, 10, "staggered");

  const auto layers = [](Ordinal v, Ordinal w) { return v / 120 <= 4 && w / 120 > 4; };
  const auto in_space = without(stencil_graph(12, 10, 9, is_star), layers);
  EXPECT_FALSE(cut<Offset>(exec, in_space, 0).has_value()) << "no twos beside a cut by themselves";
  const auto twos = cut<Offset>(exec, in_space, 2);
  ASSERT_TRUE(twos.has_value());
  EXPECT_EQ(twos->coarse, (Box{6, 5, 3 + 2}));
  expect_connected(twos, in_space, 12, "in space");
}

TESSERA_TYPED_TEST(StructuredTest, CoarseGraphIsABoxAgain) {
  // A prolongator smoothed once reaches a point beyond each aggregate, so that aggregates with
  // points up to three steps apart are coupled on the coarse level.
  const Ordinal nx = 23;
  const Ordinal ny = 14;
  const Ordinal nz = 10;
  const auto result = cut<Offset>(exec, stencil_graph(nx, ny, nz, is_star));
  ASSERT_TRUE(result.has_value());
  const auto aggregate_of = to_host(result->aggregates.aggregate_of);
  std::vector<std::set<Ordinal>> coupled(result->aggregates.num_aggregates);
  for (Ordinal v = 0; v < nx * ny * nz; ++v) {
    const Ordinal x = v % nx;
    const Ordinal y = v / nx % ny;
    const Ordinal z = v / (nx * ny);
    for (Ordinal w = 0; w < nx * ny * nz; ++w) {
      const Ordinal steps =
          std::abs(w % nx - x) + std::abs(w / nx % ny - y) + std::abs(w / (nx * ny) - z);
      if (steps <= 3 && aggregate_of[v] != aggregate_of[w]) {
        coupled[aggregate_of[v]].insert(aggregate_of[w]);
      }
    }
  }
  Neighbours coarse;
  for (const auto& row : coupled)
    coarse.emplace_back(row.begin(), row.end());
  const auto graph = make_graph<Offset>(exec, coarse);
  EXPECT_EQ(kernels::fit_box(exec, graph, result->coarse, 1).misfits, 0)
      << "coarse stencils reach one point";
  const Box next{3, 2, 1};
  expect_boxes(cut<Offset>(exec, coarse, 3, result->coarse), {8, 5, 3}, next, 3, "with the hint");
  expect_boxes(cut<Offset>(exec, coarse), {8, 5, 3}, next, 3, "without");
  expect_boxes(cut<Offset>(exec, coarse, 3, Box{5, 8, 3}), {8, 5, 3}, next, 3, "with a wrong hint");
}

TESSERA_TYPED_TEST(StructuredTest, UncoupledDirectionsAreNotCut) {
  const auto along = [](bool x, bool y, bool z) {
    return [=](int dx, int dy, int dz) {
      return is_star(dx, dy, dz) && ((dx != 0 && x) || (dy != 0 && y) || (dz != 0 && z));
    };
  };
  expect_cut<Offset>(exec, {30, 20, 1}, along(true, false, false), {10, 20, 1}, "x of 2D");
  expect_cut<Offset>(exec, {30, 20, 1}, along(false, true, false), {30, 7, 1}, "y of 2D");
  expect_cut<Offset>(exec, {12, 10, 9}, along(true, true, false), {4, 3, 9}, "x and y of 3D");
  expect_cut<Offset>(exec, {12, 10, 9}, along(true, false, true), {4, 10, 3}, "x and z of 3D");
  expect_cut<Offset>(exec, {12, 10, 9}, along(false, true, true), {12, 3, 3}, "y and z of 3D");
  expect_cut<Offset>(exec, {12, 10, 9}, along(false, true, false), {12, 3, 9}, "y of 3D");
  expect_boxes(cut<Offset>(exec, stencil_graph(12, 10, 9, along(true, false, false))), {12, 90, 1},
               {4, 90, 1}, 3, "x of 3D: lines, whatever their places");
}

TESSERA_TYPED_TEST(StructuredTest, IsolatedNodesStayOut) {
  const Ordinal n = 32;
  auto neighbours = stencil_graph(n, n, 1, is_star);
  const auto boundary = [&](Ordinal v) {
    return v % n == 0 || v % n == n - 1 || v / n == 0 || v / n == n - 1;
  };
  for (Ordinal v = 0; v < n * n; ++v) {
    if (boundary(v)) neighbours[v].clear();
    std::erase_if(neighbours[v], boundary);
  }
  const auto result = cut<Offset>(exec, neighbours);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->coarse, (Box{11, 11, 1}));
  const auto aggregate_of = to_host(result->aggregates.aggregate_of);
  for (Ordinal v = 0; v < n * n; ++v) {
    EXPECT_EQ(aggregate_of[v], boundary(v) ? -1 : (v % n) / 3 + 11 * ((v / n) / 3));
  }
}

TESSERA_TYPED_TEST(StructuredTest, RefusesWhatIsNoBox) {
  EXPECT_FALSE(cut<Offset>(exec, {}).has_value()) << "no nodes";
  EXPECT_FALSE(cut<Offset>(exec, Neighbours(40)).has_value()) << "no edges";
  EXPECT_FALSE(cut<Offset>(exec, random_graph(300, 0.03, 5)).has_value()) << "random";
  EXPECT_FALSE(cut<Offset>(exec, random_graph(300, 0.002, 6, 0)).has_value()) << "a hub";

  const auto full = stencil_graph(20, 21, 1, is_star);
  std::vector<Ordinal> order(full.size());
  std::iota(order.begin(), order.end(), 0);
  Random random(8);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<Ordinal>(i))]);
  }
  const auto permuted = renumbered(full, order, static_cast<Ordinal>(order.size()));
  EXPECT_FALSE(cut<Offset>(exec, permuted).has_value()) << "permuted";

  std::vector<Ordinal> number(full.size(), -1);
  Ordinal count = 0;
  for (std::size_t v = 0; v < full.size(); ++v) {
    if (v % 20 < 9 || v / 20 < 12) number[v] = count++;
  }
  EXPECT_FALSE(cut<Offset>(exec, renumbered(full, number, count)).has_value()) << "L-shape";

  const auto drawn = [](Ordinal v, Ordinal) {
    return kernels::hash32(static_cast<std::uint32_t>(v)) % 4 == 0;
  };
  EXPECT_FALSE(cut<Offset>(exec, without(full, drawn)).has_value())
      << "a quarter of the edges missing";

  const auto slit = [](Ordinal v, Ordinal w) {
    return v % 20 == 9 && w == v + 1 && v / 20 >= 5 && v / 20 < 15;
  };
  EXPECT_FALSE(cut<Offset>(exec, without(full, slit)).has_value()) << "a slit";

  auto shortcut = full;
  shortcut[3].push_back(300);
  shortcut[300].push_back(3);
  EXPECT_FALSE(cut<Offset>(exec, shortcut).has_value()) << "one long edge";

  const auto diagonals = [](int dx, int dy, int) { return dx * dy == 1; };
  EXPECT_FALSE(cut<Offset>(exec, stencil_graph(20, 22, 1, diagonals)).has_value()) << "diagonal";
  EXPECT_THROW(cut<Offset>(exec, full, 1), Error);
}

TEST(CandidateBoxes, PrefersShortReachAndLongLines) {
  EXPECT_EQ(kernels::candidate_boxes(60, {1, 10}, 2).front(), (Box{10, 6, 1}));
  EXPECT_EQ(kernels::candidate_boxes(360, {1, 9, 10, 11, 60}, 2).front(), (Box{10, 6, 6}));
  EXPECT_EQ(kernels::candidate_boxes(100, {1}, 2).front(), (Box{100, 1, 1}));
  EXPECT_TRUE(kernels::candidate_boxes(100, {1, 7}, 2).empty());
}

}  // namespace tessera::test::structured_test
