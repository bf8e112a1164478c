// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::test::prolongator_test {

/// A partition at random: `isolated` of the nodes in no aggregate, some aggregates of one
/// node.
struct RandomAggregates {
  Ordinal num_aggregates;
  std::vector<Ordinal> aggregate_of;

  RandomAggregates(Ordinal num_nodes, Ordinal groups, double isolated, std::uint64_t seed)
      : num_aggregates(groups), aggregate_of(num_nodes) {
    Random random(seed);
    for (Ordinal& g : aggregate_of)
      g = random.uniform() < isolated ? -1 : random.below(groups);
  }

  template <class Space>
  kernels::Aggregates<Space> on(const Space& exec) const {
    return {num_aggregates, to_device(exec, aggregate_of)};
  }
};

TESSERA_TEST_SUITE(ProlongatorTest, Matrices, TypeNames);

/// T^T T = I on the columns kept, 0 on those dropped, and T B_c = B on the aggregated rows.
template <class Scalar, class Space, class Offset>
void expect_tentative(const amg::Tentative<Scalar, Space, Offset>& tentative,
                      const RandomAggregates& aggregates, const std::vector<Scalar>& B, Ordinal n,
                      Ordinal m, double tolerance) {
  const auto T = to_host(tentative.T);
  ASSERT_EQ(T.num_rows, n);
  ASSERT_EQ(T.num_cols, aggregates.num_aggregates * m);
  const Ordinal block_size = tentative.block_size;
  for (Ordinal i = 0; i < n; ++i) {
    const Ordinal g = aggregates.aggregate_of[i / block_size];
    ASSERT_EQ(T.offsets[i + 1] - T.offsets[i], g < 0 ? 0 : m);
    for (Ordinal b = 0; b < m && g >= 0; ++b)
      ASSERT_EQ(T.columns[T.offsets[i] + b], g * m + b);
  }
  const auto dropped = to_host(tentative.dropped);
  const Dense dense = to_dense(T);
  const Dense gram = multiply(transpose(dense), dense);
  for (Ordinal i = 0; i < gram.num_rows; ++i) {
    for (Ordinal j = 0; j < gram.num_cols; ++j) {
      const double expected = i == j && dropped[i] == 0 ? 1 : 0;
      ASSERT_NEAR(static_cast<double>(gram(i, j)), expected, tolerance) << i << " " << j;
    }
  }
  const auto coarse = to_host(tentative.coarse_near_nullspace);
  for (Ordinal b = 0; b < m; ++b) {
    const std::vector<Scalar> column(coarse.begin() + static_cast<std::size_t>(b) * T.num_cols,
                                     coarse.begin() + static_cast<std::size_t>(b + 1) * T.num_cols);
    const auto product = multiply(T, column);
    for (Ordinal i = 0; i < n; ++i) {
      if (aggregates.aggregate_of[i / block_size] < 0) continue;
      ASSERT_NEAR(static_cast<double>(product[i]), B[i + static_cast<std::size_t>(b) * n],
                  tolerance);
    }
  }
}

TESSERA_TYPED_TEST(ProlongatorTest, TentativeIsOrthonormalAndInterpolatesTheNearNullspace) {
  for (const Ordinal m : {1, 2, 3, 6, 10}) {
    for (const int block_size : {1, 3}) {
      // With 40 nodes on 30 aggregates many have fewer rows than near-nullspace vectors.
      for (const Ordinal num_nodes : {0, 1, 40, 200}) {
        const RandomAggregates aggregates(num_nodes, num_nodes == 40 ? 30 : 7, 0.1, m);
        const Ordinal n = num_nodes * block_size;
        const auto B = random_vector<Scalar>(static_cast<std::size_t>(n) * m, 5 + m);
        const auto on_device = to_multivector(exec, B, n, m);
        const auto tentative = amg::tentative_prolongator<Offset>(
            exec, aggregates.on(exec), ConstMultiVectorView<Scalar, Space>(on_device), block_size);
        expect_tentative(tentative, aggregates, B, n, m, roundings<Scalar>(2000));
      }
    }
  }
}

TESSERA_TYPED_TEST(ProlongatorTest, TentativeDropsDependentVectors) {
  // One node of three unknowns, six near-nullspace vectors; a repeated near-nullspace vector; a
  // zero one; an empty aggregate.
  RandomAggregates aggregates(12, 4, 0, 3);
  for (Ordinal v = 0; v < 12; ++v)
    aggregates.aggregate_of[v] = v == 0 ? 0 : 1 + v % 2;
  const Ordinal n = 36;
  const Ordinal m = 6;
  auto B = random_vector<Scalar>(static_cast<std::size_t>(n) * m, 4);
  for (Ordinal i = 0; i < n; ++i) {
    B[i + 2 * n] = B[i] + Scalar(2) * B[i + n];
    B[i + 4 * n] = 0;
  }
  const auto on_device = to_multivector(exec, B, n, m);
  const auto tentative = amg::tentative_prolongator<Offset>(
      exec, aggregates.on(exec), ConstMultiVectorView<Scalar, Space>(on_device), 3);
  expect_tentative(tentative, aggregates, B, n, m, roundings<Scalar>(2000));
  const std::vector<char> expected{0, 0, 1, 0, 1, 1,  // 3 rows: no room for a fourth
                                   0, 0, 1, 0, 1, 0,  //
                                   0, 0, 1, 0, 1, 0,  //
                                   1, 1, 1, 1, 1, 1};  // no member
  EXPECT_EQ(to_host(tentative.dropped), expected);
}

/// (I - omega D^-1 A) T, densely; `A` filtered where `theta` > 0, and rows of infinite scale empty.
template <class Scalar>
Dense smoothed_reference(Dense A, const Dense& T, const std::vector<Scalar>& inverse_diagonal,
                         double omega, double theta, const std::vector<double>& scale,
                         const std::vector<Scalar>& near_nullspace_vector) {
  const Ordinal n = A.num_rows;
  std::vector<long double> inverse(inverse_diagonal.begin(), inverse_diagonal.end());
  for (Ordinal i = 0; i < n && theta > 0; ++i) {
    const auto is_weak = [&](Ordinal j) {
      const long double product = static_cast<long double>(scale[i]) * scale[j];
      const bool opposite = A(i, j) * scale[i] < 0 || A(i, j) * scale[j] < 0;
      return j != i && !(opposite && A(i, j) * A(i, j) > theta * theta * std::abs(product));
    };
    if (near_nullspace_vector[i] == 0) continue;  // no aggregate
    long double lumped = 0;
    for (Ordinal j = 0; j < n; ++j)
      lumped += is_weak(j) ? A(i, j) * near_nullspace_vector[j] / near_nullspace_vector[i] : 0.0L;
    if (1 + lumped * inverse[i] < 0.1L) continue;
    for (Ordinal j = 0; j < n; ++j) {
      if (is_weak(j)) A(i, j) = 0;
    }
    A(i, i) += lumped;
    inverse[i] /= 1 + lumped * inverse[i];
  }
  Dense P = multiply(A, T);
  for (Ordinal i = 0; i < n; ++i) {
    const bool alone = theta > 0 && std::isinf(scale[i]);
    for (Ordinal c = 0; c < T.num_cols; ++c)
      P(i, c) = alone ? 0 : T(i, c) - omega * inverse[i] * P(i, c);
  }
  return P;
}

template <class Scalar>
void expect_matches(const HostMatrix<Scalar>& P, const Dense& reference, double tolerance) {
  ASSERT_EQ(P.num_rows, reference.num_rows);
  ASSERT_EQ(P.num_cols, reference.num_cols);
  for (Ordinal i = 0; i < P.num_rows; ++i) {
    for (auto e = P.offsets[i] + 1; e < P.offsets[i + 1]; ++e) {
      ASSERT_LT(P.columns[e - 1], P.columns[e]) << "sorted, no duplicates";
    }
  }
  const Dense dense = to_dense(P);
  for (std::size_t k = 0; k < dense.values.size(); ++k) {
    ASSERT_NEAR(static_cast<double>(dense.values[k]), static_cast<double>(reference.values[k]),
                tolerance);
  }
}

struct SmoothingCase {
  Ordinal num_nodes;
  Ordinal groups;
  int block_size;
  Ordinal m;
  double density;
  double theta;
  StrengthMeasure measure = StrengthMeasure::diagonal;
};

template <class Offset, class Scalar, class Space>
void check_smoothing(const Space& exec, const SmoothingCase& c) {
  const Ordinal n = c.num_nodes * c.block_size;
  const auto A = random_spd_matrix<Scalar>(n, c.density, 3 + c.m);
  const auto other = times(A, Scalar(1.5));
  const RandomAggregates aggregates(c.num_nodes, c.groups, 0.15, 8);
  auto near_nullspace_vector = random_vector<Scalar>(static_cast<std::size_t>(n) * c.m);
  if (c.theta > 0) {
    for (Scalar& value : near_nullspace_vector)
      value = Scalar(1) + Scalar(0.3) * value;
  }
  const auto B = to_multivector(exec, near_nullspace_vector, n, c.m);
  for (Ordinal i = 0; i < n && c.m == 1; ++i) {
    if (aggregates.aggregate_of[i / c.block_size] < 0) near_nullspace_vector[i] = 0;
  }
  const auto tentative = amg::tentative_prolongator<Offset>(
      exec, aggregates.on(exec), ConstMultiVectorView<Scalar, Space>(B), c.block_size);
  const Dense T = to_dense(to_host(tentative.T));
  const double omega = 0.6;

  const auto inverse = inverse_diagonal_of(A);
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale = kernels::coupling_scale(exec, csr.view(), c.measure);
  const amg::WeakFilter<Space> filter{c.theta, scale};
  const auto P =
      amg::smooth_prolongator(exec, csr.view(), to_device(exec, inverse), omega, tentative, filter);
  expect_matches(to_host(P),
                 smoothed_reference(to_dense(A), T, inverse, omega, c.theta, to_host(scale),
                                    near_nullspace_vector),
                 roundings<Scalar>(200));
  kernels::RowLengths lengths;
  const auto again =
      amg::smooth_prolongator(exec, csr.view(), to_device(exec, inverse), omega, tentative, filter,
                              std::numeric_limits<std::size_t>::max(), {}, &lengths);
  EXPECT_EQ(to_host(again.values), to_host(P.values)) << "the same bits";
  const auto offsets = to_host(again.offsets);
  std::int64_t longest = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i)
    longest = std::max<std::int64_t>(longest, offsets[i] - offsets[i - 1]);
  EXPECT_EQ(lengths.total, static_cast<std::int64_t>(again.values.extent(0)));
  EXPECT_EQ(lengths.longest, longest);

  // Other values (scaled, so that the same couplings are weak) and another damping.
  const auto new_inverse = inverse_diagonal_of(other);
  const auto other_csr = make_csr<Offset>(exec, other);
  const auto new_scale = kernels::coupling_scale(exec, other_csr.view(), c.measure);
  amg::smooth_prolongator_numeric(exec, other_csr.view(), to_device(exec, new_inverse), 0.4,
                                  tentative, P, {c.theta, new_scale});
  expect_matches(to_host(P),
                 smoothed_reference(to_dense(other), T, new_inverse, 0.4, c.theta,
                                    to_host(new_scale), near_nullspace_vector),
                 roundings<Scalar>(200));
}

TESSERA_TYPED_TEST(ProlongatorTest, SmoothingMatchesTheDenseProduct) {
  const std::vector<SmoothingCase> cases{
      {0, 3, 1, 1, 0.1, 0},
      {1, 1, 1, 1, 1, 0},
      {120, 20, 1, 1, 0.05, 0},
      {150, 110, 1, 1, 0.7, 0},  // rows of more aggregates than a batch takes
      {60, 10, 1, 3, 0.1, 0},
      {40, 8, 3, 6, 0.05, 0},
      {60, 50, 2, 2, 0.9, 0},
      {120, 20, 1, 1, 0.1, 0.2},
      {150, 110, 1, 1, 0.6, 0.01},
      {120, 20, 1, 1, 0.1, 0.5, StrengthMeasure::largest}};
  for (const auto& c : cases)
    check_smoothing<Offset, Scalar>(exec, c);
}

TESSERA_TYPED_TEST(ProlongatorTest, FilteredSmoothingKeepsConstants) {
  // Rows of sum zero, and aggregates of neighbours: P times the coarse constant is the constant.
  auto A = poisson<Scalar>(12, 11);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    Scalar sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (std::abs(A.columns[e] - i) > 1) A.values[e] *= Scalar(0.01);
      if (A.columns[e] != i) sum += A.values[e];
    }
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) A.values[e] = -sum;
    }
  }
  RandomAggregates aggregates(A.num_rows, 44, 0, 1);
  for (Ordinal v = 0; v < A.num_rows; ++v)
    aggregates.aggregate_of[v] = v / 3;
  const auto B = to_multivector(exec, std::vector<Scalar>(A.num_rows, Scalar(1)), A.num_rows);
  const auto tentative = amg::tentative_prolongator<Offset>(exec, aggregates.on(exec),
                                                            ConstMultiVectorView<Scalar, Space>(B));
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale = kernels::coupling_scale(exec, csr.view(), StrengthMeasure::largest);
  const auto P = amg::smooth_prolongator(exec, csr.view(), to_device(exec, inverse_diagonal_of(A)),
                                         0.7, tentative, {0.1, scale});
  const auto constant = multiply(to_host(P), to_host(tentative.coarse_near_nullspace));
  for (const long double value : constant) {
    EXPECT_NEAR(static_cast<double>(value), 1.0, roundings<Scalar>(20));
  }
  // The weak couplings are those to other lines, so that a row reaches along its own line only.
  const auto host = to_host(P);
  for (Ordinal i = 0; i < host.num_rows; ++i)
    EXPECT_LE(host.offsets[i + 1] - host.offsets[i], 2);
}

TESSERA_TYPED_TEST(ProlongatorTest, LongRowsAreNotSmoothed) {
  const auto A = random_matrix<Scalar>({.num_rows = 60, .num_cols = 60, .density = 0.2, .seed = 3});
  for (const Ordinal m : {1, 2}) {
    const RandomAggregates aggregates(60 / m, 9, 0.1, 1);
    const auto B = to_multivector(exec, random_vector<Scalar>(60 * m), 60, m);
    const auto tentative = amg::tentative_prolongator<Offset>(
        exec, aggregates.on(exec), ConstMultiVectorView<Scalar, Space>(B), m);
    const auto csr = make_csr<Offset>(exec, A);
    const auto inverse = to_device(exec, inverse_diagonal_of(A));
    const auto all = amg::smooth_prolongator(exec, csr.view(), inverse, 0.5, tentative);
    const std::size_t longest = 12;
    const auto P = amg::smooth_prolongator(exec, csr.view(), inverse, 0.5, tentative, {}, longest);
    const auto host = to_host(P);
    const Dense smoothed = to_dense(to_host(all));
    const Dense left = to_dense(to_host(tentative.T));
    const Dense rows = to_dense(host);
    int num_long = 0;
    for (Ordinal i = 0; i < 60; ++i) {
      const bool is_long = A.offsets[i + 1] - A.offsets[i] > static_cast<std::int64_t>(longest);
      num_long += is_long;
      for (Ordinal j = 0; j < host.num_cols; ++j)
        EXPECT_EQ(rows(i, j), is_long ? left(i, j) : smoothed(i, j)) << i << ", " << j;
    }
    EXPECT_GT(num_long, 5);
    EXPECT_LT(num_long, 55);
    const auto values = to_host(P.values);
    amg::smooth_prolongator_numeric(exec, csr.view(), inverse, 0.5, tentative, P, {}, longest);
    EXPECT_EQ(to_host(P.values), values);
  }
}

TESSERA_TYPED_TEST(ProlongatorTest, RefusesBadArguments) {
  const RandomAggregates aggregates(10, 3, 0, 1);
  const auto B = to_multivector(exec, random_vector<Scalar>(20), 20, 1);
  const ConstMultiVectorView<Scalar, Space> view = B;
  EXPECT_THROW(amg::tentative_prolongator<Offset>(exec, aggregates.on(exec), view, 1), Error);
  const auto T = amg::tentative_prolongator<Offset>(exec, aggregates.on(exec), view, 2);
  const auto small = make_csr<Offset>(exec, identity<Scalar>(10));
  const auto right = make_csr<Offset>(exec, identity<Scalar>(20));
  const Array<Scalar, Space> ones = to_device(exec, std::vector<Scalar>(20, Scalar(1)));
  EXPECT_THROW(amg::smooth_prolongator(exec, small.view(), ones, 0.5, T), Error);
  EXPECT_THROW(amg::smooth_prolongator(exec, right.view(), ones, 0.5, T, {0.1, {}}), Error);
  EXPECT_THROW(amg::smooth_prolongator_numeric(exec, right.view(), ones, 0.5, T, small), Error);
}

}  // namespace tessera::test::prolongator_test
