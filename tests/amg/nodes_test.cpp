// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several unknowns per node: how they are found from the pattern, and what multigrid makes of
/// them.
#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/coarsening/find_nodes.hpp"

#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <map>

namespace tessera::test::nodes_test {

using amg::Nodes;

/// The matrix of these entries; those of one place are added up, rows sorted.
HostMatrix<double> from_entries(int n, const std::vector<std::map<int, double>>& rows) {
  return by_rows<double>(n, n, [&](auto& A, int i) {
    for (const auto& [column, value] : rows[i])
      A.push(column, value);
  });
}

/// `m` copies of A, one an unknown, with `coupling` between each two unknowns of a node.
HostMatrix<double> copies(const HostMatrix<double>& A, int m, bool by_unknown,
                          double coupling = 0) {
  const Nodes nodes{m, A.num_rows, by_unknown};
  std::vector<std::map<int, double>> rows(static_cast<std::size_t>(m) * A.num_rows);
  for (int a = 0; a < m; ++a) {
    for_each_entry(
        A, [&](int i, int j, double value) { rows[nodes.row(i, a)][nodes.row(j, a)] += value; });
    for (int i = 0; i < A.num_rows; ++i) {
      for (int b = 0; b < m && coupling != 0; ++b)
        rows[nodes.row(i, a)][nodes.row(i, b)] += a == b ? (m - 1) * coupling : -coupling;
    }
  }
  return from_entries(m * A.num_rows, rows);
}

/// A with identity rows and columns in place of those where `fixed(row)`.
template <class Fixed>
HostMatrix<double> with_fixed_rows(const HostMatrix<double>& A, const Fixed& fixed) {
  std::vector<std::map<int, double>> rows(A.num_rows);
  for_each_entry(A, [&](int i, int j, double value) {
    if (!fixed(i) && !fixed(j)) rows[i][j] = value;
    if (fixed(i) && i == j) rows[i][j] = 1;
  });
  return from_entries(A.num_rows, rows);
}

template <class Param>
class NodesTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Nodes found(const HostMatrix<double>& A, int block_size = 0) {
    return amg::find_nodes(exec, make_csr(exec, A).view(), block_size);
  }
  Nodes found(const GalleryParameters& gallery) {
    return amg::find_nodes(exec, make_problem<double, Space>(exec, gallery).A.view());
  }

  /// Iterations to 1e-8 for a hashed right-hand side; with `solver` set up.
  int iterations(Solver<double, Space>& solver, Ordinal n) {
    const auto result = solver.solve(exec, hashed_rhs(exec, n), zeros<double>(exec, n));
    EXPECT_EQ(to_string(result.status), "converged");
    EXPECT_LE(result.true_relative_residual, 1e-8);
    return result.iterations;
  }
  int iterations(const HostMatrix<double>& A, int block_size = 0) {
    auto solver = set_up(exec, make_csr(exec, A), {}, {}, block_size);
    return iterations(solver, A.num_rows);
  }
};
TYPED_TEST_SUITE(NodesTest, Spaces, TypeNames);

TYPED_TEST(NodesTest, AreFoundInElasticity) {
  for (const auto kind : {ProblemKind::elasticity2d, ProblemKind::elasticity3d}) {
    const int dim = kind == ProblemKind::elasticity2d ? 2 : 3;
    for (const auto numbering : {Numbering::nodes, Numbering::unknowns}) {
      for (const int n : {4, 9, 12}) {
        if (numbering == Numbering::unknowns && n < 12) continue;  // its few layers fit others too
        const Nodes nodes = this->found({.problem = kind, .n = n, .numbering = numbering});
        EXPECT_EQ(nodes.block_size, dim) << n;
        EXPECT_EQ(nodes.by_unknown, numbering == Numbering::unknowns) << n;
      }
    }
  }
}

TYPED_TEST(NodesTest, AreFoundForEachNumberOfUnknowns) {
  for (const int m : {2, 3, 4, 5, 6, 7, 8}) {
    for (const bool by_unknown : {false, true}) {
      const auto A = copies(poisson<double>(13, 11), m, by_unknown, 0.1);
      const Nodes nodes = this->found(A);
      EXPECT_EQ(nodes.block_size, m);
      EXPECT_EQ(nodes.by_unknown, by_unknown);
      const auto some_fixed = with_fixed_rows(A, [&](int i) { return nodes.node(i) % 17 == 0; });
      EXPECT_EQ(this->found(some_fixed).block_size, m) << "rows of one entry fit any pattern";
    }
  }
}

/// nx by 16 by 16 nodes of 3 unknowns, all of which are coupled to all of the 26 nodes around.
HostMatrix<double> coupled_box(int nx) {
  constexpr int n = 16, m = 3;
  const auto within = [&](int x, int y, int z) {
    return x >= 0 && x < nx && y >= 0 && y < n && z >= 0 && z < n;
  };
  return by_rows<double>(nx * n * n * m, nx * n * n * m, [&](auto& A, int row) {
    const int x = row / m % nx, y = row / m / nx % n, z = row / m / nx / n;
    for (int d = 0; d < 27; ++d) {
      const int at_x = x + d % 3 - 1, at_y = y + d / 3 % 3 - 1, at_z = z + d / 9 - 1;
      if (!within(at_x, at_y, at_z)) continue;
      for (int c = 0; c < m; ++c) {
        const int column = ((at_z * n + at_y) * nx + at_x) * m + c;
        A.push(column, column == row ? 100 : -1);
      }
    }
  });
}

/// Of 5 nodes per line, samples of groups of 5 rows are all the first of their lines, and fit as
/// well as nodes do. A process has such lines of a grid that is cut into boxes.
TYPED_TEST(NodesTest, AreFoundWhateverTheLengthOfLines) {
  for (int nx = 3; nx <= 8; ++nx) {
    SCOPED_TRACE(nx);
    const auto nodes = this->found(coupled_box(nx));
    EXPECT_EQ(nodes.block_size, 3);
    EXPECT_FALSE(nodes.by_unknown);
  }
}

TYPED_TEST(NodesTest, AreNotFoundInScalarProblems) {
  for (const auto& problem : problem_names()) {
    if (problem.name.find("elasticity") != std::string_view::npos) continue;
    for (const int n : {12, 24, 30}) {
      EXPECT_EQ(this->found({.problem = problem.value, .n = n, .order = 2, .refine = 1}).block_size,
                1)
          << problem.name << " " << n;
    }
  }
  EXPECT_EQ(this->found(identity<double>(120)).block_size, 1);
  EXPECT_EQ(this->found(poisson<double>(120)).block_size, 1);
  EXPECT_EQ(this->found(copies(poisson<double>(12, 10), 2, true)).block_size, 1)
      << "copies one after another are no unknowns of one node";
}

TYPED_TEST(NodesTest, ThePointsAcrossAThinGridAreNone) {
  for (const int width : {3, 4, 5, 6, 7, 8}) {
    EXPECT_EQ(this->found(poisson<double>(width, 12, 11)).block_size, 1) << width;
    EXPECT_EQ(this->found(poisson<double>(12, 11, width)).block_size, 1) << width;
    EXPECT_EQ(this->found(poisson<double>(width, 40)).block_size, 1) << width;
  }
}

TYPED_TEST(NodesTest, PointsOfALineAreNoneWhateverTheirDistances) {
  // Couplings at distances that are powers of 2: all of eight points in a row reach the same
  // eights.
  for (const int n : {512, 2000, 2048}) {
    std::vector<std::map<int, double>> rows(n);
    for (int i = 0; i < n; ++i) {
      rows[i][i] = i + 2;
      for (int distance = 1; distance < n; distance *= 2) {
        if (i >= distance) rows[i][i - distance] = 1;
        if (i + distance < n) rows[i][i + distance] = 1;
      }
    }
    EXPECT_EQ(this->found(from_entries(n, rows)).block_size, 1) << n;
  }
}

TYPED_TEST(NodesTest, AreFoundWhereOneUnknownDrivesAnother) {
  // One-way physics: what drives is coupled to what is driven at all neighbours, and not back.
  const auto grid = poisson<double>(13, 11);
  for (const int m : {2, 3}) {
    auto A = copies(grid, m, false);
    std::vector<std::map<int, double>> rows(A.num_rows);
    for_each_entry(A, [&](int i, int j, double value) { rows[i][j] = value; });
    for_each_entry(grid, [&](int i, int j, double value) {
      if (i != j) rows[m * i][m * j + m - 1] = 0.1 * value;
    });
    EXPECT_EQ(this->found(from_entries(A.num_rows, rows)).block_size, m);
  }
}

TYPED_TEST(NodesTest, AreNotFoundInDensePeriodicAndRandomMatrices) {
  std::vector<std::map<int, double>> dense(60);
  std::vector<std::map<int, double>> periodic(600);
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j)
      dense[i][j] = i == j ? 60 : -1;
  }
  for (int i = 0; i < 600; ++i) {
    periodic[i][i] = 2;
    periodic[i][(i + 1) % 600] = -1;
    periodic[i][(i + 599) % 600] = -1;
  }
  EXPECT_EQ(this->found(from_entries(60, dense)).block_size, 1);
  EXPECT_EQ(this->found(from_entries(600, periodic)).block_size, 1);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto A = random_matrix<double>({.num_rows = 120,
                                          .num_cols = 120,
                                          .density = 0.1,
                                          .empty_row_fraction = 0.2,
                                          .unsorted = true,
                                          .seed = seed});
    EXPECT_EQ(this->found(A).block_size, 1);
  }
}

TYPED_TEST(NodesTest, TheNumberingIsFoundForAGivenBlockSize) {
  const auto A = poisson<double>(12, 10);
  EXPECT_FALSE(this->found(copies(A, 3, false), 3).by_unknown);
  EXPECT_TRUE(this->found(copies(A, 3, true), 3).by_unknown);
  EXPECT_FALSE(this->found(A, 2).by_unknown) << "neither numbering fits";
  EXPECT_THROW(this->found(A, 7), Error);
}

TYPED_TEST(NodesTest, RenumberingIsUndone) {
  const auto by_unknown = copies(poisson<double>(7, 5), 3, true, 0.1);
  const auto by_node = copies(poisson<double>(7, 5), 3, false, 0.1);
  const Nodes nodes{3, 35, true};
  const auto A =
      to_host(amg::node_by_node(this->exec, make_csr(this->exec, by_unknown).view(), nodes));
  EXPECT_EQ(A.offsets, by_node.offsets);
  EXPECT_EQ(A.columns, by_node.columns);
  EXPECT_EQ(A.values, by_node.values);

  using Space = typename TypeParam::Space;
  const auto units = amg::unit_vectors<double, Space>(this->exec, nodes);
  const auto there = allocate_multivector<double>(this->exec, "tessera::test", 105, 3);
  const auto back = allocate_multivector<double>(this->exec, "tessera::test", 105, 3);
  amg::to_node_by_node<double, Space>(this->exec, nodes, units, there);
  amg::from_node_by_node<double, Space>(this->exec, nodes, there, back);
  EXPECT_EQ(to_host(back), to_host(units));
  EXPECT_EQ(to_host(there), to_host(amg::unit_vectors<double, Space>(this->exec, {3, 35, false})));
}

TYPED_TEST(NodesTest, CopiesOfOneMatrixTakeAsManyIterationsAsOne) {
  const auto A = poisson<double>(40, 40);
  const int alone = this->iterations(A);
  for (const int m : {2, 5}) {
    for (const bool by_unknown : {false, true}) {
      EXPECT_LE(this->iterations(copies(A, m, by_unknown), m), alone + 2) << m << by_unknown;
      EXPECT_LE(this->iterations(copies(A, m, by_unknown)), 2 * alone) << m << by_unknown;
      EXPECT_LE(this->iterations(copies(A, m, by_unknown, 0.01)), alone + 2) << m << by_unknown;
    }
  }
}

TYPED_TEST(NodesTest, AnUnknownMayBeFixedHereAndThere) {
  const auto A = copies(poisson<double>(40, 40), 3, false, 0.01);
  for (const bool every_third_node : {false, true}) {
    const auto fixed = [&](int i) {
      return i % 3 == 2 && (every_third_node ? i / 3 % 3 == 0 : i / 3 % 40 < 20);
    };
    EXPECT_LE(this->iterations(with_fixed_rows(A, fixed)), 14);
  }
}

TYPED_TEST(NodesTest, ConstantsOfEachUnknownMayBeInTheNullspace) {
  GalleryParameters gallery{.problem = ProblemKind::neumann2d, .n = 40};
  const auto A = to_host(make_problem<double, typename TypeParam::Space>(this->exec, gallery).A);
  const auto two = copies(A, 2, false);
  auto solver = set_up(this->exec, make_csr(this->exec, two), {}, {}, 2);
  // Consistent: each unknown's part sums to zero.
  std::vector<double> b(two.num_rows, 0.0);
  b[0] = b[1] = 1;
  b[two.num_rows - 2] = b[two.num_rows - 1] = -1;
  const std::size_t n = two.num_rows;
  const auto x = zeros<double>(this->exec, n);
  const auto result = solver.solve(this->exec, to_multivector(this->exec, b, n, 1), x);
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 20);
}

TYPED_TEST(NodesTest, ElasticityIsTheSameInBothNumberings) {
  using Space = typename TypeParam::Space;
  for (const bool with_modes : {true, false}) {
    int taken[2];
    for (const auto numbering : {Numbering::nodes, Numbering::unknowns}) {
      const GalleryParameters gallery{
          .problem = ProblemKind::elasticity3d, .n = 10, .numbering = numbering};
      const auto p = make_problem<double, Space>(this->exec, gallery);
      SolveParameters parameters;
      parameters.preconditioner = PreconditionerKind::amg;
      auto solver = set_up(this->exec, p.A, parameters,
                           with_modes ? p.near_nullspace : MultiVector<double, Space>());
      taken[static_cast<int>(numbering)] = this->iterations(solver, p.A.num_rows);
      EXPECT_TRUE(noted(solver.hierarchy(), "3 unknowns per node"));
    }
    EXPECT_NEAR(taken[0], taken[1], 1);
    EXPECT_LE(taken[0], with_modes ? 16 : 30);
  }
}

}  // namespace tessera::test::nodes_test
