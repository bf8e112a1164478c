// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with blocks of the caller's.
#include "support/device.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve.hpp"

namespace tessera::test::blocks_test {

TESSERA_TEST_SUITE(BlocksTest, Matrices, TypeNames);

/// The arrays of a caller: a host matrix in blocks, where any entry of a block is stored.
template <class Scalar, class Space, class Offset>
struct Blocks {
  int num_block_rows = 0;
  int size = 1;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  Blocks(const Space& exec, const HostMatrix<Scalar>& A, int block_size)
      : num_block_rows(A.num_rows / block_size), size(block_size) {
    std::vector<Offset> first{0};
    std::vector<Ordinal> block_columns;
    std::vector<Scalar> entries;
    for (int i = 0; i < num_block_rows; ++i) {
      std::vector<std::size_t> place(num_block_rows, 0);  // of a block, plus 1
      for (int r = i * size; r < (i + 1) * size; ++r) {
        for (auto e = A.offsets[r]; e < A.offsets[r + 1]; ++e) {
          const Ordinal column = A.columns[e] / size;
          if (place[column] == 0) {
            block_columns.push_back(column);
            place[column] = block_columns.size();
            entries.resize(entries.size() + size * size, Scalar(0));
          }
          const std::size_t block = place[column] - 1;
          entries[(block * size + r % size) * size + A.columns[e] % size] = A.values[e];
        }
      }
      first.push_back(static_cast<Offset>(block_columns.size()));
    }
    offsets = to_device(exec, first);
    columns = to_device(exec, block_columns);
    values = to_device(exec, entries);
  }
};

TESSERA_TYPED_TEST(BlocksTest, AreSolvedWithAsRows) {
  const auto problem =
      make_problem<Scalar, Space, Offset>(exec, {.problem = ProblemKind::elasticity3d, .n = 5});
  const Blocks<Scalar, Space, Offset> mine(exec, to_host(problem.A), 3);
  const auto n = static_cast<std::size_t>(problem.A.num_rows);
  const MultiVector<Scalar, Space> b("b", n, 2);
  const MultiVector<Scalar, Space> x("x", n, 2);
  Kokkos::deep_copy(exec, b, Scalar(1));

  //! [blocks]
  const tessera::kernels::BsrView<Scalar, Space, Offset> blocks{
      mine.num_block_rows, mine.num_block_rows, 3,          mine.columns.extent(0),
      mine.offsets,        mine.columns,        mine.values};
  tessera::SolveParameters parameters;
  parameters.solver.tolerance = 1e-5;
  tessera::Solver<Scalar, Space, Offset> solver(parameters);
  solver.setup(exec, tessera::kernels::bsr_to_csr(exec, blocks), {}, 3);
  const auto result = solver.solve(exec, b, x);
  //! [blocks]

  EXPECT_TRUE(result.converged()) << to_string(result.status);
  // By the matrix in rows.
  const CrsMatrix<Scalar, Space, Offset> rows(exec, problem.A);
  const MultiVector<Scalar, Space> r("r", n, 2);
  rows.residual(exec, b, x, r);
  double rr = 0;
  for (const Scalar value : to_host(r))
    rr += static_cast<double>(value) * value;
  EXPECT_LE(std::sqrt(rr), 2e-5 * std::sqrt(2.0 * n));
}

}  // namespace tessera::test::blocks_test
