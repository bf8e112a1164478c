// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <algorithm>
#include <utility>

namespace tessera::test::conversions_test {

using kernels::HybStrategy;

TESSERA_TEST_SUITE(FormatConversions, StoredTypes, StoredNames);

/// Row by row what a matrix in another format holds, each value times its scale.
class HeldRows {
 public:
  template <class Matrix>
  explicit HeldRows(const Matrix& A) : m_num_cols(A.num_cols), m_rows(A.num_rows) {}

  template <class Storage, class Space>
  void take(const kernels::Coo<Storage, Space>& A) {
    const auto rows = to_host(A.rows);
    const auto columns = to_host(A.columns);
    const auto values = to_host(A.values);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    for (std::size_t e = 0; e < rows.size(); ++e)
      take(rows[e], columns[e], A.scale * static_cast<double>(values[e]));
  }

  template <class Storage, class Space>
  void take(const kernels::Ell<Storage, Space>& A) {
    const auto columns = to_host(A.columns);
    const auto values = to_host(A.values);
    const std::size_t stride = kernels::ell_stride(A.num_rows);
    std::vector<bool> ended(stride, false);
    for (std::size_t slot = 0; slot < columns.size(); ++slot) {
      const std::size_t row = slot % stride;
      if (columns[slot] == kernels::ell_no_column) {
        EXPECT_EQ(static_cast<double>(values[slot]), 0) << "padding";
        ended[row] = true;
        continue;
      }
      EXPECT_FALSE(ended[row]) << "an entry behind padding";
      take(static_cast<Ordinal>(row), columns[slot], A.scale * static_cast<double>(values[slot]));
    }
  }

  HostMatrix<double> matrix() const { return from_rows(m_num_cols, m_rows); }

 private:
  void take(Ordinal row, Ordinal column, double value) {
    m_rows.at(row).emplace_back(column, value);
  }

  Ordinal m_num_cols;
  std::vector<std::vector<std::pair<Ordinal, double>>> m_rows;
};

template <class Matrix>
HostMatrix<double> held_by(const Matrix& A) {
  HeldRows rows(A);
  rows.take(A);
  return rows.matrix();
}

template <class Storage, class Space>
HostMatrix<double> held_by(const kernels::Hyb<Storage, Space>& A) {
  HeldRows rows(A.ell);
  rows.take(A.ell);
  rows.take(A.coo);
  return rows.matrix();
}

/// What is stored of the edge cases that `fits` tells under a scale, from both widths of offsets.
template <class Param, class Convert>
void expect_entries_kept(
    const Convert& convert,
    bool (*fits)(const HostMatrix<double>&) = [](const auto&) { return true; }) {
  using Storage = typename Param::Storage;
  const typename Param::Space exec;
  for (const double scale : {1.0, 0x1p-5}) {
    for (const auto& matrix : share_of(format_matrices())) {
      if (!fits(matrix)) continue;
      const auto stored = rounded_to<Storage>(matrix, scale);
      expect_same(held_by(convert(make_csr(exec, matrix).view(), scale)), stored);
      const auto B = convert(make_csr<std::int64_t>(exec, matrix).view(), scale);
      expect_same(held_by(B), stored);
      EXPECT_EQ(B.view().num_entries, matrix.num_entries());
    }
  }
}

TESSERA_STORED_TEST(FormatConversions, CooKeepsTheEntries) {
  expect_entries_kept<TypeParam>(
      [&](const auto& A, double scale) { return kernels::csr_to_coo<Storage>(exec, A, scale); });
}

TESSERA_STORED_TEST(FormatConversions, EllKeepsTheEntries) {
  const auto convert = [&](const auto& A, double scale) {
    const auto ell = kernels::csr_to_ell<Storage>(exec, A, scale);
    EXPECT_EQ(ell.num_slots(), ell.width * kernels::ell_stride(A.num_rows));
    return ell;
  };
  expect_entries_kept<TypeParam>(convert, fits_ell);
}

TESSERA_STORED_TEST(FormatConversions, HybKeepsTheEntries) {
  for (const auto& strategy : {HybStrategy{}, HybStrategy::least_bytes(), HybStrategy::fixed(2)}) {
    expect_entries_kept<TypeParam>([&](const auto& A, double scale) {
      return kernels::csr_to_hyb<Storage>(exec, A, strategy, scale);
    });
  }
}

TESSERA_STORED_TEST(FormatConversions, FloatIsRoundedOnce) {
  const auto matrix = random_matrix<float>({.num_rows = 30, .num_cols = 20, .seed = 3});
  const auto held = held_by(kernels::csr_to_coo<Storage>(exec, make_csr(exec, matrix).view()));
  ASSERT_EQ(held.num_entries(), matrix.num_entries());
  for (std::size_t e = 0; e < matrix.num_entries(); ++e)
    ASSERT_EQ(held.values[e], static_cast<double>(static_cast<Storage>(matrix.values[e])));
}

TESSERA_TEST_SUITE(HybWidth, Spaces, TypeNames);

/// 30 rows of 2, 40 of 5 and 30 of 9 entries.
HostMatrix<double> rows_of_three_lengths() {
  return by_rows<double>(100, 20, [&](auto& A, std::int32_t i) {
    const int length = i % 10 < 3 ? 2 : i % 10 < 7 ? 5 : 9;
    for (std::int32_t j = 0; j < length; ++j)
      A.push(j, 1.0);
  });
}

TESSERA_TYPED_TEST(HybWidth, IsTheQuantileOfTheRowLengths) {
  const auto A = make_csr(exec, rows_of_three_lengths());
  const auto width = [&](double quantile) {
    HybStrategy strategy;
    strategy.quantile = quantile;
    strategy.max_slots_per_row_count = std::numeric_limits<double>::infinity();
    return kernels::hyb_width(exec, A.view(), strategy, 8);
  };
  EXPECT_EQ(width(0), 2);
  EXPECT_EQ(width(0.29), 2);
  EXPECT_EQ(width(0.31), 5);
  EXPECT_EQ(width(0.69), 5);
  EXPECT_EQ(width(0.71), 9);
  EXPECT_EQ(width(1), 9);
}

TESSERA_TYPED_TEST(HybWidth, IsLimitedByTheNumberOfRows) {
  const auto A = make_csr(exec, rows_of_three_lengths());
  HybStrategy strategy;
  strategy.quantile = 1;
  strategy.max_slots_per_row_count = 0.035;
  EXPECT_EQ(kernels::hyb_width(exec, A.view(), strategy, 8), 3);
  EXPECT_EQ(kernels::hyb_width(exec, A.view(), HybStrategy::fixed(7), 8), 7);
}

TESSERA_TYPED_TEST(HybWidth, LeastBytesIsLeastOfAllWidths) {
  for (const auto& matrix :
       {rows_of_three_lengths(), random_matrix<double>({.num_rows = 320, .seed = 4})}) {
    const auto A = make_csr(exec, matrix);
    const auto bytes = [&](const HybStrategy& strategy) {
      return kernels::csr_to_hyb<double>(exec, A.view(), strategy).bytes();
    };
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (int width = 0; width < 20; ++width)
      least = std::min(least, bytes(HybStrategy::fixed(width)));
    // Rows of padding up to the stride are not counted by the rule.
    EXPECT_LE(static_cast<double>(bytes(HybStrategy::least_bytes())), 1.02 * least);
  }
}

TESSERA_TEST_SUITE(ConversionErrors, Spaces, TypeNames);

TESSERA_TYPED_TEST(ConversionErrors, PaddingIsSaidInBytes) {
  const auto A = make_csr(exec, format_matrices()[14]);
  // 5024 places of the 5000 rows, times 5000 slots, of 8 bytes each.
  expect_error(error_of([&] { kernels::csr_to_ell<float>(exec, A.view()); }),
               ErrorKind::precondition,
               {"25120000 slots (200960000 bytes)", "5000 slots per row, the length of row "});
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), HybStrategy::fixed(5000)), Error);
}

TESSERA_TYPED_TEST(ConversionErrors, ArgumentsOutOfRange) {
  const auto A = make_csr(exec, poisson<double>(5, 5));
  for (const double scale : {0.0, 3.0, -2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(kernels::csr_to_coo<float>(exec, A.view(), scale), Error) << scale;
    EXPECT_THROW(kernels::csr_to_ell<float>(exec, A.view(), scale), Error) << scale;
    EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), {}, scale), Error) << scale;
  }
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), HybStrategy::fixed(-1)), Error);
  HybStrategy strategy;
  strategy.quantile = 1.5;
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), strategy), Error);
}

}  // namespace tessera::test::conversions_test
