// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Random matrices and the reference product for the tests of the sparse product.
#pragma once

#include "support/share.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace tessera::kernels::test {

using ::tessera::test::Matrices;
using ::tessera::test::Share;
using ::tessera::test::TypeNames;

/// A matrix on the host, its values exact in single precision.
struct HostMatrix {
  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::vector<std::int64_t> offsets = {0};
  std::vector<Ordinal> columns;
  std::vector<double> values;
};

/// Rows of length length(row), at most num_cols, in random order.
inline HostMatrix random_matrix(Ordinal num_rows, Ordinal num_cols,
                                const std::function<Ordinal(Ordinal)>& length, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  HostMatrix result;
  result.num_rows = num_rows;
  result.num_cols = num_cols;
  std::vector<Ordinal> all(num_cols);
  std::iota(all.begin(), all.end(), 0);
  for (Ordinal row = 0; row < num_rows; ++row) {
    const Ordinal size = std::min(length(row), num_cols);
    for (Ordinal i = 0; i < size; ++i) {
      std::swap(all[i], all[std::uniform_int_distribution<Ordinal>(i, num_cols - 1)(random)]);
      result.columns.push_back(all[i]);
      result.values.push_back(value(random));
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.columns.size()));
  }
  return result;
}

/// One entry of the reference: the sum, the sum of magnitudes, and the number of products.
struct ReferenceEntry {
  long double sum = 0;
  long double magnitude = 0;
  int products = 0;
};
using ReferenceRow = std::map<Ordinal, ReferenceEntry>;

inline std::vector<ReferenceRow> reference_product(const HostMatrix& A, const HostMatrix& B) {
  std::vector<ReferenceRow> rows(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i)
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      for (auto j = B.offsets[A.columns[k]]; j < B.offsets[A.columns[k] + 1]; ++j) {
        const long double product = static_cast<long double>(A.values[k]) * B.values[j];
        ReferenceEntry& entry = rows[i][B.columns[j]];
        entry.sum += product;
        entry.magnitude += std::abs(product);
        ++entry.products;
      }
  return rows;
}

template <class T, class Space, class Source>
Array<T, Space> to_space(const Space& exec, const std::vector<Source>& source) {
  Array<T, Space> result = allocate<T>(exec, "tessera::test::array", source.size());
  const auto host = Kokkos::create_mirror_view(result);
  std::copy(source.begin(), source.end(), host.data());
  Kokkos::deep_copy(exec, result, host);
  exec.fence("tessera::test::to_space");
  return result;
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> to_space(const Space& exec, const HostMatrix& A) {
  return {A.num_rows, A.num_cols, to_space<Offset>(exec, A.offsets),
          to_space<Ordinal>(exec, A.columns), to_space<Scalar>(exec, A.values)};
}

template <class ViewType>
std::vector<typename ViewType::non_const_value_type> to_vector(const ViewType& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

template <class Scalar, class Space, class Offset>
HostMatrix to_host(const Csr<Scalar, Space, Offset>& A) {
  HostMatrix result;
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  const auto offsets = to_vector(A.offsets);
  result.offsets.assign(offsets.begin(), offsets.end());
  result.columns = to_vector(A.columns);
  const auto values = to_vector(A.values);
  result.values.assign(values.begin(), values.end());
  return result;
}

/// Structure exactly the reference's, values within the bound of a sum of n rounded products:
/// n epsilon times the sum of magnitudes (epsilon is twice the unit roundoff).
template <class Scalar, class Space, class Offset>
void expect_product(const Csr<Scalar, Space, Offset>& C, const HostMatrix& A, const HostMatrix& B) {
  const auto reference = reference_product(A, B);
  const HostMatrix c = to_host(C);
  ASSERT_EQ(c.num_rows, A.num_rows);
  ASSERT_EQ(c.num_cols, B.num_cols);
  ASSERT_EQ(c.offsets.size(), static_cast<std::size_t>(A.num_rows) + 1);
  ASSERT_EQ(c.offsets[0], 0);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    ASSERT_EQ(c.offsets[i + 1] - c.offsets[i], static_cast<std::int64_t>(reference[i].size()))
        << "row " << i;
    auto k = c.offsets[i];
    for (const auto& [column, entry] : reference[i]) {
      ASSERT_EQ(c.columns[k], column) << "row " << i;
      const long double bound =
          entry.products * std::numeric_limits<Scalar>::epsilon() * entry.magnitude;
      ASSERT_LE(std::abs(c.values[k] - entry.sum), bound) << "row " << i << " column " << column;
      ++k;
    }
  }
  ASSERT_EQ(c.columns.size(), static_cast<std::size_t>(c.offsets.back()));
  ASSERT_EQ(c.values.size(), c.columns.size());
}

template <class ViewType>
bool same_bits(const ViewType& a, const ViewType& b) {
  const auto x = to_vector(a);
  const auto y = to_vector(b);
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
}

template <class Scalar, class Space, class Offset>
void expect_same_bits(const Csr<Scalar, Space, Offset>& C, const Csr<Scalar, Space, Offset>& D) {
  EXPECT_TRUE(same_bits(C.offsets, D.offsets));
  EXPECT_TRUE(same_bits(C.columns, D.columns));
  EXPECT_TRUE(same_bits(C.values, D.values));
}

}  // namespace tessera::kernels::test
