// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical modified interpolation of small systems, by hand.
#include "amg_components/interpolation_reference.hpp"
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/modified_interpolation.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test::modified_interpolation_test {

using namespace interpolation_reference;

TESSERA_TEST_SUITE(ModifiedInterpolation, Matrices, TypeNames);

/// An entry of a row, and whether the row depends on it.
struct Coupling {
  Ordinal column;
  double value;
  bool is_strong = false;
};
constexpr bool strong = true;

using System = std::vector<std::vector<Coupling>>;

/// Points 0 and 1 are coarse, and have rows of their own alone; those of fine points follow.
System with_coarse_points(const System& fine) {
  System all{{{0, 2}}, {{1, 2}}};
  all.insert(all.end(), fine.begin(), fine.end());
  return all;
}

template <class Scalar>
HostMatrix<Scalar> matrix_of(const System& system) {
  const auto n = static_cast<std::int32_t>(system.size());
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    for (const Coupling& coupling : system[i])
      A.push(coupling.column, static_cast<Scalar>(coupling.value));
  });
}

template <class Scalar, class Space, class Offset>
amg::InterpolationFactors<Scalar, Space, Offset> pattern_of(const Space& exec,
                                                            const System& system) {
  std::vector<Offset> offsets{0};
  std::vector<Ordinal> columns;
  std::vector<Ordinal> number(system.size(), -1);
  number[0] = 0;
  number[1] = 1;
  for (const auto& row : system) {
    for (const Coupling& coupling : row)
      if (coupling.is_strong) columns.push_back(coupling.column);
    offsets.push_back(static_cast<Offset>(columns.size()));
  }
  const kernels::Graph<Space, Offset> graph{static_cast<Ordinal>(system.size()),
                                            to_device(exec, offsets), to_device(exec, columns)};
  return amg::interpolation_pattern<Scalar, Space, Offset>(exec, graph, to_device(exec, number), 2,
                                                           Interpolation::classical_modified);
}

/// The rows of P of the fine points.
template <class Scalar, class Space, class Offset>
Dense weights_of(const Space& exec, const System& fine) {
  const System system = with_coarse_points(fine);
  auto factors = pattern_of<Scalar, Space, Offset>(exec, system);
  const auto A = make_csr<Offset>(exec, matrix_of<Scalar>(system));
  amg::fill_interpolation(exec, A.view(), Interpolation::classical_modified, factors);
  const Dense W = product(dense(to_host(factors.M)), dense(to_host(factors.N)));
  EXPECT_EQ(W[0], (std::vector<double>{1, 0}));
  EXPECT_EQ(W[1], (std::vector<double>{0, 1}));
  return {W.begin() + 2, W.end()};
}

Dense rounded(const std::vector<std::vector<long double>>& exact) {
  Dense result;
  for (const auto& row : exact)
    result.emplace_back(row.begin(), row.end());
  return result;
}

template <class Scalar>
constexpr double tolerance = sizeof(Scalar) == 8 ? 4e-15 : 1e-6;

/// Point 2 depends on both coarse points and on 3, which passes a quarter of that on to 0, to which
/// it is coupled weakly, and the rest to 1.
TESSERA_TYPED_TEST(ModifiedInterpolation, PassesOnToCoarsePointsInCommon) {
  const Dense W = weights_of<Scalar, Space, Offset>(
      exec, {{{0, -1, strong}, {1, -2, strong}, {2, 6}, {3, -3, strong}},
             {{0, -1}, {1, -3, strong}, {2, -1}, {3, 5}}});
  const long double to_0 = 1 + 3 * (1.L / 4);
  const long double to_1 = 2 + 3 * (3.L / 4);
  expect_near(W, rounded({{to_0 / 6, to_1 / 6}, {0, 3 / (5.L - 1 - 1)}}), tolerance<Scalar>);
}

TESSERA_TYPED_TEST(ModifiedInterpolation, LumpsWithoutACoarsePointInCommon) {
  const Dense W = weights_of<Scalar, Space, Offset>(
      exec,
      {{{0, -1, strong}, {2, 5}, {3, -2, strong}}, {{1, -2, strong}, {2, -2, strong}, {3, 7}}});
  expect_near(W, rounded({{1 / (5.L - 2), 0}, {0, 2 / (7.L - 2)}}), tolerance<Scalar>);
}

/// A coupling of the sign of the diagonal passes nothing on, whichever sign that is.
TESSERA_TYPED_TEST(ModifiedInterpolation, PassesOnBySignsOppositeToTheDiagonal) {
  const std::vector<Coupling> first{{0, -1, strong}, {1, -2, strong}, {2, 7}, {3, -3, strong}};
  const Dense expected = rounded({{1 / 7.L, 5 / 7.L}, {0, 3 / (5.L + 1 - 1)}});
  expect_near(
      weights_of<Scalar, Space, Offset>(exec, {first, {{0, 1}, {1, -3, strong}, {2, -1}, {3, 5}}}),
      expected, tolerance<Scalar>);
  expect_near(
      weights_of<Scalar, Space, Offset>(exec, {first, {{0, -1}, {1, 3, strong}, {2, 1}, {3, -5}}}),
      expected, tolerance<Scalar>);
  // Of that sign alone, or none: lumped.
  const Dense lumped = rounded({{1 / 4.L, 2 / 4.L}, {-2 / 6.L, -3 / 6.L}});
  expect_near(weights_of<Scalar, Space, Offset>(
                  exec, {first, {{0, 2, strong}, {1, 3, strong}, {2, 1}, {3, 5}}}),
              lumped, tolerance<Scalar>);
  expect_near(weights_of<Scalar, Space, Offset>(
                  exec, {first, {{0, 0, strong}, {1, 0, strong}, {2, 1}, {3, 5}}}),
              rounded({{1 / 4.L, 2 / 4.L}, {0, 0}}), tolerance<Scalar>);
}

/// Point 3 depends on 2 alone and gets nothing. What depends on nothing counts as 0, be the
/// coupling to it strong, as of 2 to 4, or weak, as of 2 to 5.
TESSERA_TYPED_TEST(ModifiedInterpolation, LeavesOutWhatIsNotInterpolated) {
  const Dense W = weights_of<Scalar, Space, Offset>(
      exec, {{{0, -1, strong}, {2, 5}, {3, -1, strong}, {4, -1, strong}, {5, -0.5}},
             {{2, -1, strong}, {3, 2}},
             {{0, -1}, {4, 9}},
             {{5, 3}}});
  expect_near(W, rounded({{1 / (5.L - 1), 0}, {0, 0}, {0, 0}, {0, 0}}), tolerance<Scalar>);
}

/// A divisor of zero, one that all but vanishes beside the couplings, and a NaN make no weights;
/// one that is small beside the diagonal does.
TESSERA_TYPED_TEST(ModifiedInterpolation, DividesByNoSmallNumber) {
  const auto lumped = [](double diagonal, double to_coarse) {
    return System{{{0, to_coarse, strong}, {2, diagonal}, {3, -4, strong}},
                  {{1, -1, strong}, {3, 2}}};
  };
  const auto first = [&](const System& fine) {
    return weights_of<Scalar, Space, Offset>(exec, fine)[0];
  };
  EXPECT_EQ(first(lumped(4, -1)), (std::vector<double>{0, 0}));
  EXPECT_EQ(first(lumped(4.0078125, -1)), (std::vector<double>{0, 0}));
  EXPECT_EQ(first(lumped(4.0078125, -0.0078125)), (std::vector<double>{1, 0}));
  const auto system = with_coarse_points(lumped(std::nan(""), -1));
  auto factors = pattern_of<Scalar, Space, Offset>(exec, system);
  amg::fill_interpolation(exec, make_csr<Offset>(exec, matrix_of<Scalar>(system)).view(),
                          Interpolation::classical_modified, factors);
  EXPECT_EQ(to_host(factors.M).values[2], Scalar(0));
}

TESSERA_TYPED_TEST(ModifiedInterpolation, TakesRowsInAnyOrder) {
  System fine = {{{0, -1, strong}, {1, -2, strong}, {2, 6}, {3, -3, strong}, {4, -1, strong}},
                 {{0, -1}, {1, -3, strong}, {2, -1}, {3, 5}},
                 {{0, -2, strong}, {1, -0.5}, {2, -1, strong}, {4, 4}}};
  const Dense W = weights_of<Scalar, Space, Offset>(exec, fine);
  for (auto& row : fine)
    std::ranges::reverse(row);
  expect_near(weights_of<Scalar, Space, Offset>(exec, fine), W, tolerance<Scalar>);
}

/// To the bit.
TESSERA_TYPED_TEST(ModifiedInterpolation, NewValuesAreThoseOfANewSetup) {
  const auto system_of = [](double k) {
    return with_coarse_points({{{0, -1, strong}, {1, -2 * k, strong}, {2, 6}, {3, -3 / k, strong}},
                               {{0, -k}, {1, -3, strong}, {2, -1}, {3, 5 * k}}});
  };
  auto reused = pattern_of<Scalar, Space, Offset>(exec, system_of(1));
  for (const double k : {1.0, 1.3, 0.7}) {
    const auto A = make_csr<Offset>(exec, matrix_of<Scalar>(system_of(k)));
    auto fresh = pattern_of<Scalar, Space, Offset>(exec, system_of(k));
    amg::fill_interpolation(exec, A.view(), Interpolation::classical_modified, fresh);
    amg::fill_interpolation(exec, A.view(), Interpolation::classical_modified, reused);
    EXPECT_EQ(to_host(reused.M).values, to_host(fresh.M).values);
    EXPECT_EQ(to_host(reused.N).values, to_host(fresh.N).values);
  }
}

}  // namespace tessera::test::modified_interpolation_test
