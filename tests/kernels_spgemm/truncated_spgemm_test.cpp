// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products that are truncated where they are summed, beside what is kept of the whole product.
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"
#include "kernels_spgemm/spgemm_test.hpp"
#include "support/error_of.hpp"
#include "support/same_matrix.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include <cmath>
#include <limits>

namespace tessera::kernels::test::truncated_spgemm_test {

using ::tessera::test::error_of;
using ::tessera::test::expect_error;

std::function<Ordinal(Ordinal)> constant(Ordinal length) {
  return [length](Ordinal) { return length; };
}

/// Rows of 0 to `longest` - 1 entries.
HostMatrix rows_of_all_lengths(Ordinal rows, Ordinal columns, Ordinal longest, unsigned seed) {
  return random_matrix(
      rows, columns, [longest](Ordinal row) { return (row * 37) % longest; }, seed);
}

/// With many equal magnitudes, and some zeros.
HostMatrix with_few_values(HostMatrix A) {
  for (double& value : A.values)
    value = value < 0 ? -0.5 : value < 0.2 ? 0 : 1;
  return A;
}

constexpr double share = 0.01;
/// All rows in large tables; by estimates; by estimates that are too small, so that most rows are
/// summed again.
constexpr TableEstimate estimates[] = {{.min_sampled_rows = 1000000},
                                       {.min_sampled_rows = 0},
                                       {.min_sampled_rows = 0, .slack = 0, .added = 1}};

/// What is kept of a row, by the definition.
template <class Scalar>
void push_kept(HostMatrix& made, const Ordinal* columns, const std::vector<Scalar>& values,
               const RowTruncation& how) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto size = [&](std::size_t i) { return std::abs(static_cast<float>(values[i])); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  const auto least =
      order.empty() ? 0.0F : static_cast<float>(how.factor * static_cast<double>(size(order[0])));
  std::vector<std::size_t> kept;
  for (const std::size_t i : order) {
    if (static_cast<int>(kept.size()) < how.max_entries && size(i) >= least &&
        values[i] != Scalar(0))
      kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  double all = 0, sum = 0, sizes = 0;
  for (const Scalar value : values)
    all += static_cast<double>(value);
  for (const std::size_t i : kept) {
    sum += static_cast<double>(values[i]);
    sizes += std::abs(static_cast<double>(values[i]));
  }
  const bool is_scaled = all != sum && std::abs(sum) > how.cancelling_share * sizes;
  for (const std::size_t i : kept)
    made.push(columns[i], static_cast<Scalar>(is_scaled ? values[i] * (all / sum) : values[i]));
}

template <class T>
struct TruncatedSpgemm : ::testing::Test {
  TESSERA_TEST_TYPES(T);
  using Matrix = Csr<Scalar, Space, Offset>;

  Space exec;

  Matrix upload(const HostMatrix& matrix) { return to_space<Scalar, Space, Offset>(exec, matrix); }

  void expect_kept(const HostMatrix& host_A, const HostMatrix& host_B, const RowTruncation& how) {
    const Matrix A = upload(host_A);
    const Matrix B = upload(host_B);
    const auto C = ::tessera::test::to_host(hash_spgemm(exec, A.view(), B.view()));
    const HostMatrix expected =
        by_rows<double>(C.num_rows, C.num_cols, [&](auto& made, Ordinal row) {
          const auto begin = C.offsets[row], end = C.offsets[row + 1];
          push_kept<Scalar>(made, C.columns.data() + begin,
                            {C.values.begin() + begin, C.values.begin() + end}, how);
        });
    for (const TableEstimate& estimate : estimates) {
      SCOPED_TRACE(std::to_string(estimate.min_sampled_rows) + ", " +
                   std::to_string(estimate.added));
      const auto kept = truncated_spgemm(exec, A.view(), B.view(), how, estimate);
      ASSERT_TRUE(kept.has_value());
      // A device may round a product and the sum that takes it at once in one kernel and not in the
      // other; kept entries may cancel up to `share`, which their scale enlarges.
      const double bound = is_host_space<Space> ? 0 : 1e3 * std::numeric_limits<Scalar>::epsilon();
      ::tessera::test::expect_near(in_double(*kept), expected, bound);
    }
  }
  bool is_made(const HostMatrix& A, const HostMatrix& B, int max_entries,
               const TableEstimate& estimate = {}) {
    return truncated_spgemm(exec, upload(A).view(), upload(B).view(), {0, max_entries, share},
                            estimate)
        .has_value();
  }
};
TYPED_TEST_SUITE(TruncatedSpgemm, Matrices, TypeNames);

TYPED_TEST(TruncatedSpgemm, KeepsTheLargestOfEachRowAndItsSum) {
  const auto A = rows_of_all_lengths(2100, 300, 12, 23);
  const auto B = rows_of_all_lengths(300, 200, 8, 24);
  for (const double factor : {0.0, 0.3}) {
    for (const int max_entries : {1, 4, 8}) {
      SCOPED_TRACE(std::to_string(factor) + ", " + std::to_string(max_entries));
      this->expect_kept(A, B, {factor, max_entries, share});
      this->expect_kept(A, with_few_values(B), {factor, max_entries, share});
    }
  }
}

/// Tables of all sizes up to the largest, in several bins.
TYPED_TEST(TruncatedSpgemm, OfRowsOfManyLengths) {
  const auto length = [](Ordinal row) { return row % 50 == 3 ? 60 : row % 7; };
  this->expect_kept(random_matrix(9000, 300, length, 27), random_matrix(300, 650, constant(12), 28),
                    {0, 4, share});
}

TYPED_TEST(TruncatedSpgemm, OfNoEntries) {
  this->expect_kept(random_matrix(9, 20, constant(0), 5), random_matrix(20, 5, constant(3), 6),
                    {0, 4, share});
  this->expect_kept(random_matrix(9, 20, constant(5), 7), random_matrix(20, 5, constant(0), 8),
                    {0, 4, share});
}

TYPED_TEST(TruncatedSpgemm, OfAnEstimateBySampledRows) {
  // 9000 rows by the defaults, most of whose products fall together.
  const auto A = random_matrix(9000, 300, constant(9), 31);
  const auto B = random_matrix(300, 40, constant(8), 32);
  ASSERT_TRUE(this->is_made(A, B, 4));
  this->expect_kept(A, B, {0.1, 4, share});
}

TYPED_TEST(TruncatedSpgemm, IsNotMadeOfRowsThatAreTooLong) {
  EXPECT_FALSE(this->is_made(random_matrix(20, 700, constant(300), 15),
                             random_matrix(700, 9000, constant(12), 16), 4));
  // One among short ones, found in the second attempt or by its estimate.
  const auto A = random_matrix(9000, 700, [](Ordinal row) { return row == 4321 ? 600 : 2; }, 18);
  const auto B = random_matrix(700, 9000, constant(6), 19);
  for (const TableEstimate& estimate : estimates)
    EXPECT_FALSE(this->is_made(A, B, 4, estimate));
}

TYPED_TEST(TruncatedSpgemm, IsNotMadeOfNoRowsNorOfOtherNumbersOfEntries) {
  const auto A = rows_of_all_lengths(100, 60, 12, 25);
  const auto B = rows_of_all_lengths(60, 50, 8, 26);
  EXPECT_FALSE(this->is_made(random_matrix(0, 60, constant(1), 17), B, 4));
  for (const int max_entries : {0, 9})
    EXPECT_FALSE(this->is_made(A, B, max_entries));
  EXPECT_TRUE(this->is_made(A, B, 8));
}

TYPED_TEST(TruncatedSpgemm, OfFactorsThatDoNotFit) {
  const auto A = rows_of_all_lengths(10, 20, 4, 1);
  expect_error(error_of([&] { this->is_made(A, A, 4); }), ErrorKind::precondition, {"10 by 20"});
}

}  // namespace tessera::kernels::test::truncated_spgemm_test
