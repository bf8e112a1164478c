// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse direct solves as a build without SuiteSparse has them: the library links, and says what
/// it is without.
#include "tessera/direct/detail/minimum_degree.hpp"
#include "tessera/direct/detail/nested_dissection.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/direct/sparse_lu.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::direct::without_suitesparse_test {

HostMatrix two_by_two() {
  HostMatrix A;
  A.n = 2;
  A.offsets = {0, 2, 4};
  A.columns = {0, 1, 0, 1};
  A.values = {2, -1, -1, 2};
  return A;
}

template <class Call>
void expect_refused(const Call& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::configuration);
    EXPECT_NE(std::string(error.what()).find("without SuiteSparse"), std::string::npos)
        << error.what();
  }
}

TEST(WithoutSuiteSparseTest, SaysSo) { EXPECT_FALSE(available()); }

TEST(WithoutSuiteSparseTest, RefusesFactors) {
  const HostMatrix A = two_by_two();
  expect_refused([&] { detail::minimum_degree(A.n, A.offsets, A.columns); });
  expect_refused([&] { SparseLu lu(A); });
  expect_refused([&] { SparseDirect(A, true, 1e9); });
  expect_refused([&] { SparseDirect(A, false, 1e9); });
}

TEST(WithoutSuiteSparseTest, RefusesADissection) {
  EXPECT_FALSE(detail::can_dissect());
  const HostMatrix A = two_by_two();
  EXPECT_FALSE(detail::nested_dissection(A.n, A.offsets, A.columns));
  require_ordering(Ordering::automatic);
  require_ordering(Ordering::minimum_degree);
  EXPECT_THROW(require_ordering(Ordering::nested_dissection), Error);
}

}  // namespace tessera::direct::without_suitesparse_test
