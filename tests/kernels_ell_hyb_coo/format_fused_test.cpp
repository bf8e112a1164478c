// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::format_fused_test {

TESSERA_TEST_SUITE(FormatFused, MixedTypes, StoredNames);

TYPED_TEST(FormatFused, EveryProductIsWithinItsBound) {
  for (const auto& matrix : share_of(format_matrices())) {
    for (const int k : {1, 2, 3, 9}) {
      const FormatCase<TypeParam> t(matrix, k);
      for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
        expect_fused_products(t, A, plan, name);
      });
    }
  }
}

TYPED_TEST(FormatFused, MistakesAreRejected) {
  expect_mistakes_rejected(
      [](const HostMatrix<double>& matrix) { return FormatCase<TypeParam>(matrix, 2); },
      [](const auto& t, const auto& test) { for_each_format(t, test); });
}

}  // namespace tessera::test::format_fused_test
