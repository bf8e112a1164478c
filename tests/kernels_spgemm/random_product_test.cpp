// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every implementation of the sparse product against a long-double reference on random matrices.

#include "kernels_spgemm/spgemm_test.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include <cmath>

namespace tessera::kernels::test::random_product_test {

template <class T>
struct RandomProduct : ::testing::Test {
  TESSERA_TEST_TYPES(T);
  using Matrix = Csr<Scalar, Space, Offset>;

  Space exec;

  /// Each implementation right, twice the same bits, and the numeric phase right again.
  void check(const HostMatrix& host_A, const HostMatrix& host_B) {
    const Matrix A = to_space<Scalar, Space, Offset>(exec, host_A);
    const Matrix B = to_space<Scalar, Space, Offset>(exec, host_B);
    const auto multiply = [&](const char* name, const std::function<Matrix()>& product) {
      SCOPED_TRACE(name);
      const Matrix C = product();
      expect_product(C, host_A, host_B);
      expect_same_bits(C, product());
      Kokkos::deep_copy(C.values, std::numeric_limits<Scalar>::quiet_NaN());
      spgemm_numeric(exec, A.view(), B.view(), C);
      exec.fence();
      expect_product(C, host_A, host_B);
    };
    multiply("default", [&] { return spgemm(exec, A.view(), B.view()); });
    multiply("portable hash", [&] { return hash_spgemm(exec, A.view(), B.view()); });
  }
};
TYPED_TEST_SUITE(RandomProduct, Matrices, TypeNames);

std::function<Ordinal(Ordinal)> constant(Ordinal length) {
  return [length](Ordinal) { return length; };
}

/// Zero for a third of the rows, and the others of different lengths.
Ordinal ragged(Ordinal row) { return row % 3 == 0 ? 0 : row % 13; }

TYPED_TEST(RandomProduct, SmallShapes) {
  struct Case {
    const char* name;
    Ordinal rows, inner, columns;
    std::function<Ordinal(Ordinal)> of_A, of_B;
  };
  unsigned seed = 0;
  for (const Case& c : {Case{"short rows", 500, 400, 600, constant(5), constant(3)},
                        {"empty and ragged rows", 301, 200, 150, ragged, ragged},
                        {"no rows", 0, 20, 7, constant(1), constant(2)},
                        {"no columns", 9, 20, 0, constant(2), constant(0)},
                        {"no inner dimension", 9, 0, 5, constant(0), constant(0)},
                        {"no entries", 9, 20, 5, constant(0), constant(3)},
                        {"one row", 1, 300, 80, constant(200), constant(4)},
                        {"one column", 120, 300, 1, constant(7), constant(1)}}) {
    SCOPED_TRACE(c.name);
    const HostMatrix A = random_matrix(c.rows, c.inner, c.of_A, ++seed);
    this->check(A, random_matrix(c.inner, c.columns, c.of_B, ++seed));
  }
}

/// Each row of `blocks` as blocks of `width` adjacent columns, offset(row) < 6 columns behind.
HostMatrix of_blocks(const HostMatrix& blocks, Ordinal width,
                     const std::function<Ordinal(Ordinal)>& offset, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  return by_rows<double>(blocks.num_rows, blocks.num_cols * width + 6, [&](auto& B, Ordinal row) {
    for (auto k = blocks.offsets[row]; k < blocks.offsets[row + 1]; ++k)
      for (Ordinal c = 0; c < width; ++c)
        B.push(blocks.columns[k] * width + c + offset(row), value(random));
  });
}

/// As prolongators of several near-nullspace vectors are. Shifted ones only look so, and blocks of
/// different rows overlap where each row has another shift.
TYPED_TEST(RandomProduct, WholeBlocksOfColumns) {
  unsigned seed = 100;
  const auto by_row = [](Ordinal row) { return row % 6; };
  for (const Ordinal width : {2, 3, 6}) {
    for (const auto& offset :
         {constant(0), constant(1), constant(3), std::function<Ordinal(Ordinal)>(by_row)}) {
      for (const auto& of_B : {constant(4), std::function<Ordinal(Ordinal)>(ragged)}) {
        SCOPED_TRACE(std::to_string(width) + " columns, the second row's " +
                     std::to_string(offset(1)) + " behind");
        const HostMatrix A = random_matrix(90, 140, constant(9), ++seed);
        const HostMatrix blocks = random_matrix(140, 50, of_B, ++seed);
        this->check(A, of_blocks(blocks, width, offset, ++seed));
      }
    }
  }
}

/// Of whole blocks but for one row near the end: an entry more, or blocks that are cut in two.
TYPED_TEST(RandomProduct, BlocksOfAllRowsButOne) {
  const HostMatrix A = random_matrix(90, 140, constant(9), 201);
  const HostMatrix B = of_blocks(random_matrix(140, 50, constant(4), 202), 3, constant(0), 203);
  for (const bool is_longer : {true, false}) {
    // 4 of 50 blocks are in the row: one of five others is not.
    const auto first = B.columns.begin() + static_cast<std::ptrdiff_t>(B.offsets[131]);
    Ordinal absent = 0;
    while (std::find(first, first + 12, absent) != first + 12)
      absent += 3;
    const HostMatrix other = by_rows<double>(B.num_rows, B.num_cols, [&](auto& made, Ordinal row) {
      for (auto k = B.offsets[row]; k < B.offsets[row + 1]; ++k)
        made.push(row == 131 && !is_longer ? (B.columns[k] + 1) % B.num_cols : B.columns[k],
                  B.values[k]);
      if (row == 131 && is_longer) made.push(absent, 0.5);
    });
    this->check(A, other);
  }
}

/// Every size of table up to the largest in scratch, and rows beyond it.
TYPED_TEST(RandomProduct, EverySizeOfRow) {
  const auto doubling = [](Ordinal row) { return Ordinal(1) << (row % 12); };
  this->check(random_matrix(48, 3000, doubling, 17), random_matrix(3000, 9000, constant(4), 18));
}

/// A row of 5000 entries and more, from one long row of B and from many short ones.
TYPED_TEST(RandomProduct, DenseRows) {
  const auto first_long = [](Ordinal row) { return row == 0 ? 6000 : 2; };
  this->check(random_matrix(
                  40, 50, [](Ordinal row) { return row == 7 ? 50 : 3; }, 19),
              random_matrix(50, 9000, [](Ordinal row) { return row == 0 ? 9000 : 5; }, 20));
  this->check(random_matrix(5, 6000, first_long, 21), random_matrix(6000, 12000, constant(2), 22));
}

/// Few rows with many entries: on a device, A's row is split among the threads of a team.
TYPED_TEST(RandomProduct, LongRowsOfA) {
  this->check(random_matrix(30, 700, constant(120), 23), random_matrix(700, 60, constant(9), 24));
  this->check(random_matrix(20, 700, constant(300), 25), random_matrix(700, 900, constant(12), 26));
}

/// Rows of B of very different lengths: on a device, the lanes of a team share the long ones.
TYPED_TEST(RandomProduct, LongRowsOfB) {
  const auto uneven = [](Ordinal row) { return row % 4 == 0 ? 700 : row % 4 == 1 ? 2500 : 3; };
  this->check(random_matrix(60, 8, constant(3), 30), random_matrix(8, 20000, uneven, 31));
  this->check(random_matrix(20, 8, constant(7), 32), random_matrix(8, 2600, uneven, 33));
}

/// Long rows from rows of B of all lengths: on a device, the lanes of a team share the long ones,
/// and short ones make its threads take turns.
TYPED_TEST(RandomProduct, LongRowsFromManyRowsOfB) {
  const auto first_long = [](Ordinal row) { return row == 0 ? 9000 : 2; };
  this->check(
      random_matrix(3, 2000, constant(1500), 34),
      random_matrix(2000, 9500, [](Ordinal row) { return row % 50 == 0 ? 300 : row % 9; }, 35));
  this->check(random_matrix(
                  6, 3000, [](Ordinal row) { return row == 0 ? 3000 : 2; }, 36),
              random_matrix(3000, 9000, first_long, 37));
}

/// Rows that no table in scratch holds, of many columns, and of more than scratch has bits.
TYPED_TEST(RandomProduct, LongRowsOfManyColumns) {
  for (const Ordinal stride : {12, 300}) {
    SCOPED_TRACE(stride);
    HostMatrix B = random_matrix(30, 8000, constant(1200), 38);
    for (Ordinal& column : B.columns)
      column *= stride;
    B.num_cols = 8000 * stride;
    this->check(random_matrix(4, 30, constant(20), 39), B);
  }
}

/// Rows of thousands of products in few columns, whose bound says nothing of their size, beside
/// rows that are as long as theirs.
TYPED_TEST(RandomProduct, ManyProductsInFewColumns) {
  for (const Ordinal num_different : {1, 150, 1100}) {
    SCOPED_TRACE(num_different);
    HostMatrix B = random_matrix(600, num_different, constant(9), 40);
    for (Ordinal& column : B.columns)
      column = column * 8 + 3;
    B.num_cols = 9000;
    this->check(random_matrix(70, 600, [](Ordinal row) { return row % 2 == 0 ? 560 : 3; }, 41), B);
  }
}

/// Groups of one warp that have rows of all lengths, and of B rows longer than a group is wide.
TYPED_TEST(RandomProduct, NeighboursOfAllLengths) {
  const auto lengths = [](Ordinal row) { return (row * 37) % 90; };
  this->check(
      random_matrix(333, 300, lengths, 42),
      random_matrix(300, 700, [](Ordinal row) { return row % 17 == 0 ? 45 : row % 5; }, 43));
}

TYPED_TEST(RandomProduct, ManyShapes) {
  std::mt19937 random(27);
  const auto up_to = [&](Ordinal most) {
    return std::uniform_int_distribution<Ordinal>(0, most)(random);
  };
  Share share;
  for (unsigned trial = 0; trial < 25; ++trial) {
    SCOPED_TRACE(trial);
    const Ordinal m = up_to(90), k = up_to(70), n = up_to(80);
    const Ordinal longest_a = up_to(k), longest_b = up_to(n);
    const auto A = random_matrix(m, k, [&](Ordinal) { return up_to(longest_a); }, 100 + trial);
    const auto B = random_matrix(k, n, [&](Ordinal) { return up_to(longest_b); }, 200 + trial);
    if (share.takes()) this->check(A, B);
  }
}

/// Columns that differ by multiples of a power of two, as those of a grid do.
TYPED_TEST(RandomProduct, StridedColumns) {
  HostMatrix B = random_matrix(400, 64, constant(16), 28);
  for (Ordinal& column : B.columns)
    column *= 4096;
  B.num_cols = 64 * 4096;
  this->check(random_matrix(64, 400, constant(8), 29), B);
}

/// On a host a sum begins with its first product, not with 0: one of -0 alone stays -0.
TEST(ProductOfAHost, KeepsTheSignOfAZero) {
  const HostSpace exec;
  const auto A = by_rows<double>(2, 2, [](auto& made, Ordinal row) {
    made.push(0, -1);
    if (row == 1) made.push(1, -1);
  });
  const auto B = by_rows<double>(2, 1, [](auto& made, Ordinal) { made.push(0, 0.0); });
  const auto C =
      to_host(spgemm(exec, make_csr<Ordinal>(exec, A).view(), make_csr<Ordinal>(exec, B).view()));
  ASSERT_EQ(C.values.size(), 2U);
  EXPECT_TRUE(std::signbit(C.values[0]));
  EXPECT_TRUE(std::signbit(C.values[1]));
}

}  // namespace tessera::kernels::test::random_product_test
