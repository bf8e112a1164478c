// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The lanes of the products by tensor cores with sums in float: whole warps run on the host, with
/// the instructions carried out by the definition of their fragments.
#include "mbsr_spmv_fixture.hpp"

#include "tessera/kernels/spmv/cuda/four_tile_rows.hpp"
#include "tessera/kernels/spmv/cuda/tile_row_and_vectors.hpp"

namespace tessera::test::tensor_core_lanes_test {

using kernels::TileLayout;
using kernels::cuda::FloatPieces;
using kernels::cuda::FourTileRows;
using kernels::cuda::MmaTf32;
using kernels::cuda::TileRowAndVectors;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A pattern as the instruction takes it.
double read_by_instruction(std::uint32_t pattern) {
  return tessera::detail::bit_cast<float>(kernels::cuda::read_as_tf32(pattern));
}

/// Cut off, not rounded, as tensor cores do.
float cut_off(double value) {
  const auto nearest = static_cast<float>(value);
  const bool away = std::isfinite(nearest) && std::abs(nearest) > std::abs(value);
  return away ? std::nextafter(nearest, 0.0f) : nearest;
}

struct Fragments {
  static constexpr int depth = 8;

  MmaTf32::A a[MmaTf32::lanes];
  MmaTf32::B b[MmaTf32::lanes];
  MmaTf32::C c[MmaTf32::lanes];

  /// C = A B by the definition of the fragments.
  void multiply() {
    double A[16][depth];
    double B[depth][8];
    for (int lane = 0; lane < MmaTf32::lanes; ++lane) {
      for (int part = 0; part < 4; ++part)
        A[MmaTf32::a_row(lane, part)][MmaTf32::a_col(lane, part)] =
            read_by_instruction(a[lane].part[part]);
      for (int part = 0; part < 2; ++part)
        B[MmaTf32::b_row(lane, part)][MmaTf32::b_col(lane)] =
            read_by_instruction(b[lane].part[part]);
    }
    for (int lane = 0; lane < MmaTf32::lanes; ++lane) {
      for (int part = 0; part < 4; ++part) {
        double sum = 0;
        for (int k = 0; k < depth; ++k)
          sum += A[MmaTf32::c_row(lane, part)][k] * B[k][MmaTf32::c_col(lane, part)];
        c[lane].part[part] = cut_off(sum);
      }
    }
  }
};

/// What the warp of `Lane` does for its tile rows, from `first` on; y(row, column) in float.
template <class Lane, class Arrays>
void run_warp(const Arrays& arrays, Ordinal first, std::vector<float>& y) {
  std::vector<Lane> warp;
  int steps = 0;
  for (int lane = 0; lane < MmaTf32::lanes; ++lane) {
    warp.emplace_back(arrays, first, lane);
    steps = std::max(steps, warp.back().steps());
  }
  for (int step = 0; step < steps; ++step) {
    std::vector<typename Lane::Operands> operands;
    for (Lane& lane : warp)
      operands.push_back(lane.next());
    for (int i = 0; i < Lane::instructions; ++i) {
      Fragments f;
      for (int lane = 0; lane < MmaTf32::lanes; ++lane) {
        f.a[lane] = operands[lane].a[i];
        f.b[lane] = operands[lane].b;
      }
      f.multiply();
      for (int lane = 0; lane < MmaTf32::lanes; ++lane)
        warp[lane].add(i, f.c[lane]);
    }
  }
  for (const Lane& lane : warp) {
    for (int i = 0; i < Lane::results; ++i) {
      if (!lane.has_result(i)) continue;
      float& place = y.at(lane.row() + static_cast<std::size_t>(lane.column(i)) * arrays.num_rows);
      EXPECT_TRUE(std::isnan(place)) << "row " << lane.row() << " has two results";
      place = arrays.scale * lane.sum(i);
    }
  }
}

/// y = A x by warps of `Lane`, with `columns` of x that lie in `x`, `ldx` apart.
template <class Lane, class Storage, class Space>
std::vector<float> run_warps(const kernels::MbsrView<Storage, Space>& A,
                             const MultiVector<float, Space>& all_x, const std::vector<float>& x,
                             std::size_t ldx, int columns) {
  kernels::detail::TileArrays<Storage, float> arrays(A, ConstMultiVectorView<float, Space>(all_x),
                                                     0, columns);
  arrays.x = x.data();
  arrays.ldx = ldx;
  auto y = all_nan<float>(static_cast<std::size_t>(A.num_rows) * columns);
  for (Ordinal first = 0; first < A.num_tile_rows(); first += Lane::tile_rows)
    run_warp<Lane>(arrays, first, y);
  return y;
}

TEST(TensorCoreFragments, HoldEveryElementOnce) {
  constexpr int depth = Fragments::depth;
  int a[16][depth] = {};
  int b[depth][8] = {};
  int c[16][8] = {};
  for (int lane = 0; lane < MmaTf32::lanes; ++lane) {
    for (int part = 0; part < 4; ++part) {
      ++c[MmaTf32::c_row(lane, part)][MmaTf32::c_col(lane, part)];
      ++a[MmaTf32::a_row(lane, part)][MmaTf32::a_col(lane, part)];
      if (part < 2) ++b[MmaTf32::b_row(lane, part)][MmaTf32::b_col(lane)];
    }
  }
  for (int row = 0; row < 16; ++row) {
    for (int col = 0; col < depth; ++col) {
      EXPECT_EQ(a[row][col], 1);
      EXPECT_EQ(b[col][row % 8], 1);
      EXPECT_EQ(c[row][col % 8], 1);
    }
  }
}

/// Units in the last place that the pieces lose of `value`.
double units_lost(float value) {
  const FloatPieces pieces = FloatPieces::of(value);
  const double sum = read_by_instruction(pieces.high) +
                     double{FloatPieces::low_weight} * read_by_instruction(pieces.low);
  const double unit = std::max(std::ldexp(1.0, std::ilogb(value) - 23), 0x1p-149);
  return std::abs(sum - double{value}) / unit;
}

TEST(FloatPieces, AreTheFloatButForItsLastPlace) {
  double most = 0;
  for (const float factor : random_vector<float>(20000, 31)) {
    for (const int exponent : {-100, -60, -1, 0, 1, 17, 127})
      most = std::max(most, units_lost(std::ldexp(factor, exponent)));
  }
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0) << "24 bits do not go into 22 and a sign";
  for (const float held : {1.0f, -0x1.ffep0f, 0x1.002p0f, 0x1.0007fep-20f})
    EXPECT_EQ(units_lost(held), 0) << held;
  EXPECT_EQ(FloatPieces::of(0.0f).high, 0u);
  EXPECT_EQ(FloatPieces::of(0.0f).low, 0u);
}

TEST(FloatPieces, AtTheEndsOfTheRange) {
  for (const float value : {0x1.ffdffep127f, -0x1.ffccbap127f})
    EXPECT_LE(units_lost(value), 1) << value;
  EXPECT_EQ(read_by_instruction(FloatPieces::of(0x1.fffp127f).high), infinity);
  for (const float value : {0x1p-149f, 0x1.fffp-130f, -0x1.555554p-127f, 0x1.fffffcp-127f})
    EXPECT_LE(units_lost(value), 2) << value;
}

TEST(FloatPieces, InfinitiesAndNansStay) {
  for (const float value : {infinity, -infinity}) {
    const FloatPieces pieces = FloatPieces::of(value);
    EXPECT_EQ(read_by_instruction(pieces.high), value);
    EXPECT_EQ(FloatPieces::joined(value, static_cast<float>(read_by_instruction(pieces.low))),
              value);
  }
  for (const std::uint32_t pattern : {0x7fc00000u, 0x7fffffffu, 0xffffffffu, 0x7f800001u}) {
    const auto pieces = FloatPieces::of(tessera::detail::bit_cast<float>(pattern));
    EXPECT_TRUE(std::isnan(read_by_instruction(pieces.low))) << pattern;
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(FloatPieces::joined(1, nan)));
  EXPECT_TRUE(std::isnan(FloatPieces::joined(nan, 1)));
  EXPECT_EQ(FloatPieces::joined(3, 2048), 4);
}

template <class Param>
class TensorCoreLanes : public ::testing::Test {};
using FloatSums =
    ::testing::Types<Mixed<float, float, HostSpace>,
                     Mixed<Half, float, HostSpace> TESSERA_IF_ALL_STORAGE_SCALARS(
                         , Mixed<BFloat16, float, HostSpace>, Mixed<Fp8E4M3, float, HostSpace>,
                         Mixed<Fp8E5M2, float, HostSpace>)>;
TYPED_TEST_SUITE(TensorCoreLanes, FloatSums, StoredNames);

/// A x by warps of `Lane` is within the bound of sums in float; rows of x beyond the last column of
/// the matrix are NaN.
template <class Lane, class Param>
void expect_product(const HostMatrix<double>& matrix, TileLayout layout, int columns,
                    double scale) {
  const MbsrCase<Param> t(matrix, layout, columns, scale);
  constexpr std::size_t padding = 3;
  const std::size_t n = t.host.num_cols;
  auto x = all_nan<float>((n + padding) * columns);
  for (std::size_t i = 0; i < t.x_host.size(); ++i)
    x[i % n + i / n * (n + padding)] = t.x_host[i];
  const auto y = run_warps<Lane>(t.A.view(), t.x, x, n + padding, columns);
  ASSERT_TRUE(is_within(y, t.spmv_bound(1, 0)));
}

/// For every kind of lanes that takes so many columns.
template <class Param, TileLayout layout>
void expect_products(const HostMatrix<double>& matrix, int columns, double scale) {
  using Storage = typename Param::Storage;
  const auto expect = [&]<class Lane>() {
    expect_product<Lane, Param>(matrix, layout, columns, scale);
  };
  SCOPED_TRACE(std::to_string(matrix.num_rows) + " by " + std::to_string(matrix.num_cols) +
               (layout == TileLayout::packed ? " packed, " : " dense, ") + std::to_string(columns) +
               " columns");
  if (columns == 1) expect.template operator()<FourTileRows<Storage, layout>>();
  if (columns <= kernels::cuda::vectors_per_group) {
    expect.template operator()<TileRowAndVectors<Storage, layout, 1>>();
  } else {
    expect.template operator()<TileRowAndVectors<Storage, layout, 2>>();
  }
}

TYPED_TEST(TensorCoreLanes, WarpsMultiplyWithinTheBound) {
  for (const auto& matrix : share_of(mbsr_spmv_matrices())) {
    for (const int columns : {1, 8, 13}) {
      ASSERT_NO_FATAL_FAILURE((expect_products<TypeParam, TileLayout::packed>(matrix, columns, 1)));
      ASSERT_NO_FATAL_FAILURE((expect_products<TypeParam, TileLayout::dense>(matrix, columns, 1)));
    }
  }
}

TYPED_TEST(TensorCoreLanes, ScaleMultipliesTheSums) {
  const auto matrix = random_matrix<double>({.num_rows = 30, .num_cols = 45, .density = 0.3});
  for (const double scale : {0.125, 16.0}) {
    for (const int columns : {1, 11})
      expect_products<TypeParam, TileLayout::packed>(matrix, columns, scale);
  }
}

/// A x of `Lane` where x is 1 but for one element.
template <class Lane, class Storage, class Space>
std::vector<float> product_with(const kernels::Mbsr<Storage, Space>& A, std::size_t place,
                                float element) {
  std::vector<float> x(A.num_cols, 1.0f);
  x.at(place) = element;
  const auto all_x = to_multivector(Space(), x, x.size());
  return run_warps<Lane>(A.view(), all_x, x, x.size(), 1);
}

/// The entry of `A` in a row and a column; NaN where there is none.
double entry_of(const HostMatrix<double>& A, Ordinal row, Ordinal column) {
  for (auto e = A.offsets[row]; e < A.offsets[row + 1]; ++e) {
    if (A.columns[e] == column) return A.values[e];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// An element of x that is not finite reaches the rows with an entry in its column as in a sum in
/// order, and no row of another tile row than theirs.
template <class Lane, class Storage, class Space>
void expect_special_in_its_rows(const HostMatrix<double>& host,
                                const kernels::Mbsr<Storage, Space>& A, float special) {
  constexpr Ordinal column = 5;
  const auto plain = product_with<Lane>(A, column, 1.0f);
  const auto y = product_with<Lane>(A, column, special);
  for (Ordinal first = 0; first < host.num_rows; first += 4) {
    const Ordinal end = std::min(first + 4, host.num_rows);
    bool reached = false;
    for (Ordinal row = first; row < end; ++row) {
      const double entry = entry_of(host, row, column);
      if (std::isnan(entry)) continue;
      reached = true;
      const float expected = static_cast<float>(entry) * special;
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(y[row]) : y[row] == expected)
          << "row " << row << ": " << y[row] << ", expected " << expected;
    }
    for (Ordinal row = first; row < end && !reached; ++row)
      EXPECT_EQ(y[row], plain[row]) << "row " << row;
  }
}

TESSERA_STORED_TEST(TensorCoreLanes, InfinitiesAndNansInXStayInTheirTiles) {
  const auto matrix = random_matrix<double>({.num_rows = 90, .num_cols = 40, .density = 0.15});
  const auto host = rounded_to<Storage>(matrix, 1);
  const auto A = make_mbsr<Storage>(exec, matrix, TileLayout::packed);
  for (const float special : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    const auto expect = [&]<class Lane>() { expect_special_in_its_rows<Lane>(host, A, special); };
    expect.template operator()<FourTileRows<Storage, TileLayout::packed>>();
    expect.template operator()<TileRowAndVectors<Storage, TileLayout::packed, 1>>();
  }
}

}  // namespace tessera::test::tensor_core_lanes_test
