// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch, as many as the environment variable TESSERA_SOLVES says, and with
/// systems that are out of the ordinary: each ends, and says how.
#include "kernels_persistent/preconditioned_solves.hpp"
#include "kernels_persistent/systems_out_of_the_ordinary.hpp"

namespace tessera::test {
namespace {

template <class Param>
class PersistentSafetyTest : public ::testing::Test {};
TYPED_TEST_SUITE(PersistentSafetyTest, Matrices, TypeNames);

TYPED_TEST(PersistentSafetyTest, ManySolvesAllEndWell) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  constexpr int num_sizes = 12;
  struct System {
    kernels::Csr<Scalar, Space, Offset> A;
    Array<Scalar, Space> b, x, d, blocks;
    std::unique_ptr<Sweeps<Scalar, Space, Offset>> sweeps, in_one_block;
    std::unique_ptr<InsideFactors<Scalar, Space, Offset>> ilu, ilu_by_one_block;
  };
  std::vector<System> systems;
  for (int i = 0; i < num_sizes; ++i) {
    const auto A = poisson<Scalar>(3 + 5 * i, 1 + 7 * (i % 6));
    System system;
    system.A = make_csr<Offset>(exec, A);
    system.b = to_device(exec, some_vector<Scalar>(A.num_rows, i));
    system.x = to_device(exec, std::vector<Scalar>(A.num_rows, 0));
    system.d = kernels::inverse_diagonal(exec, system.A.view());
    system.blocks = kernels::inverse_blocks(exec, system.A.view(), 5);
    system.sweeps = std::make_unique<Sweeps<Scalar, Space, Offset>>(exec, system.A, false);
    system.in_one_block = std::make_unique<Sweeps<Scalar, Space, Offset>>(exec, system.A, true);
    system.ilu = std::make_unique<InsideFactors<Scalar, Space, Offset>>(exec, system.A, false);
    system.ilu_by_one_block =
        std::make_unique<InsideFactors<Scalar, Space, Offset>>(exec, system.A, true);
    systems.push_back(std::move(system));
  }
  kernels::PersistentWorkspace<Scalar, Space> workspace;
  const auto limits = reachable<Scalar>();
  int failures = 0;
  for (int i = 0; i < number_of_solves(); ++i) {
    const System& system = systems[i * 7 % num_sizes];
    kernels::PersistentPreconditioner<Scalar, Space> M;
    switch (i / 2 % 7) {
      case 1:
        M = system.d;
        break;
      case 2:
        M.blocks = system.blocks;
        M.block_rows = 5;
        break;
      case 3:
        M.program = system.sweeps->program();
        break;
      case 4:
        M.program = system.in_one_block->program();
        break;
      case 5:
        M.factors = system.ilu->inside();
        break;
      case 6:
        M.factors = system.ilu_by_one_block->inside();
        break;
      default:
        break;
    }
    Kokkos::deep_copy(exec, system.x, Scalar(0));
    const PersistentTuning tuning{.shares = i % 6, .neighbour_waits = i / 14 % 2 == 1};
    const auto report = i % 2 == 0
                            ? kernels::persistent_cg(exec, workspace, system.A.view(), M, system.b,
                                                     system.x, limits, 0, tuning)
                            : kernels::persistent_bicgstab(exec, workspace, system.A.view(), M,
                                                           system.b, system.x, limits, 0, tuning);
    const bool is_well = report.end == PersistentEnd::converged &&
                         report.residual_norm <= limits.tolerance * report.rhs_norm * (1 + 1e-12);
    if (!is_well) {
      ++failures;
      ADD_FAILURE() << "solve " << i << " ended as " << static_cast<int>(report.end) << " after "
                    << report.iterations << " iterations";
    }
    if (failures > 10) break;
  }
  EXPECT_EQ(failures, 0);
}

TYPED_TEST(PersistentSafetyTest, SystemsOutOfTheOrdinaryEnd) {
  TESSERA_TEST_TYPES(TypeParam);
  Preconditioned<Scalar, Space, Offset> one;
  PersistentLimits limits = reachable<Scalar>();
  limits.max_iterations = 300;
  const auto with_holes = poisson_with_holes<Scalar>();
  const auto singular = singular_poisson<Scalar>();
  const auto indefinite = indefinite_poisson<Scalar>();
  const auto tile = full_tile<Scalar>();
  const auto single = diagonal_matrix<Scalar>({3});
  for (const Method method : {Method::cg, Method::bicgstab}) {
    for (const Inside inside : all_inside) {
      SCOPED_TRACE(name_of(inside) + (method == Method::cg ? " cg" : " bicgstab"));
      const auto ends = [&](const HostMatrix<Scalar>& A, const std::vector<Scalar>& b) {
        const auto answer = one.solve(method, A, b, inside, limits);
        expect_consistent(answer, limits);
        EXPECT_TRUE(all_finite(answer.x));
        EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-5)) << "worse than the guess";
        return answer.report.end;
      };
      const auto ones = [](std::int32_t n) { return std::vector<Scalar>(n, Scalar(1)); };
      EXPECT_EQ(ends(single, ones(1)), PersistentEnd::converged);
      EXPECT_EQ(ends(tile, ones(16)), PersistentEnd::converged);
      EXPECT_EQ(ends(poisson<Scalar>(7, 11), ones(77)), PersistentEnd::converged);
      EXPECT_NE(ends(with_holes, ones(81)), PersistentEnd::converged) << "0 = 1 in some rows";
      EXPECT_EQ(ends(with_holes, ones_beside_holes<Scalar>()), PersistentEnd::converged);
      EXPECT_NE(ends(singular, ones(81)), PersistentEnd::converged) << "no solution";
      ends(indefinite, some_vector<Scalar>(81));
    }
  }
}

TYPED_TEST(PersistentSafetyTest, NumbersThatAreNoneAreNamed) {
  TESSERA_TEST_TYPES(TypeParam);
  Preconditioned<Scalar, Space, Offset> one;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  for (const Method method : {Method::cg, Method::bicgstab}) {
    for (const Inside inside : all_inside) {
      SCOPED_TRACE(name_of(inside) + (method == Method::cg ? " cg" : " bicgstab"));
      auto A = poisson<Scalar>(30, 30);
      auto b = some_vector<Scalar>(A.num_rows);
      b[450] = nan;
      EXPECT_EQ(one.solve(method, A, b, inside).report.end, PersistentEnd::not_a_number);
      b[450] = 1;
      std::vector<Scalar> x0(A.num_rows, Scalar(0));
      x0[3] = nan;
      EXPECT_EQ(one.solve(method, A, b, inside, reachable<Scalar>(), x0).report.end,
                PersistentEnd::not_a_number);
      A.values[A.values.size() / 2] = nan;
      const auto answer = one.solve(method, A, b, inside);
      EXPECT_EQ(answer.report.end, PersistentEnd::not_a_number);
      EXPECT_LT(answer.report.iterations, 2);
    }
  }
}

TYPED_TEST(PersistentSafetyTest, EndsInTime) {
  TESSERA_TEST_TYPES(TypeParam);
  Preconditioned<Scalar, Space, Offset> one;
  const auto A = poisson<Scalar>(200, 200);
  const auto b = some_vector<Scalar>(A.num_rows);
  PersistentLimits limits;
  limits.tolerance = 0;
  limits.max_iterations = 10000000;
  one.time_limit_s = 1e-3;
  for (const Inside inside : all_inside) {
    const auto answer = one.solve(Method::cg, A, b, inside, limits);
    expect_consistent(answer, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::time_limit) << name_of(inside);
  }
}

}  // namespace
}  // namespace tessera::test
