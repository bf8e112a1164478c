// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What rows of classical multigrid depend on, by the definition.
#include "kernels_graph/graphs.hpp"
#include "support/error_of.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/detail/dependence_scale.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::test::dependence_test {

using kernels::DependenceOptions;

TESSERA_TEST_SUITE(DependenceTest, Matrices, TypeNames);

struct Expected {
  Neighbours strong;
  std::vector<std::int8_t> stays;
};

template <class Scalar>
Expected expected(const HostMatrix<Scalar>& A, const DependenceOptions& o) {
  Expected result{Neighbours(A.num_rows), std::vector<std::int8_t>(A.num_rows)};
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    const bool hub = static_cast<std::size_t>(A.offsets[i + 1] - A.offsets[i]) > o.longest_row;
    double diagonal = 0, sum = 0, least = 0, greatest = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const double value = A.values[e];
      sum += value;
      if (A.columns[e] == i) {
        diagonal = value;
      } else {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
      }
    }
    const double sign = diagonal < 0 ? -1 : 1;
    const auto size = [&](double value) { return o.by_sign ? -sign * value : std::abs(value); };
    const double largest = std::max(size(least), size(greatest));
    const bool coupled = least < 0 || greatest > 0;
    result.stays[i] = hub || (coupled && diagonal == 0) ? 1 : 0;
    const bool decided = o.max_row_sum < 1 && std::abs(sum) > o.max_row_sum * std::abs(diagonal);
    if (result.stays[i] != 0 || decided) continue;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const Ordinal j = A.columns[e];
      if (j != i && size(A.values[e]) > o.theta * largest) result.strong[i].push_back(j);
    }
  }
  return result;
}

/// Diagonals of either sign, missing, zero, and dominant.
template <class Scalar>
HostMatrix<Scalar> any_diagonals(std::uint64_t seed) {
  auto A = random_matrix<Scalar>({.num_rows = 120,
                                  .num_cols = 120,
                                  .density = 0.1,
                                  .dense_row = 7,
                                  .unsorted = true,
                                  .seed = seed});
  Random random(seed + 100);
  return by_rows<Scalar>(120, 120, [&](auto& B, std::int32_t i) {
    const std::int32_t kind = random.below(8);
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] != i) B.push(A.columns[e], A.values[e]);
    }
    const double diagonals[] = {0, 4, 4, 4, -4, -4, 900, -900};
    if (kind > 0 || i % 2 == 0) B.push(i, static_cast<Scalar>(diagonals[kind]));
  });
}

TESSERA_TYPED_TEST(DependenceTest, MatchesTheDefinition) {
  std::size_t edges = 0, alone = 0, staying = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto A = any_diagonals<Scalar>(seed);
    const auto device = make_csr<Offset>(exec, A);
    for (const bool by_sign : {true, false}) {
      for (const double theta : {0.0, 0.25, 0.7}) {
        for (const double max_row_sum : {0.5, 0.9, 1.0}) {
          const DependenceOptions options{theta, max_row_sum, by_sign, 100};
          const auto found = kernels::strong_dependences(exec, device.view(), options);
          const auto reference = expected(A, options);
          const auto strong = to_neighbours(found.strong);
          EXPECT_EQ(strong, reference.strong) << theta << ' ' << max_row_sum << ' ' << by_sign;
          EXPECT_EQ(to_host(found.stays), reference.stays);
          edges += found.strong.num_edges();
          for (std::size_t i = 0; i < strong.size(); ++i) {
            staying += reference.stays[i];
            alone += strong[i].empty() && reference.stays[i] == 0 ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(edges, 1000U);
  EXPECT_GT(alone, 50U) << "rows that relaxation solves";
  EXPECT_GT(staying, 50U) << "zero diagonals and the long row";
}

TESSERA_TYPED_TEST(DependenceTest, ByLanesAsByOneThread) {
  const auto A = make_csr<Offset>(exec, any_diagonals<Scalar>(4));
  const auto run = [&](int lanes) {
    const auto scale = allocate<double>(exec, "tessera::test", A.num_rows);
    const auto stays = allocate<std::int8_t>(exec, "tessera::test", A.num_rows);
    kernels::for_each_row(exec, "scale", A.num_rows, lanes,
                          kernels::detail::DependenceScale<Scalar, Space, Offset>{
                              A.view(), {0.25, 1.0, true}, {A.offsets, 1, 100}, scale, stays});
    return std::pair(to_host(scale), to_host(stays));
  };
  const auto by_thread = run(0);
  for (const int lanes : {4, 32})
    EXPECT_EQ(run(lanes), by_thread) << lanes;
}

TESSERA_TYPED_TEST(DependenceTest, OfNothing) {
  for (const Ordinal n : {0, 1, 5}) {
    const auto A = make_csr<Offset>(exec, without_entries<Scalar>(n));
    const auto found = kernels::strong_dependences(exec, A.view(), {});
    EXPECT_EQ(found.strong.num_edges(), 0U);
    EXPECT_EQ(to_host(found.stays), std::vector<std::int8_t>(n, 0));
  }
  const auto wide = make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 2, .num_cols = 3}));
  expect_error(error_of([&] { kernels::strong_dependences(exec, wide.view(), {}); }),
               ErrorKind::precondition, {"2 by 3", "square"});
}

}  // namespace tessera::test::dependence_test
