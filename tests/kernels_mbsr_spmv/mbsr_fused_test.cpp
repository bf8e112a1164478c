// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"

#include "support/mistakes.hpp"

namespace tessera::test::mbsr_fused_test {

TESSERA_TEST_SUITE(MbsrFused, MixedTypes, StoredNames);

TYPED_TEST(MbsrFused, EveryProductIsWithinItsBound) {
  for_each_mbsr_case<TypeParam>({1, 2, 6}, [](const auto& t, const auto& plan) {
    expect_fused_products(t, t.A.view(), plan);
  });
}

TYPED_TEST(MbsrFused, MistakesAreRejected) {
  for (const auto layout : tile_layouts) {
    expect_mistakes_rejected(
        [&](const HostMatrix<double>& matrix) { return MbsrCase<TypeParam>(matrix, layout, 2); },
        [](const auto& t, const auto& test) {
          for (const auto& plan : t.plans())
            test("mBSR", t.A.view(), plan);
        });
  }
}

}  // namespace tessera::test::mbsr_fused_test
