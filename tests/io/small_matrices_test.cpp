// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The files of tests/matrices: what their heads say, and the matrices that their comments name.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "io/files.hpp"
#include "support/reference.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/io/binary.hpp"

namespace tessera::test::small_matrices_test {

/// Points per direction of all grids here.
constexpr std::int32_t side = 8;

std::filesystem::path path_of(const std::string& name) {
  return std::filesystem::path(TESSERA_SOURCE_FOLDER) / "tests/matrices" / name;
}

HostMatrix<double> read(const std::string& name) {
  return to_host(read_matrix<double>(DeviceSpace(), path_of(name)).A);
}

struct SmallMatrix {
  const char* name;
  MatrixField field;
  MatrixSymmetry symmetry;
  std::int32_t rows, cols;
  std::size_t stored, entries;
};

const SmallMatrix small_matrices[] = {
    {"grid.mtx", MatrixField::real, MatrixSymmetry::symmetric, 64, 64, 274, 484},
    {"flow.mtx", MatrixField::real, MatrixSymmetry::general, 64, 64, 288, 288},
    {"solid.mtx.gz", MatrixField::real, MatrixSymmetry::symmetric, 54, 54, 909, 1764},
    {"central_flow.mtx", MatrixField::real, MatrixSymmetry::skew_symmetric, 64, 64, 112, 224},
    {"triangles.mtx", MatrixField::pattern, MatrixSymmetry::symmetric, 64, 64, 225, 386},
    {"edges.mtx", MatrixField::integer, MatrixSymmetry::general, 112, 64, 224, 224}};

TEST(SmallMatrices, AreWhatTheirHeadsSay) {
  const TemporaryFolder scratch;
  const DeviceSpace exec;
  for (const SmallMatrix& expected : small_matrices) {
    SCOPED_TRACE(expected.name);
    EXPECT_LT(std::filesystem::file_size(path_of(expected.name)), 8000U);
    const auto file = read_matrix<double>(exec, path_of(expected.name));
    EXPECT_EQ(file.header.field, expected.field);
    EXPECT_EQ(file.header.symmetry, expected.symmetry);
    EXPECT_EQ(static_cast<std::size_t>(file.header.num_entries), expected.stored);
    EXPECT_FALSE(file.header.comment.empty());
    const HostMatrix<double> A = to_host(file.A);
    EXPECT_EQ(A.num_rows, expected.rows);
    EXPECT_EQ(A.num_cols, expected.cols);
    EXPECT_EQ(A.values.size(), expected.entries);
    if (expected.symmetry == MatrixSymmetry::symmetric) expect_same(A, transpose(A));
    write_binary(exec, scratch.path() / "a.tsr", file.A);
    expect_same(to_host(read_matrix<double>(exec, scratch.path() / "a.tsr").A), A);
  }
}

/// Entries may differ by the last bits, which differ between compilers.
void expect_of_the_gallery(const std::string& name, const GalleryParameters& parameters) {
  SCOPED_TRACE(name);
  const DeviceSpace exec;
  const HostMatrix<double> A = read(name);
  const auto expected = sorted(to_host(make_problem<double, DeviceSpace>(exec, parameters).A));
  EXPECT_EQ(A.offsets, expected.offsets);
  ASSERT_EQ(A.columns, expected.columns);
  for (std::size_t e = 0; e < A.values.size(); ++e)
    EXPECT_NEAR(A.values[e], expected.values[e], 1e-14) << e;
}

TEST(SmallMatrices, OfTheGallery) {
  expect_of_the_gallery("grid.mtx",
                        {.problem = ProblemKind::anisotropic2d, .n = side, .epsilon = 0.1});
  expect_of_the_gallery(
      "flow.mtx", {.problem = ProblemKind::convdiff2d, .n = side, .theta = 0.25, .peclet = 20});
  expect_of_the_gallery("solid.mtx.gz", {.problem = ProblemKind::elasticity3d, .n = 2});
}

/// A matrix of the grid's points with the entries that `value` gives for a step between two.
HostMatrix<double> of_steps(const std::function<double(std::int32_t, std::int32_t)>& value) {
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows;
  for (std::int32_t from = 0; from < side * side; ++from) {
    rows.emplace_back();
    for (std::int32_t to = 0; to < side * side; ++to) {
      const double entry = value(to % side - from % side, to / side - from / side);
      if (entry != 0) rows.back().emplace_back(to, entry);
    }
  }
  return from_rows(side * side, rows);
}

TEST(SmallMatrices, OfStepsBetweenPoints) {
  expect_same(read("central_flow.mtx"), of_steps([](std::int32_t right, std::int32_t up) {
                if (up == 0 && std::abs(right) == 1) return 0.5 * right;
                return right == 0 && std::abs(up) == 1 ? 0.25 * up : 0.0;
              }));
  expect_same(read("triangles.mtx"), of_steps([](std::int32_t right, std::int32_t up) {
                return std::max({std::abs(right), std::abs(up), std::abs(right - up)}) <= 1 ? 1.0
                                                                                            : 0.0;
              }));
}

/// The edges' matrix times itself is the grid's Laplacian, with nothing at its boundary.
TEST(SmallMatrices, EdgesMakeALaplacian) {
  const Dense edges = to_dense(read("edges.mtx"));
  const Dense laplacian = multiply(transpose(edges), edges);
  for (std::int32_t i = 0; i < side * side; ++i) {
    long double sum = 0;
    for (std::int32_t j = 0; j < side * side; ++j) {
      const int distance = std::abs(j % side - i % side) + std::abs(j / side - i / side);
      if (distance > 0) {
        EXPECT_EQ(laplacian(i, j), distance == 1 ? -1 : 0) << i << ' ' << j;
      }
      sum += laplacian(i, j);
    }
    EXPECT_EQ(sum, 0) << i;
  }
}

}  // namespace tessera::test::small_matrices_test
