// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which smoothers overwrite the iterate that they read, as docs/guide/smoothers.md has it, and
/// that a sweep needs no memory beyond what it was prepared with.
#include "smoother_fixture.hpp"

#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera::test::works_in_place_test {

TESSERA_TEST_SUITE(WorksInPlaceTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(WorksInPlaceTest, IsAsTheGuideSays) {
  const int n = 40;
  const auto A = std::make_shared<StoredCsr<Scalar, Space, Offset>>(
      exec, make_csr<Offset>(exec, random_spd_matrix<Scalar>(n, 0.1)));
  const Array<const Scalar, Space> d(kernels::inverse_diagonal(exec, A->view()));
  const auto b = to_multivector(exec, random_vector<Scalar>(n, 1), n, 1);
  const auto x = to_multivector(exec, random_vector<Scalar>(n, 2), n, 1);
  const auto other = to_multivector(exec, random_vector<Scalar>(n, 3), n, 1);
  for (const SmootherType type : all_smoothers) {
    SCOPED_TRACE(std::string(smoother_name(type)));
    const auto smoother =
        make_smoother<Scalar, Space>(exec, {.type = type, .sweeps = 2}, A, A->view(), d, 1.9);
    EXPECT_EQ(smoother->works_in_place(),
              type == SmootherType::gauss_seidel || type == SmootherType::two_stage_gauss_seidel);
    smoother->prepare(exec, 1);
    const auto out = smoother->works_in_place() ? x : other;
    const MemoryTracker memory(Space::memory_space::name(), true);
    smoother->apply(exec, b, x);
    smoother->smooth(exec, b, x, out);
    smoother->smooth_after(exec, b, x, out);
    exec.fence("tessera::test: sweeps");
    EXPECT_EQ(memory.peak_bytes(), 0U);
  }
}

/// Those of fine and coarse points.
TESSERA_TYPED_TEST(WorksInPlaceTest, SoDoAllOfPoints) {
  const auto A = poisson<Scalar>(8, 8);
  const auto matrix = make_csr<Offset>(exec, A);
  const Array<const Scalar, Space> d(kernels::inverse_diagonal(exec, matrix.view()));
  std::vector<Ordinal> coarse_number(64, -1);
  for (int i = 0; i < 64; i += 3)
    coarse_number[i] = i / 3;
  for (const SmootherType type :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    for (const auto points : {RelaxationPoints::f, RelaxationPoints::fc, RelaxationPoints::cf}) {
      const auto smoother = make_points_smoother<Scalar, Space, Offset>(
          exec, {.type = type, .points = points}, matrix.view(), d, 1.9,
          to_device(exec, coarse_number));
      EXPECT_TRUE(smoother->works_in_place()) << smoother_name(type);
    }
  }
}

}  // namespace tessera::test::works_in_place_test
