// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows by ranks, and the relaxation of parts of them.
#include "tessera/kernels/sptrsv/ranked_rows.hpp"

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera::test::ranked_rows_test {

TESSERA_TEST_SUITE(RankedRowsTest, Matrices, TypeNames);

using kernels::RowPart;

/// Rows in the order of their ranks.
std::vector<Ordinal> ordered(const std::vector<Ordinal>& rank_of) {
  std::vector<Ordinal> rows(rank_of.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Ordinal i, Ordinal j) { return rank_of[i] < rank_of[j]; });
  return rows;
}

/// Square ones: empty, one row, empty rows, a dense row, unsorted.
template <class Scalar>
std::vector<HostMatrix<Scalar>> square_matrices() {
  std::vector<HostMatrix<Scalar>> list;
  for (const auto& A : edge_case_matrices<Scalar>())
    if (A.num_rows == A.num_cols) list.push_back(A);
  list.push_back(random_matrix<Scalar>({.num_rows = 90, .num_cols = 90, .density = 0.2}));
  return list;
}

/// A case: ranks by a pattern, or the rows' own numbers.
template <class Scalar, class Space, class Offset>
struct Ranked {
  Ranked(const Space& exec, const HostMatrix<Scalar>& A, bool natural) : rank_of(A.num_rows) {
    for (Ordinal i = 0; i < A.num_rows; ++i)
      rank_of[i] = natural ? i : (i * 5 + 3) % 7;
    rows = ordered(rank_of);
    const auto on_device = make_csr<Offset>(exec, A);
    if (natural) {
      found = kernels::rank_rows(exec, on_device.view(), {}, {});
    } else {
      found = kernels::rank_rows(exec, on_device.view(), to_device(exec, rows),
                                 to_device(exec, rank_of));
    }
  }
  std::vector<Ordinal> rank_of, rows;
  kernels::RankedRows<Scalar, Space, Offset> found;
};

TESSERA_TYPED_TEST(RankedRowsTest, EntriesAreInThreeParts) {
  for (const auto& A : square_matrices<Scalar>()) {
    for (const bool natural : {true, false}) {
      const Ranked<Scalar, Space, Offset> ranked(exec, A, natural);
      const auto offsets = to_host(ranked.found.offsets);
      const auto lower_end = to_host(ranked.found.lower_end);
      const auto upper_begin = to_host(ranked.found.upper_begin);
      const auto columns = to_host(ranked.found.columns);
      const auto values = to_host(ranked.found.values);
      ASSERT_EQ(offsets.back(), static_cast<Offset>(A.columns.size()));
      for (Ordinal p = 0; p < A.num_rows; ++p) {
        const Ordinal i = ranked.rows[p];
        std::vector<std::pair<Ordinal, Scalar>> row;
        for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
          row.emplace_back(A.columns[e], A.values[e]);
        const auto part = [&](Ordinal j) {
          return ranked.rank_of[j] < ranked.rank_of[i]    ? 0
                 : ranked.rank_of[j] == ranked.rank_of[i] ? 1
                                                          : 2;
        };
        std::stable_sort(row.begin(), row.end(), [&](const auto& a, const auto& b) {
          return part(a.first) < part(b.first);
        });
        ASSERT_EQ(offsets[p + 1] - offsets[p], static_cast<Offset>(row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) {
          const Offset e = offsets[p] + static_cast<Offset>(k);
          ASSERT_EQ(columns[e], row[k].first);
          ASSERT_EQ(values[e], row[k].second);
          ASSERT_EQ(e >= lower_end[p], part(columns[e]) > 0);
          ASSERT_EQ(e >= upper_begin[p], part(columns[e]) > 1);
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(RankedRowsTest, RelaxesByPartsOfRows) {
  constexpr Scalar omega = Scalar(0.75);
  for (const auto& A : square_matrices<Scalar>()) {
    const Ordinal n = A.num_rows;
    const auto d = random_vector<Scalar>(n, 3);
    for (const bool natural : {true, false}) {
      Ranked<Scalar, Space, Offset> ranked(exec, A, natural);
      // By groups of lanes, of one each on a host, as on devices for long rows.
      for (const int lanes : {0, 4, 32}) {
        ranked.found.lanes = lanes;
        for (const int k : {1, 2, 5}) {
          const auto b = random_vector<Scalar>(n * k, 4);
          const auto x = random_vector<Scalar>(n * k, 5);
          const auto before = random_vector<Scalar>(n * k, 6);
          const Ordinal first = n / 4, last = n - n / 3;
          for (const RowPart part : {RowPart::lower, RowPart::upper, RowPart::all}) {
            for (const bool adds : {true, false}) {
              const auto y = to_multivector(exec, before, n, k);
              kernels::relax_rows(exec, ranked.found, part, first, last, omega, to_device(exec, d),
                                  to_multivector(exec, b, n, k), to_multivector(exec, x, n, k), y,
                                  adds);
              const auto after = to_host(y);
              for (Ordinal p = 0; p < n; ++p) {
                const Ordinal i = ranked.rows[p];
                for (int c = 0; c < k; ++c) {
                  const std::size_t at = i + static_cast<std::size_t>(c) * n;
                  if (p < first || p >= last) {
                    ASSERT_EQ(after[at], before[at]);
                    continue;
                  }
                  long double sum = 0, size = std::abs(b[at]);
                  for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
                    const Ordinal j = A.columns[e];
                    const bool below = ranked.rank_of[j] < ranked.rank_of[i];
                    const bool above = ranked.rank_of[j] > ranked.rank_of[i];
                    if ((part == RowPart::lower && !below) || (part == RowPart::upper && !above))
                      continue;
                    const long double term = static_cast<long double>(A.values[e]) *
                                             x[j + static_cast<std::size_t>(c) * n];
                    sum += term;
                    size += std::abs(term);
                  }
                  const long double change = omega * d[i] * (b[at] - sum);
                  const double bound = static_cast<double>((size * std::abs(d[i]) + 1) *
                                                           std::numeric_limits<Scalar>::epsilon() *
                                                           (8 + (A.offsets[i + 1] - A.offsets[i])));
                  ASSERT_NEAR(after[at],
                              static_cast<double>(change + (adds ? before[at] : Scalar(0))), bound);
                }
              }
            }
          }
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(RankedRowsTest, RefusesWhatDoesNotFit) {
  const auto wide = make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 3, .num_cols = 4}));
  const auto square = make_csr<Offset>(exec, identity<Scalar>(3));
  const Array<Ordinal, Space> none;
  const auto two = to_device(exec, std::vector<Ordinal>{0, 1});
  EXPECT_THROW(kernels::rank_rows(exec, wide.view(), none, none), Error);
  EXPECT_THROW(kernels::rank_rows(exec, square.view(), two, two), Error);
  EXPECT_THROW(kernels::rank_rows(exec, square.view(), none, two), Error);
}

}  // namespace tessera::test::ranked_rows_test
