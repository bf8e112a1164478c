// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A captured preconditioner gives the bits of the one inside, by a recording where that can be. On
/// spaces without graphs it is always plain.
#include "core/captured_fixture.hpp"
#include "support/launches.hpp"

#include <utility>

namespace tessera::test::captured_preconditioner_test {

template <class Param>
class CapturedPreconditionerTest : public CapturedFixture<Param> {};
TYPED_TEST_SUITE(CapturedPreconditionerTest, Scalars, TypeNames);

TYPED_TEST(CapturedPreconditionerTest, OnePairOfVectorsIsRecordedAtItsSecondApplication) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  for (int i = 0; i < 6; ++i) {
    this->renew(r, 10 + i);
    this->expect_as_inside(M, r, z);
  }
  this->expect_counts(M, 1, 5);
  EXPECT_EQ(this->inner->calls, TestFixture::replays ? 2 : 6);
}

TYPED_TEST(CapturedPreconditionerTest, PairsThatTakeTurnsHaveARecordingEach) {
  typename TestFixture::Captured M(this->inner);
  const auto p = this->vectors(1);
  const auto r = this->vectors(2);
  const auto p_hat = this->empty();
  const auto s_hat = this->empty();
  for (int i = 0; i < 4; ++i) {
    this->renew(p, 10 + i);
    this->renew(r, 20 + i);
    this->expect_as_inside(M, p, p_hat);
    this->expect_as_inside(M, r, s_hat);
  }
  this->expect_counts(M, 2, 6);
}

TYPED_TEST(CapturedPreconditionerTest, VectorsThatDoNotComeBackAreCopied) {
  TESSERA_TEST_TYPES(TypeParam);
  typename TestFixture::Captured M(this->inner);
  std::vector<MultiVector<Scalar, Space>> basis;
  for (int i = 0; i < 10; ++i)
    basis.push_back(this->vectors(i));
  const auto z = this->empty();
  for (int cycle = 0; cycle < 2; ++cycle) {
    for (const auto& vector : basis)
      this->expect_as_inside(M, vector, z);
  }
  this->expect_counts(M, 1, 16);
  EXPECT_EQ(this->inner->calls, TestFixture::replays ? 5 : 20);
  // One that comes back has a recording of its own again.
  for (int i = 0; i < 3; ++i) {
    this->renew(basis[0], 50 + i);
    this->expect_as_inside(M, basis[0], z);
  }
  this->expect_counts(M, 2, 19);
}

TYPED_TEST(CapturedPreconditionerTest, AnotherNumberOfColumnsIsRecordedAgain) {
  typename TestFixture::Captured M(this->inner);
  std::size_t captures = 0;
  std::size_t launches = 0;
  for (const int k : {1, 3, 1, 2}) {
    const auto r = this->vectors(k, k);
    const auto z = this->empty(k);
    SCOPED_TRACE(k);
    if (k == 3) M.prepare(this->exec, k);
    for (int i = 0; i < 3; ++i) {
      this->renew(r, 10 * k + i);
      this->expect_as_inside(M, r, z);
    }
    M.prepare(this->exec, k);
    this->expect_as_inside(M, r, z);
    this->expect_counts(M, captures += 1, launches += 3);
  }
}

TYPED_TEST(CapturedPreconditionerTest, ColumnsOfALargerBlockAreTaken) {
  TESSERA_TEST_TYPES(TypeParam);
  typename TestFixture::Captured M(this->inner);
  constexpr int rows = TestFixture::rows;
  const auto block = to_multivector(this->exec, random_vector<Scalar>(2 * rows * 2), 2 * rows, 2);
  const typename TestFixture::ConstVectors r =
      Kokkos::subview(block, std::pair<int, int>(100, 100 + rows), Kokkos::ALL);
  const auto z = this->empty(2);
  const auto expected = this->empty(2);
  this->reference.apply(this->exec, r, expected);
  const auto expected_values = to_host(expected);
  for (int i = 0; i < 3; ++i) {
    Kokkos::deep_copy(this->exec, z, Scalar(0));
    M.apply(this->exec, r, z);
    EXPECT_EQ(to_host(z), expected_values);
  }
  this->expect_counts(M, 1, 2);
}

TYPED_TEST(CapturedPreconditionerTest, ARecordingIsLaunchedOnAnyInstance) {
  TESSERA_TEST_TYPES(TypeParam);
  std::vector<Space> instances{Space()};
  if (Space().concurrency() >= 2) {
    for (const Space& part : Kokkos::Experimental::partition_space(Space(), 1, 1))
      instances.push_back(part);
  }
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  const auto expected = this->empty();
  std::size_t applications = 0;
  for (int i = 0; i < 3; ++i) {
    for (const Space& instance : instances) {
      this->renew(r, ++applications);
      const auto values = this->applied_on(instance, M, r, z);
      EXPECT_EQ(values, this->applied(this->reference, r, expected)) << i;
    }
  }
  this->expect_counts(M, 1, applications - 1);
}

TYPED_TEST(CapturedPreconditionerTest, WhatIsForgottenIsRecordedAgain) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  this->expect_as_inside(M, r, z, 3);
  M.forget();
  this->expect_as_inside(M, r, z, 3);
  this->expect_counts(M, 2, 4);
}

TYPED_TEST(CapturedPreconditionerTest, AToolSeesTheKernels) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  const auto expected = this->applied(this->reference, r, this->empty());
  this->expect_as_inside(M, r, z, 3);
  {
    const LaunchesOf kernels("");
    EXPECT_EQ(this->applied(M, r, z), expected);
    EXPECT_GE(kernels.count(), 4);
  }
  this->expect_counts(M, 1, 2);
  EXPECT_EQ(this->applied(M, r, z), expected);
  this->expect_counts(M, 1, 3);
}

TEST(LaunchGraphs, AreNotOnAHost) { EXPECT_FALSE(kernels::has_launch_graphs<HostSpace>); }

}  // namespace tessera::test::captured_preconditioner_test
