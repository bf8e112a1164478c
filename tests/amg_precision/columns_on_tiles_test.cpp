// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several right-hand sides through whole cycles whose levels are of tiles.
#include "fixture.hpp"

#include "support/columns.hpp"

namespace tessera::test::columns_on_tiles_test {

using amg::CycleType;
using amg::Products;

template <class Param>
class ColumnsOnTiles : public PrecisionTest<Param> {
 public:
  static SolveParameters on_tiles(StorageScalar scalar) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.amg.products = Products::mbsr;
    p.amg.storage = {StorageFormat::mbsr, scalar};
    return p;
  }

  static void expect_tiles(const HierarchyInfo& info) {
    ASSERT_GE(info.levels.size(), 3U);
    for (std::size_t i = 0; i + 1 < info.levels.size(); ++i) {
      for (const StorageInfo& stored : {info.levels[i].A, info.levels[i].P, info.levels[i].R})
        EXPECT_EQ(stored.format.substr(0, 4), "mbsr") << i;
    }
  }
};
TYPED_TEST_SUITE(ColumnsOnTiles, Spaces, TypeNames);

TYPED_TEST(ColumnsOnTiles, ACycleTreatsEachAsAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::elasticity3d, 7), std::pair(ProblemKind::convdiff2d, 40)}) {
    const auto p = this->problem(kind, n);
    const std::size_t rows = p.A.num_rows;
    for (const auto cycle : {CycleType::v, CycleType::w, CycleType::k}) {
      for (const auto scalar : {StorageScalar::same, StorageScalar::float32, StorageScalar::half}) {
        SCOPED_TRACE(static_cast<int>(cycle));
        amg::Parameters parameters = this->on_tiles(scalar).amg;
        parameters.cycle = cycle;
        amg::Multigrid<double, Space> grid(parameters);
        grid.setup(this->exec, p.A, p.near_nullspace, p.block_size);
        this->expect_tiles(grid.info());
        // 8, 4 and 1 columns at once, as kernels take them.
        const auto values = this->waves(13 * rows);
        double largest = 0;
        const auto z = allocate_multivector<double>(this->exec, "tessera::test", rows, 1);
        grid.apply(
            this->exec,
            to_multivector(this->exec, std::vector<double>(values.begin(), values.begin() + rows),
                           rows, 1),
            z);
        for (const double entry : to_host(z))
          largest = std::max(largest, std::abs(entry));
        expect_columns_as_alone(this->exec, grid, values, rows, 1e-9 * largest);
      }
    }
  }
}

TYPED_TEST(ColumnsOnTiles, ASolveConvergesForEach) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::elasticity3d, 7);
  const std::size_t rows = p.A.num_rows;
  for (const auto scalar : {StorageScalar::same, StorageScalar::half}) {
    Solver<double, Space> solver(this->on_tiles(scalar));
    solver.setup(this->exec, p.A, p.near_nullspace, p.block_size);
    this->expect_tiles(solver.hierarchy());
    const auto values = this->waves(5 * rows);
    const auto x = to_multivector(this->exec, std::vector<double>(5 * rows, 0), rows, 5);
    const auto result = solver.solve(this->exec, to_multivector(this->exec, values, rows, 5), x);
    ASSERT_EQ(result.columns.size(), 5U);
    for (std::size_t j = 0; j < 5; ++j) {
      const std::vector<double> column(values.begin() + j * rows, values.begin() + (j + 1) * rows);
      const auto alone = to_multivector(this->exec, std::vector<double>(rows, 0), rows, 1);
      const auto one = solver.solve(this->exec, to_multivector(this->exec, column, rows, 1), alone);
      EXPECT_EQ(result.columns[j].status, SolveStatus::converged);
      EXPECT_LE(std::abs(result.columns[j].iterations - one.iterations), 1);
      EXPECT_LE(result.columns[j].true_relative_residual, 1.1e-8);
    }
  }
}

}  // namespace tessera::test::columns_on_tiles_test
