// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the sparse product of two matrices comes to, and when two results are the same.
#pragma once

#include "support/device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

namespace tessera::test {

/// One entry of the reference: the sum, the sum of magnitudes, and the number of products.
struct ReferenceEntry {
  long double sum = 0;
  long double magnitude = 0;
  int products = 0;
};
using ReferenceRow = std::map<Ordinal, ReferenceEntry>;

/// Every pair of entries makes an entry, whatever the sum is.
inline std::vector<ReferenceRow> reference_product(const HostMatrix<double>& A,
                                                   const HostMatrix<double>& B) {
  std::vector<ReferenceRow> rows(A.num_rows);
  for_each_entry(A, [&](std::int32_t i, std::int32_t k, double a) {
    for (auto e = B.offsets[k]; e < B.offsets[k + 1]; ++e) {
      const long double product = static_cast<long double>(a) * B.values[e];
      ReferenceEntry& entry = rows[i][B.columns[e]];
      entry.sum += product;
      entry.magnitude += std::abs(product);
      ++entry.products;
    }
  });
  return rows;
}

/// Fails the running test unless C has exactly the pattern of the reference, rows sorted, and each
/// value is within `bound_of(entry)`.
template <class BoundOf>
void expect_product(const HostMatrix<double>& C, const std::vector<ReferenceRow>& reference,
                    Ordinal num_cols, const BoundOf& bound_of) {
  ASSERT_EQ(C.num_rows, static_cast<Ordinal>(reference.size()));
  ASSERT_EQ(C.num_cols, num_cols);
  ASSERT_EQ(C.offsets.size(), reference.size() + 1);
  ASSERT_EQ(C.offsets[0], 0);
  for (Ordinal i = 0; i < C.num_rows; ++i) {
    ASSERT_EQ(C.offsets[i + 1] - C.offsets[i], static_cast<std::int64_t>(reference[i].size()))
        << "row " << i;
    auto k = C.offsets[i];
    for (const auto& [column, entry] : reference[i]) {
      ASSERT_EQ(C.columns[k], column) << "row " << i;
      ASSERT_LE(std::abs(C.values[k] - entry.sum), bound_of(entry))
          << "row " << i << " column " << column;
      ++k;
    }
  }
  ASSERT_EQ(C.columns.size(), static_cast<std::size_t>(C.offsets.back()));
  ASSERT_EQ(C.values.size(), C.columns.size());
}

template <class ViewType>
bool same_bits(const ViewType& a, const ViewType& b) {
  const auto x = to_host(a);
  const auto y = to_host(b);
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
}

}  // namespace tessera::test
