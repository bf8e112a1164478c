// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Random matrices and the reference product for the tests of the sparse product.
#pragma once

#include "support/reference_product.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace tessera::kernels::test {

using ::tessera::test::by_rows;
using ::tessera::test::converted;
using ::tessera::test::expect_product;
using ::tessera::test::make_csr;
using ::tessera::test::Matrices;
using ::tessera::test::same_bits;
using ::tessera::test::Share;
using ::tessera::test::to_device;
using ::tessera::test::to_host;
using ::tessera::test::TypeNames;

/// Its values are exact in single precision.
using HostMatrix = ::tessera::test::HostMatrix<double>;

/// Rows of length length(row), at most num_cols, in random order.
inline HostMatrix random_matrix(Ordinal num_rows, Ordinal num_cols,
                                const std::function<Ordinal(Ordinal)>& length, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<Ordinal> all(num_cols);
  std::iota(all.begin(), all.end(), 0);
  return by_rows<double>(num_rows, num_cols, [&](auto& A, Ordinal row) {
    const Ordinal size = std::min(length(row), num_cols);
    for (Ordinal i = 0; i < size; ++i) {
      std::swap(all[i], all[std::uniform_int_distribution<Ordinal>(i, num_cols - 1)(random)]);
      A.push(all[i], value(random));
    }
  });
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> to_space(const Space& exec, const HostMatrix& A) {
  return make_csr<Offset>(exec, converted<Scalar>(A));
}

template <class Scalar, class Space, class Offset>
HostMatrix in_double(const Csr<Scalar, Space, Offset>& A) {
  return converted<double>(::tessera::test::to_host(A));
}

/// Structure exactly the reference's, values within the bound of a sum of n rounded products:
/// n epsilon times the sum of magnitudes (epsilon is twice the unit roundoff).
template <class Scalar, class Space, class Offset>
void expect_product(const Csr<Scalar, Space, Offset>& C, const HostMatrix& A, const HostMatrix& B) {
  expect_product(in_double(C), reference_product(A, B), B.num_cols, [](const auto& entry) {
    return entry.products * std::numeric_limits<Scalar>::epsilon() * entry.magnitude;
  });
}

template <class Scalar, class Space, class Offset>
void expect_same_bits(const Csr<Scalar, Space, Offset>& C, const Csr<Scalar, Space, Offset>& D) {
  EXPECT_TRUE(same_bits(C.offsets, D.offsets));
  EXPECT_TRUE(same_bits(C.columns, D.columns));
  EXPECT_TRUE(same_bits(C.values, D.values));
}

}  // namespace tessera::kernels::test
