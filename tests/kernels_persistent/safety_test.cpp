// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch, as many as the environment variable TESSERA_SOLVES says, and with
/// systems that are out of the ordinary: each ends, and says how.
#include "kernels_persistent/cycle_program.hpp"
#include "kernels_persistent/edge_cases.hpp"
#include "kernels_persistent/many_systems.hpp"
#include "kernels_persistent/preconditioned_solves.hpp"

namespace tessera::test::safety_test {

TESSERA_TEST_SUITE(PersistentSafetyTest, Matrices, TypeNames);

/// A system, and the preconditioners that have been asked for.
template <class Scalar, class Space, class Offset>
class OneOfMany {
 public:
  OneOfMany(const Space& exec, int number)
      : OneOfMany(exec, number, system_of_many<Scalar>(number)) {}

  Array<Scalar, Space> b, x;
  kernels::Csr<Scalar, Space, Offset> A;

  kernels::PersistentPreconditioner<Scalar, Space> M(Inside inside) {
    if (inside != Inside::sweeps || m_number != of_multigrid) return m_others(inside);
    kernels::PersistentPreconditioner<Scalar, Space> M;
    if (m_cycle == nullptr)
      m_cycle = std::make_unique<Cycle<Scalar, Space>>(m_exec, system_of_many<double>(m_number));
    M.program = &m_cycle->program;
    return M;
  }

 private:
  OneOfMany(const Space& exec, int number, const HostMatrix<Scalar>& host)
      : b(to_device(exec, some_vector<Scalar>(host.num_rows, number))),
        x(to_device(exec, std::vector<Scalar>(host.num_rows, 0))),
        A(make_csr<Offset>(exec, host)),
        m_exec(exec),
        m_number(number),
        m_others(exec, A, 5) {}

  Space m_exec;
  int m_number;
  Preconditioners<Scalar, Space, Offset> m_others;
  std::unique_ptr<Cycle<Scalar, Space>> m_cycle;
};

/// What a solve by each method is of.
struct ChosenSolve {
  int system;
  Inside inside;
  PersistentTuning tuning;
  Blocks blocks;
};

/// The sweeps of `of_multigrid` are those of a cycle.
const ChosenSolve chosen[chosen_solves / 2] = {
    {4, Inside::nothing, {}, Blocks::one},
    {of_small_cluster, Inside::nothing, {}, Blocks::cluster},
    {of_cluster, Inside::jacobi, {}, Blocks::cluster},
    {of_grid, Inside::jacobi, {}, Blocks::many},
    {of_multigrid, Inside::sweeps, {}, Blocks::many},
    {of_long_rows, Inside::nothing, {}, Blocks::cluster},
    {of_long_rows, Inside::jacobi, {.shares = 3}, Blocks::few},
    {4, Inside::blocks, {.shares = 4}, Blocks::few},
    {7, Inside::sweeps, {.shares = 5}, Blocks::few},
    {7, Inside::in_float, {.shares = 5, .neighbour_waits = false}, Blocks::few},
    {of_small_cluster, Inside::sweeps, {.cluster = 1}, Blocks::cluster},
    {9, Inside::in_one_block, {.shares = 2, .neighbour_waits = false}, Blocks::few},
    {9, Inside::ilu, {.shares = 3}, Blocks::few},
    {4, Inside::ilu_by_one_block, {}, Blocks::one},
};

/// The others are of small systems by five blocks at most.
ChosenSolve solve_of_many(int i) {
  if (is_chosen(i)) return chosen[i % chosen_solves / 2];
  constexpr Inside insides[] = {Inside::nothing,         Inside::jacobi,       Inside::blocks,
                                Inside::sweeps,          Inside::in_one_block, Inside::ilu,
                                Inside::ilu_by_one_block};
  return {i * 7 % num_small,
          insides[i / 2 % 7],
          {.shares = i % 6, .neighbour_waits = i / 14 % 2 == 1},
          Blocks::any};
}

TESSERA_TYPED_TEST(PersistentSafetyTest, ManySolvesAllEndWell) {
  std::vector<std::unique_ptr<OneOfMany<Scalar, Space, Offset>>> systems(num_systems);
  kernels::PersistentWorkspace<Scalar, Space> workspace;
  const auto limits = reachable<Scalar>();
  int failures = 0;
  for (int i = 0; i < number_of_solves(); ++i) {
    SCOPED_TRACE("solve " + std::to_string(i));
    const ChosenSolve solve = solve_of_many(i);
    auto& system = systems[solve.system];
    if (system == nullptr)
      system = std::make_unique<OneOfMany<Scalar, Space, Offset>>(exec, solve.system);
    const auto M = system->M(solve.inside);
    Kokkos::deep_copy(exec, system->x, Scalar(0));
    const auto report =
        persistent_solve(i % 2 == 0 ? Method::cg : Method::bicgstab, exec, workspace,
                         system->A.view(), M, system->b, system->x, limits, 0, solve.tuning);
    expect_blocks(exec, solve.blocks, report.shape);
    if (!ends_well(report, limits) && ++failures > 10) break;
  }
}

TESSERA_TYPED_TEST(PersistentSafetyTest, EdgeCasesEnd) {
  Preconditioned<Scalar, Space, Offset> one;
  PersistentLimits limits = reachable<Scalar>();
  limits.max_iterations = 300;
  const auto with_holes = poisson_with_holes<Scalar>();
  const auto singular = singular_poisson<Scalar>();
  const auto indefinite = indefinite_poisson<Scalar>();
  const auto tile = full_tile<Scalar>();
  const auto single = diagonal_matrix<Scalar>({3});
  for (const Method method : both_methods) {
    for (const Inside inside : all_inside) {
      SCOPED_TRACE(name_of(inside) + name_of(method));
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

TESSERA_TYPED_TEST(PersistentSafetyTest, NumbersThatAreNoneAreNamed) {
  Preconditioned<Scalar, Space, Offset> one;
  for (const Method method : both_methods) {
    for (const Inside inside : all_inside) {
      SCOPED_TRACE(name_of(inside) + name_of(method));
      const auto solve = [&](const auto& A, const auto& b, const std::vector<Scalar>& x0) {
        return one.solve(method, A, b, inside, reachable<Scalar>(), x0).report;
      };
      expect_named(solve, std::numeric_limits<Scalar>::quiet_NaN());
    }
  }
}

TESSERA_TYPED_TEST(PersistentSafetyTest, EndsInTime) {
  Preconditioned<Scalar, Space, Offset> one;
  const auto A = poisson<Scalar>(200, 200);
  const auto b = some_vector<Scalar>(A.num_rows);
  PersistentLimits limits{.tolerance = 0, .max_iterations = 10000000};
  one.time_limit_s = 1e-3;
  for (const Inside inside : all_inside) {
    const auto answer = one.solve(Method::cg, A, b, inside, limits);
    expect_consistent(answer, limits);
    EXPECT_EQ(answer.report.end, PersistentEnd::time_limit) << name_of(inside);
  }
}

}  // namespace tessera::test::safety_test
