// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products whose rows repeat one another's patterns, and the runs of rows that are found.

#include "kernels_spgemm/grid_matrix.hpp"
#include "kernels_spgemm/spgemm_test.hpp"
#include "support/reference.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include <memory>

namespace tessera::kernels::test::repeat_rows_test {

template <class T>
struct RepeatRows : ::testing::Test {
  TESSERA_TEST_TYPES(T);
  using Matrix = Csr<Scalar, Space, Offset>;

  Space exec;

  Matrix on_device(const HostMatrix& A) { return to_space<Scalar, Space, Offset>(exec, A); }

  spgemm_detail::RowRuns<Space> runs(const Matrix& A, const Matrix& B) {
    return spgemm_detail::find_row_runs<Space, Offset>(exec, A.offsets, A.columns, B.offsets,
                                                       B.columns, B.num_cols, A.num_rows);
  }

  /// Right, and twice the same bits; then values that no longer repeat, into the old pattern.
  void check(const HostMatrix& host_A, const HostMatrix& host_B) {
    const Matrix A = on_device(host_A);
    const Matrix B = on_device(host_B);
    const auto runs = std::make_shared<spgemm_detail::RowRuns<Space>>();
    const auto C = *repeat_rows_spgemm(exec, A.view(), B.view(), A.num_rows, runs.get());
    expect_product(C, host_A, host_B);
    expect_same_bits(C, spgemm(exec, A.view(), B.view(), SpgemmAlgorithm::repeat_rows));
    const Matrix new_A = on_device(with_other_values(host_A));
    const Matrix new_B = on_device(with_other_values(host_B));
    const auto expected = spgemm(exec, new_A.view(), new_B.view(), SpgemmAlgorithm::repeat_rows);
    spgemm_numeric(exec, new_A.view(), new_B.view(), C, SpgemmPlan<Space>{runs});
    expect_same_bits(C, expected);
  }

  static HostMatrix with_other_values(HostMatrix A) {
    for (std::size_t k = 0; k < A.values.size(); ++k)
      A.values[k] = static_cast<double>((k * 2654435761u >> 7) % 64) / 8 - 3.0;
    return A;
  }
};
TYPED_TEST_SUITE(RepeatRows, Matrices, TypeNames);

/// `block` unknowns per point of a line of points that are coupled over `reach` points either way;
/// values vary. Rows backwards where `reversed`.
HostMatrix line(Ordinal num_points, Ordinal reach, Ordinal block, bool reversed = false) {
  const Ordinal n = num_points * block;
  return by_rows<double>(n, n, [&](auto& A, Ordinal row) {
    const Ordinal point = row / block;
    const Ordinal first = std::max(point - reach, 0) * block;
    const Ordinal last = (std::min(point + reach, num_points - 1) + 1) * block;
    for (Ordinal i = 0; i < last - first; ++i)
      A.push(reversed ? last - 1 - i : first + i, (row * 7 + i * 3) % 11 - 4.0);
  });
}

TYPED_TEST(RepeatRows, SquaresOfStencilsAgreeWithHash) {
  for (const bool box : {false, true}) {
    const auto A = grid_matrix<typename TestFixture::Scalar, typename TestFixture::Space,
                               typename TestFixture::Offset>(this->exec, {150, box});
    const auto C = repeat_rows_spgemm(this->exec, A.view(), A.view(), A.num_rows / 3);
    ASSERT_TRUE(C.has_value());
    expect_same_bits(*C, hash_spgemm(this->exec, A.view(), A.view()));
  }
}

TYPED_TEST(RepeatRows, FindsRunsOfAGrid) {
  const auto A = grid_matrix<typename TestFixture::Scalar, typename TestFixture::Space,
                             typename TestFixture::Offset>(this->exec, {320, false});
  const auto runs = this->runs(A, A);
  EXPECT_EQ(runs.a.distance, 1);
  EXPECT_EQ(runs.a.shift, 1);
  EXPECT_EQ(runs.b.shift, 1);
  // A line of 320 points is ten runs at least; its ends have patterns of their own.
  EXPECT_GE(runs.num_runs, 320 * 10);
  EXPECT_LE(runs.num_runs, 320 * 16);
  const auto leaders = to_host(runs.leaders);
  const auto run_of = to_host(runs.run_of);
  ASSERT_GE(leaders.size(), static_cast<std::size_t>(runs.num_runs));
  ASSERT_EQ(run_of.size(), static_cast<std::size_t>(A.num_rows));
  std::vector<Ordinal> lengths(runs.num_runs, 0);
  for (Ordinal row = 0; row < A.num_rows; ++row) {
    const Ordinal run = run_of[row];
    EXPECT_EQ(row, leaders.at(run) + lengths.at(run));
    ++lengths[run];
  }
  for (const Ordinal length : lengths) {
    EXPECT_GE(length, 1);
    EXPECT_LE(length, spgemm_detail::longest_run);
  }
}

TYPED_TEST(RepeatRows, BoundsOfFirstRowsAreThoseOfTheProduct) {
  using namespace spgemm_detail;
  TESSERA_TEST_TYPES(TestFixture);
  for (const Ordinal reach : {1, 40}) {
    SCOPED_TRACE(reach);
    const auto A = this->on_device(line(900, reach, 1));
    const auto B = this->on_device(line(900, 2, 1));
    const auto runs = this->runs(A, B);
    ASSERT_TRUE(runs.bounds.has_value());
    const auto all = allocate<Ordinal>(this->exec, "tessera::test", A.num_rows);
    bound_row_sizes<Space, Offset>(this->exec, A.offsets, A.columns, B.offsets, B.num_cols, all);
    const auto of_rows = to_host(all);
    const auto leaders = to_host(runs.leaders);
    SizeHistogram expected;
    for (Ordinal run = 0; run < runs.num_runs; ++run)
      expected.add(TableFill::full, of_rows[leaders[run]]);
    EXPECT_EQ(runs.bounds->total, expected.total);
    for (int c = 0; c < num_classes; ++c)
      EXPECT_EQ(runs.bounds->rows[c], expected.rows[c]) << c;
  }
  // One thread does not walk along rows as long as these.
  const auto A = this->on_device(line(900, 300, 1));
  EXPECT_FALSE(this->runs(A, A).bounds.has_value());
  this->check(line(900, 300, 1), line(900, 2, 1));
}

TYPED_TEST(RepeatRows, SeveralUnknownsAPoint) {
  for (const Ordinal block : {2, 3, 5}) {
    SCOPED_TRACE(block);
    const HostMatrix A = line(300, 1, block);
    const auto device = this->on_device(A);
    const auto runs = this->runs(device, device);
    EXPECT_EQ(runs.a.distance, block);
    EXPECT_EQ(runs.a.shift, block);
    EXPECT_LE(runs.num_runs, (300 / spgemm_detail::longest_run + 6) * block);
    this->check(A, A);
    this->check(A, line(300 * block, 2, 1));
    this->check(line(300 * block, 2, 1), A);
  }
}

TYPED_TEST(RepeatRows, UnsortedRows) {
  this->check(line(200, 3, 1, true), line(200, 2, 1));
  this->check(line(200, 3, 1), line(200, 2, 1, true));
  this->check(line(70, 2, 3, true), line(70, 2, 3, true));
}

/// Lanes take the entries of a row of B in several steps, and few rows of a run at once.
TYPED_TEST(RepeatRows, LongRows) {
  this->check(line(400, 60, 1), line(400, 50, 1));
  this->check(line(1200, 1, 1), line(1200, 600, 1));
}

/// Rows of C too long for scratch are summed in place.
TYPED_TEST(RepeatRows, RowsBeyondScratch) {
  const auto full = [](Ordinal num_rows, Ordinal num_cols) {
    return by_rows<double>(num_rows, num_cols, [&](auto& B, Ordinal row) {
      for (Ordinal column = 0; column < num_cols; ++column)
        B.push(column, (row + column) % 5 - 2.0);
    });
  };
  // All rows of a product alike: scratch holds a few of 5000 entries, none of 30000.
  this->check(line(12, 12, 1), full(12, 5000));
  this->check(line(3, 3, 1), full(3, 30000));
}

/// Runs of empty rows, of rows that meet empty ones, and rows alone.
TYPED_TEST(RepeatRows, EmptyRows) {
  const auto none = [](Ordinal) { return 0; };
  this->check(random_matrix(100, 50, none, 1), random_matrix(50, 30, none, 2));
  this->check(line(50, 1, 1), random_matrix(50, 30, none, 3));
  this->check(random_matrix(0, 50, none, 4), random_matrix(50, 30, none, 5));
  HostMatrix half = line(64, 1, 1);
  const auto kept = half.offsets[32];
  for (std::size_t i = 33; i < half.offsets.size(); ++i)
    half.offsets[i] = kept;
  half.columns.resize(kept);
  half.values.resize(kept);
  this->check(half, half);
  this->check(half, line(64, 2, 1));
}

/// The rows of A are shifted copies while those of B are not, and the other way round.
TYPED_TEST(RepeatRows, OneFactorAlone) {
  const auto some = [](Ordinal row) { return row % 7; };
  this->check(line(120, 2, 1), random_matrix(120, 90, some, 6));
  this->check(random_matrix(120, 120, some, 7), line(120, 2, 1));
  this->check(random_matrix(150, 120, some, 8), random_matrix(120, 110, some, 9));
}

/// Prolongation to boxes of `size` points of a line, smoothed: each point reaches the boxes of its
/// neighbours.
HostMatrix boxes(Ordinal num_points, Ordinal size) {
  return by_rows<double>(num_points, (num_points + size - 1) / size, [&](auto& P, Ordinal row) {
    const Ordinal first = std::max(row - 1, 0) / size;
    const Ordinal last = std::min(row + 1, num_points - 1) / size;
    for (Ordinal column = first; column <= last; ++column)
      P.push(column, (row * 5 + column) % 7 - 3.0);
  });
}

/// Rows follow at distances that are not their shifts, in the products of a multigrid setup.
TYPED_TEST(RepeatRows, Boxes) {
  for (const Ordinal size : {2, 3}) {
    SCOPED_TRACE(size);
    const HostMatrix A = line(600, 1, 1);
    const HostMatrix P = boxes(600, size);
    const HostMatrix R = transpose(P);
    this->check(A, P);
    const auto a = this->on_device(A), p = this->on_device(P), r = this->on_device(R);
    const auto AP = spgemm(this->exec, a.view(), p.view(), SpgemmAlgorithm::repeat_rows);
    this->check(R, in_double(AP));
    const auto fine = this->runs(a, p);
    EXPECT_EQ(fine.a.distance, size);
    EXPECT_EQ(fine.a.shift, size);
    EXPECT_EQ(fine.b.shift, 1);
    EXPECT_LE(fine.num_runs, 600 / spgemm_detail::longest_run + 4 * size);
    const auto coarse = this->runs(r, AP);
    EXPECT_EQ(coarse.a.shift, size);
    EXPECT_EQ(coarse.b.shift, 1);
    EXPECT_LE(coarse.num_runs, 600 / size / spgemm_detail::longest_run + 8);
  }
}

/// B is wider than A is long, and its rows move with A's.
TYPED_TEST(RepeatRows, Rectangular) {
  HostMatrix B = line(210, 2, 1);
  B.num_cols = 400;
  HostMatrix A = line(200, 1, 1);
  A.num_cols = 210;
  this->check(A, B);
}

TYPED_TEST(RepeatRows, NothingWhereRunsAreShort) {
  const auto A =
      this->on_device(random_matrix(300, 300, [](Ordinal row) { return 2 + row % 5; }, 10));
  EXPECT_FALSE(repeat_rows_spgemm(this->exec, A.view(), A.view(), 100).has_value());
}

TYPED_TEST(RepeatRows, RefusesShapesThatDoNotFitAndThePlanOfAnotherProduct) {
  using Space = typename TestFixture::Space;
  const auto A = this->on_device(line(20, 1, 1));
  const auto B = this->on_device(line(21, 1, 1));
  EXPECT_THROW(repeat_rows_spgemm(this->exec, A.view(), B.view(), 20), ::tessera::Error);
  const auto runs = std::make_shared<spgemm_detail::RowRuns<Space>>();
  ASSERT_TRUE(repeat_rows_spgemm(this->exec, A.view(), A.view(), 20, runs.get()).has_value());
  const auto C = spgemm(this->exec, B.view(), B.view());
  EXPECT_THROW(spgemm_numeric(this->exec, B.view(), B.view(), C, SpgemmPlan<Space>{runs}),
               ::tessera::Error);
}

/// Where the choice is free a plan has runs on a device alone; either way the new values are right.
TYPED_TEST(RepeatRows, PlansOfTheAutomaticChoice) {
  using Space = typename TestFixture::Space;
  const auto A = grid_matrix<typename TestFixture::Scalar, Space, typename TestFixture::Offset>(
      this->exec, {320, true});
  SpgemmPlan<Space> plan;
  const auto C = spgemm(this->exec, A.view(), A.view(), plan);
  EXPECT_EQ(plan.runs != nullptr, !is_host_space<Space>);
  expect_same_bits(C, spgemm(this->exec, A.view(), A.view()));
  const auto expected = to_host(C.values);
  Kokkos::deep_copy(this->exec, C.values, typename TestFixture::Scalar(7));
  spgemm_numeric(this->exec, A.view(), A.view(), C, plan);
  // Small integers: their sums are exact in any order.
  EXPECT_EQ(to_host(C.values), expected);
}

}  // namespace tessera::kernels::test::repeat_rows_test
