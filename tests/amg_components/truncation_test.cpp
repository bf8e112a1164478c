// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/same_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/detail/cancels.hpp"
#include "tessera/amg/coarsening/truncation.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"

#include <limits>
#include <numeric>

namespace tessera::test::truncation_test {

TESSERA_TEST_SUITE(Truncation, Matrices, TypeNames);

template <class Offset, class Scalar, class Space>
HostMatrix<Scalar> truncated(const Space& exec, const HostMatrix<Scalar>& W, double factor,
                             int max_entries) {
  const auto device = make_csr<Offset>(exec, W);
  auto P = amg::truncation_pattern(exec, device.view(), factor, max_entries);
  P.values = allocate<Scalar>(exec, "tessera::test", P.num_entries());
  amg::truncate_values(exec, device.view(), P);
  return to_host(P);
}

TESSERA_TYPED_TEST(Truncation, KeepsTheLargestAndTheSum) {
  using Rows = std::vector<std::vector<std::pair<std::int32_t, Scalar>>>;
  const auto W = from_rows<Scalar>(6, Rows{{{0, 4}, {1, 1}, {2, -2}, {3, 5}},
                                           {{1, 2}, {2, 2}, {3, 2}, {5, 2}},
                                           {},
                                           {{4, 1}},
                                           {{0, 0}, {1, 0}},
                                           {{0, 8}, {1, -8}, {2, 1}}});
  const auto by_count =
      from_rows<Scalar>(6, Rows{{{0, Scalar(4 * (8. / 9))}, {3, Scalar(5 * (8. / 9))}},
                                {{1, 4}, {2, 4}},
                                {},
                                {{4, 1}},
                                {},
                                {{0, 8}, {1, -8}}});
  expect_same(truncated<Offset>(exec, W, 0, 2), by_count);
  const auto by_factor = from_rows<Scalar>(
      6, Rows{{{0, Scalar(4 * (8. / 7))}, {2, Scalar(-2 * (8. / 7))}, {3, Scalar(5 * (8. / 7))}},
              {{1, 2}, {2, 2}, {3, 2}, {5, 2}},
              {},
              {{4, 1}},
              {},
              {{0, 8}, {1, -8}}});
  expect_same(truncated<Offset>(exec, W, 0.3, 0), by_factor);
}

TESSERA_TYPED_TEST(Truncation, KeepsAllThatIsNotZeroWhereAskedForNothing) {
  const auto W = random_matrix<Scalar>(
      {.num_rows = 60, .num_cols = 40, .density = 0.3, .empty_row_fraction = 0.2});
  expect_same(truncated<Offset>(exec, W, 0, 0), W);
  expect_same(truncated<Offset>(exec, W, 0, 40), W);
  EXPECT_EQ(truncated<Offset>(exec, without_entries<Scalar>(0), 0, 4).num_rows, 0);
}

TESSERA_TYPED_TEST(Truncation, OfRandomRows) {
  const auto W = random_matrix<Scalar>(
      {.num_rows = 80, .num_cols = 50, .density = 0.4, .dense_row = 3, .seed = 5});
  for (const int most : {1, 3, 4, 20}) {
    for (const double factor : {0.0, 0.5}) {
      const auto P = truncated<Offset>(exec, W, factor, most);
      for (std::int32_t i = 0; i < W.num_rows; ++i) {
        std::vector<std::int64_t> order(W.offsets[i + 1] - W.offsets[i]);
        std::iota(order.begin(), order.end(), W.offsets[i]);
        const auto size = [&](std::int64_t e) { return std::abs(static_cast<float>(W.values[e])); };
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return size(a) > size(b); });
        while (!order.empty() &&
               (order.size() > static_cast<std::size_t>(most) ||
                size(order.back()) < static_cast<float>(factor * size(order.front()))))
          order.pop_back();
        std::vector<std::int32_t> kept;
        for (const auto e : order)
          kept.push_back(W.columns[e]);
        std::sort(kept.begin(), kept.end());
        EXPECT_EQ(std::vector<std::int32_t>(P.columns.begin() + P.offsets[i],
                                            P.columns.begin() + P.offsets[i + 1]),
                  kept);
      }
    }
  }
}

TESSERA_TYPED_TEST(Truncation, TakesNewValuesInTheOldPattern) {
  const auto W = random_matrix<Scalar>({.num_rows = 30, .num_cols = 20, .density = 0.4});
  const auto device = make_csr<Offset>(exec, W);
  auto P = amg::truncation_pattern(exec, device.view(), 0.0, 3);
  expect_error(error_of([&] { amg::truncate_values(exec, device.view(), P); }),
               ErrorKind::precondition, {"P has 30 rows and 0 values"});
  P.values = allocate<Scalar>(exec, "tessera::test", P.num_entries());
  amg::truncate_values(exec, device.view(), P);
  const auto before = to_host(P);
  const auto twice = make_csr<Offset>(exec, times(W, 2));
  amg::truncate_values(exec, twice.view(), P);
  expect_same(to_host(P), times(before, 2));
}

/// Columns of equal weights among them, of which symmetry makes many.
TESSERA_TYPED_TEST(Truncation, IsTheSameWhereRowsAreSummed) {
  for (const std::int32_t num_rows : {300, 9000}) {
    const auto M = make_csr<Offset>(
        exec,
        random_matrix<Scalar>({.num_rows = num_rows, .num_cols = 300, .density = 0.02, .seed = 3}));
    auto host_N =
        random_matrix<Scalar>({.num_rows = 300, .num_cols = 90, .density = 0.1, .seed = 4});
    for (const bool has_equals : {false, true}) {
      for (Scalar& value : host_N.values)
        value = has_equals ? (value < 0 ? Scalar(-1) : Scalar(1)) : value;
      const auto N = make_csr<Offset>(exec, host_N);
      for (const double factor : {0.0, 0.4}) {
        const auto W = kernels::spgemm(exec, M.view(), N.view());
        auto P = amg::truncation_pattern(exec, W.view(), factor, 4);
        P.values = allocate<Scalar>(exec, "tessera::test", P.num_entries());
        amg::truncate_values(exec, W.view(), P);
        const auto made = kernels::truncated_spgemm(exec, M.view(), N.view(),
                                                    {factor, 4, amg::detail::cancelling_share});
        ASSERT_TRUE(made.has_value());
        // Kernels of a device may round a product and its sum at once or one after the other.
        const double bound =
            kernels::is_host_space<Space> ? 0 : 1e3 * std::numeric_limits<Scalar>::epsilon();
        expect_near(to_host(*made), to_host(P), bound);
      }
    }
  }
}

}  // namespace tessera::test::truncation_test
