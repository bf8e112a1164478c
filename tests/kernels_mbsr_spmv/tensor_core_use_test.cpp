// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a scope says of tensor cores is what the plans of tiles do.
#include "support/mbsr.hpp"

#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"

#include <string_view>

namespace tessera::test::tensor_core_use_test {

using kernels::MbsrSpmvKernel;
using kernels::tensor_core_columns;
using kernels::TensorCoreScope;

TEST(TensorCoreScope, TheInnermostThatChoosesHolds) {
  EXPECT_EQ(TensorCoreScope::current(), TensorCoreUse::automatic);
  {
    const TensorCoreScope off(TensorCoreUse::off);
    {
      const TensorCoreScope open(TensorCoreUse::automatic);
      EXPECT_EQ(TensorCoreScope::current(), TensorCoreUse::off);
      const TensorCoreScope on(TensorCoreUse::on);
      EXPECT_EQ(TensorCoreScope::current(), TensorCoreUse::on);
    }
    EXPECT_EQ(TensorCoreScope::current(), TensorCoreUse::off);
  }
  EXPECT_EQ(TensorCoreScope::current(), TensorCoreUse::automatic);
}

template <class Param>
class TensorCorePlans : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  kernels::MbsrSpmvPlan<Space> plan(const HostMatrix<double>& A, TensorCoreUse use) {
    const TensorCoreScope scope(use);
    return kernels::analyse_spmv(exec, make_mbsr<float>(exec, A).view());
  }
};
TYPED_TEST_SUITE(TensorCorePlans, Spaces, TypeNames);

TYPED_TEST(TensorCorePlans, FollowTheScope) {
  TESSERA_TEST_TYPES(TypeParam);
  const bool has = kernels::has_tensor_core_spmv<Space>();
  const bool sixteen_at_once = has && std::string_view(Space::name()) == "Cuda";
  const auto long_rows =
      random_matrix<double>({.num_rows = 90, .num_cols = 110, .density = 0.6, .seed = 7});
  const auto grid = poisson<double>(20, 20, 20);

  const auto taken = this->plan(long_rows, TensorCoreUse::automatic);
  EXPECT_NE(taken.kernel, MbsrSpmvKernel::tensor_core);
  EXPECT_EQ(tensor_core_columns<float>(taken), sixteen_at_once ? 5 : 0);
  EXPECT_EQ(tensor_core_columns<double>(taken), 0);
  EXPECT_EQ(tensor_core_columns<float>(this->plan(grid, TensorCoreUse::automatic)), 0);

  for (const auto& A : {long_rows, grid}) {
    const auto off = this->plan(A, TensorCoreUse::off);
    EXPECT_NE(off.kernel, MbsrSpmvKernel::tensor_core);
    EXPECT_EQ(tensor_core_columns<float>(off), 0);
    const auto on = this->plan(A, TensorCoreUse::on);
    EXPECT_EQ(on.kernel == MbsrSpmvKernel::tensor_core, has);
    EXPECT_EQ(tensor_core_columns<float>(on), has ? 1 : 0);
    EXPECT_EQ(tensor_core_columns<double>(on), has ? 1 : 0);
  }
}

}  // namespace tessera::test::tensor_core_use_test
