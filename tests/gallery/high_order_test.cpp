// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Beam and L-shape: sizes and value ranges of tables 5.1 and 6.1 of Y.-H. Tsai, "Portable Mixed
/// Precision Algebraic Multigrid on High Performance GPUs", dissertation, Karlsruhe 2024; and
/// norms, traces and sums of the matrices that MFEM assembles for these problems.
#include "gallery/gallery_test.hpp"

#include "tessera/gallery/detail/lobatto.hpp"

namespace tessera::high_order_test {

struct Invariants {
  std::int64_t rows = 0, entries = 0, nonzeros = 0, fixed = 0;
  double smallest = 0, largest = 0;  ///< magnitudes of the nonzero ones
  double norm = 0, trace = 0, sum = 0;
};

/// `fixed` counts the rows that hold a 1 on the diagonal and nothing else.
template <class Matrix>
Invariants invariants_of(const Matrix& A) {
  const Kokkos::HostSpace host;
  const auto offsets = Kokkos::create_mirror_view_and_copy(host, A.offsets);
  const auto columns = Kokkos::create_mirror_view_and_copy(host, A.columns);
  const auto values = Kokkos::create_mirror_view_and_copy(host, A.values);
  Invariants all{.rows = A.num_rows, .entries = static_cast<std::int64_t>(A.num_entries())};
  all.smallest = std::numeric_limits<double>::infinity();
  long double norm = 0, trace = 0, sum = 0;
  for (Ordinal row = 0; row < A.num_rows; ++row) {
    std::int64_t nonzeros = 0;
    double diagonal = 0;
    for (auto e = offsets(row); e < offsets(row + 1); ++e) {
      const double value = values(e);
      sum += value;
      norm += value * value;
      if (columns(e) == row) diagonal = value;
      if (value == 0) continue;
      ++nonzeros;
      all.smallest = std::min(all.smallest, std::abs(value));
      all.largest = std::max(all.largest, std::abs(value));
    }
    trace += diagonal;
    all.nonzeros += nonzeros;
    all.fixed += nonzeros == 1 && diagonal == 1;
  }
  all.norm = static_cast<double>(std::sqrt(norm));
  all.trace = static_cast<double>(trace);
  all.sum = static_cast<double>(sum);
  return all;
}

void expect_equal(const Invariants& found, const Invariants& expected) {
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(found.entries, expected.entries);
  EXPECT_EQ(found.nonzeros, expected.nonzeros);
  EXPECT_EQ(found.fixed, expected.fixed);
  EXPECT_NEAR(found.smallest, expected.smallest, 1e-3 * expected.smallest);
  EXPECT_NEAR(found.largest, expected.largest, 1e-3 * expected.largest);
  EXPECT_NEAR(found.norm, expected.norm, 1e-9 * expected.norm);
  EXPECT_NEAR(found.trace, expected.trace, 1e-9 * expected.trace);
  EXPECT_NEAR(found.sum, expected.sum, 1e-9 * expected.sum);
}

GalleryParameters beam(int order, int refine) {
  return {.problem = ProblemKind::beam, .order = order, .refine = refine};
}
GalleryParameters lshape(int order, int refine) {
  return {.problem = ProblemKind::lshape, .order = order, .refine = refine};
}

TESSERA_TEST_SUITE(HighOrderTest, test::Spaces, test::TypeNames);

TYPED_TEST(HighOrderTest, BeamIsMfems) {
  expect_equal(invariants_of(test::generate<TypeParam>(beam(2, 3)).A),
               {37281, 2167425, 1530281, 8706, 9.259e-06, 1, 102.260119014201, 13584.9644444457,
                9034.6873332867});
  expect_equal(invariants_of(test::generate<TypeParam>(beam(3, 3)).A),
               {120625, 14070001, 10861789, 19586, 8.858e-07, 1, 155.666358098565, 34383.7621598346,
                20216.1727902669});
}

TYPED_TEST(HighOrderTest, LargeBeamIsMfems) {
  expect_equal(invariants_of(test::generate<TypeParam>(beam(4, 3)).A),
               {279873, 57251713, 46554193, 34818, 4.852e-08, 1, 208.488428549109, 66060.1258819087,
                35848.1245370904});
}

TYPED_TEST(HighOrderTest, LShapeIsMfems) {
  expect_equal(invariants_of(test::generate<TypeParam>(lshape(3, 7)).A),
               {443905, 11066881, 10962619, 3072, 3.968e-03, 5.952, 3665.45601658327,
                2132019.23810181, 7505.82539689755});
}

TYPED_TEST(HighOrderTest, OtherSizesOfTheThesis) {
  const auto expect = [](const GalleryParameters& parameters, Ordinal rows, std::size_t entries) {
    using Narrow = test::Types<float, typename TypeParam::Space>;
    const auto A = test::generate<Narrow>(parameters).A;
    EXPECT_EQ(A.num_rows, rows);
    EXPECT_EQ(A.num_entries(), entries);
  };
  expect(lshape(3, 8), 1772545, 44252161);
  expect(lshape(4, 7), 788481, 28323841);
}

TESSERA_TEST_SUITE(HighOrderTypesTest, test::Matrices, test::TypeNames);

/// Places of a mesh's vertices are known without the nodes between them: with order 1 the matrix is
/// the bilinear stencil (8 and -1) / 3.
TESSERA_TYPED_TEST(HighOrderTypesTest, OrderOneIsBilinear) {
  const auto problem = test::generate<TypeParam>(lshape(1, 2));
  const auto A = test::to_host(problem.A);
  const int half = 4;
  ASSERT_EQ(A.num_rows, (2 * half + 1) * (half + 1) + (half + 1) * half);
  const auto place = [&](int row) {
    const int below = (2 * half + 1) * (half + 1);
    return row < below
               ? std::pair{row % (2 * half + 1), row / (2 * half + 1)}
               : std::pair{(row - below) % (half + 1), half + 1 + (row - below) / (half + 1)};
  };
  const auto fixed = [&](int row) {
    const auto [x, y] = place(row);
    return x == 0 || y == 0 || x == 2 * half || y == 2 * half || (x >= half && y >= half);
  };
  const auto b = test::to_host(problem.b);
  for (int i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const int j = A.columns[e];
      double expected = i == j ? 8.0 / 3 : -1.0 / 3;
      if (fixed(i) || fixed(j)) expected = i == j ? 1 : 0;
      ASSERT_NEAR(A.values[e], expected, test::roundings<Scalar>(10)) << i << " " << j;
    }
    if (!fixed(i)) {
      ASSERT_EQ(A.offsets[i + 1] - A.offsets[i], 9);
    }
    ASSERT_NEAR(b[i], fixed(i) ? 0.0 : 1.0 / (half * half), test::roundings<Scalar>(1));
  }
}

/// At the re-entrant corner three elements meet: all nodes of the three, and none besides.
TYPED_TEST(HighOrderTypesTest, ReentrantCornerCouplesThreeElements) {
  for (int order = 1; order <= 8; ++order) {
    const auto A = test::matrix_of<TypeParam>(lshape(order, 0));
    const int corner = order + (2 * order + 1) * order;
    EXPECT_EQ(A.offsets[corner + 1] - A.offsets[corner], 3 * order * order + 4 * order + 1);
    EXPECT_EQ(A.offsets[corner + 1] - A.offsets[corner], A.num_rows);
  }
}

/// Rows that touch no fixed node sum to zero, for all orders.
TESSERA_TYPED_TEST(HighOrderTypesTest, ConstantsHaveNoFlux) {
  for (int order = 1; order <= 8; ++order) {
    const auto A = test::matrix_of<TypeParam>(lshape(order, 2));
    int checked = 0;
    for (int i = 0; i < A.num_rows; ++i) {
      double sum = 0;
      bool zero = false;
      double diagonal = 0;
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        sum += A.values[e];
        zero |= A.values[e] == 0;
        if (A.columns[e] == i) diagonal = A.values[e];
      }
      if (zero) continue;
      ++checked;
      ASSERT_NEAR(sum / diagonal, 0, test::roundings<Scalar>(200)) << "order " << order;
    }
    EXPECT_GE(checked, order * order) << "order " << order;
  }
}

/// -div(c grad u) = 0 is solved by a u that is linear in each half of the beam, with slopes in the
/// inverse ratio of the coefficients.
TESSERA_TYPED_TEST(HighOrderTypesTest, BeamHasTwoMaterials) {
  const auto A = test::matrix_of<TypeParam>(beam(1, 2));
  const int nx = 33;
  const int ny = 5;
  std::vector<Scalar> u(A.num_rows);
  for (int i = 0; i < A.num_rows; ++i) {
    const int x = i % nx - nx / 2;
    u[i] = static_cast<Scalar>(x < 0 ? 10 * x : x);
  }
  const auto flux = test::multiply(A, u);
  int checked = 0;
  for (int i = 0; i < A.num_rows; ++i) {
    const int x = i % nx;
    const int y = i / nx % ny;
    const int z = i / (nx * ny);
    // No fixed node among the neighbours.
    if (x < 2 || x > nx - 3 || y < 2 || y > ny - 3 || z < 2 || z > ny - 3) continue;
    ++checked;
    ASSERT_NEAR(static_cast<double>(flux[i]), 0, test::roundings<Scalar>(1000)) << x;
  }
  EXPECT_EQ(checked, nx - 4);
}

TEST(Lobatto, ElementsAreTheKnownOnes) {
  const auto linear = gallery_detail::lobatto_element(1);
  const auto quadratic = gallery_detail::lobatto_element(2);
  const auto expect = [](const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-14);
  };
  expect(linear.mass, {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 3});
  expect(linear.stiffness, {1, -1, -1, 1});
  expect(quadratic.mass, {4.0 / 30, 2.0 / 30, -1.0 / 30, 2.0 / 30, 16.0 / 30, 2.0 / 30, -1.0 / 30,
                          2.0 / 30, 4.0 / 30});
  expect(quadratic.stiffness,
         {7.0 / 3, -8.0 / 3, 1.0 / 3, -8.0 / 3, 16.0 / 3, -8.0 / 3, 1.0 / 3, -8.0 / 3, 7.0 / 3});
}

/// The integrals of the shape functions are the weights of Lobatto's quadrature: 1 / (k (k + 1)) at
/// the ends.
TEST(Lobatto, WeightsAreLobattos) {
  for (int k = 1; k <= 8; ++k) {
    const auto element = gallery_detail::lobatto_element(k);
    double total = 0;
    for (int a = 0; a <= k; ++a) {
      double weight = 0;
      double slope = 0;
      for (int b = 0; b <= k; ++b) {
        weight += element.mass[a * (k + 1) + b];
        slope += element.stiffness[a * (k + 1) + b];
        EXPECT_EQ(element.mass[a * (k + 1) + b], element.mass[b * (k + 1) + a]);
        EXPECT_EQ(element.stiffness[a * (k + 1) + b], element.stiffness[b * (k + 1) + a]);
      }
      total += weight;
      EXPECT_GT(weight, 0);
      EXPECT_NEAR(slope, 0, 1e-12);
      if (a == 0 || a == k) {
        EXPECT_NEAR(weight, 1.0 / (k * (k + 1)), 1e-14);
      }
    }
    EXPECT_NEAR(total, 1, 1e-14);
  }
}

}  // namespace tessera::high_order_test
