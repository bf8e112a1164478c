// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When `update_values` sets all up again, and what it says of that.
#include "solve/unsuited_matrices.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <chrono>
#include <thread>

namespace tessera::test::repeated_setup_test {

using amg::Reuse;

template <class Param>
class RepeatedSetupTest : public ::testing::Test {
 public:
  using Space = typename Param::Space;
  Space exec;

  /// The five-point stencil with values of its own.
  static HostMatrix<double> grid(int n, double diagonal, double coupling = -1) {
    auto A = poisson<double>(n, n);
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
      value = j == i ? diagonal : coupling;
    });
    return A;
  }

  static SolveParameters parameters(PreconditionerKind kind, Reuse reuse) {
    SolveParameters p;
    p.preconditioner = kind;
    p.amg.reuse = reuse;
    return p;
  }

  void setup(Solver<double, Space>& solver, const HostMatrix<double>& A) {
    solver.setup(exec, make_csr(exec, A));
  }
  void update(Solver<double, Space>& solver, const HostMatrix<double>& A) {
    solver.update_values(exec, make_csr(exec, A));
  }

  static std::ptrdiff_t count(const Solver<double, Space>& solver, const std::string& text) {
    const auto& notes = solver.hierarchy().notes;
    return std::count_if(notes.begin(), notes.end(), [&](const std::string& note) {
      return note.find(text) != std::string::npos;
    });
  }
};
TYPED_TEST_SUITE(RepeatedSetupTest, Spaces, TypeNames);

constexpr Reuse kept[] = {Reuse::symbolic, Reuse::interpolation, Reuse::hierarchy};

/// Symmetric values at first, for CG, and then some that are not.
TYPED_TEST(RepeatedSetupTest, NoReusePicksAgainWhateverThePreconditioner) {
  using Space = typename TypeParam::Space;
  const auto before = this->grid(20, 4.5);
  auto after = before;
  for_each_entry(after, [&](std::int32_t i, std::int32_t j, auto& value) {
    if (j == i + 1) value = -0.25;
  });
  for (const auto kind : {PreconditionerKind::none, PreconditionerKind::jacobi,
                          PreconditionerKind::block_jacobi, PreconditionerKind::ilu}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Solver<double, Space> again(this->parameters(kind, Reuse::none));
    Solver<double, Space> keeps(this->parameters(kind, Reuse::symbolic));
    for (auto* const solver : {&again, &keeps}) {
      this->setup(*solver, before);
      EXPECT_EQ(solver->parameters().solver.name, SolverName::cg);
      this->update(*solver, after);
    }
    EXPECT_EQ(again.parameters().solver.name, SolverName::gmres);
    EXPECT_EQ(keeps.parameters().solver.name, SolverName::cg);
    EXPECT_TRUE(solve_waves(this->exec, again, after.num_rows).converged());
  }
}

TYPED_TEST(RepeatedSetupTest, JacobiInPlaceOfAHierarchyLeavesWithTheValues) {
  using Space = typename TypeParam::Space;
  const int n = 2500;
  for (const Reuse reuse : {Reuse::none, Reuse::symbolic, Reuse::interpolation, Reuse::hierarchy}) {
    SCOPED_TRACE(static_cast<int>(reuse));
    Solver<double, Space> solver(this->parameters(PreconditionerKind::amg, reuse));
    this->setup(solver, bidiagonal(n, 1e200));
    ASSERT_EQ(solver.parameters().preconditioner, PreconditionerKind::jacobi);
    this->update(solver, bidiagonal(n, -0.5));
    EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
    EXPECT_EQ(this->count(solver, "preconditioner jacobi"), 0);
    EXPECT_TRUE(solve_waves(this->exec, solver, n).converged());
  }
}

TYPED_TEST(RepeatedSetupTest, JacobiThatWasPickedIsPickedAgainAndJacobiByNameStays) {
  using Space = typename TypeParam::Space;
  const auto decided = this->grid(50, 8);
  const auto grid = this->grid(50, 4);
  for (const Reuse reuse : kept) {
    SCOPED_TRACE(static_cast<int>(reuse));
    Solver<double, Space> picked(this->parameters(PreconditionerKind::automatic, reuse));
    this->setup(picked, decided);
    ASSERT_EQ(picked.parameters().preconditioner, PreconditionerKind::jacobi);
    this->update(picked, grid);
    EXPECT_EQ(picked.parameters().preconditioner, PreconditionerKind::amg);
    Solver<double, Space> named(this->parameters(PreconditionerKind::jacobi, reuse));
    this->setup(named, decided);
    this->update(named, grid);
    EXPECT_EQ(named.parameters().preconditioner, PreconditionerKind::jacobi);
  }
}

/// The couplings that follow leave float's range: what multigrid in float cannot take.
TYPED_TEST(RepeatedSetupTest, AnUpdateThatFailsIsNotedUntilTheNextAndItsTimeCounts) {
  using Space = typename TypeParam::Space;
  const int n = 2500;
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation}) {
    SCOPED_TRACE(static_cast<int>(reuse));
    auto p = this->parameters(PreconditionerKind::amg, reuse);
    p.amg.measure_memory = true;
    Solver<double, Space> solver(p);
    this->setup(solver, bidiagonal(n, -0.5));
    ASSERT_EQ(solver.parameters().precision, Precision::single);
    EXPECT_EQ(this->count(solver, "setup was repeated"), 0);
    static constexpr int pause_ms = 300;
    static bool is_next;
    is_next = false;
    // The timer starts behind that fence.
    Kokkos::Tools::Experimental::set_begin_fence_callback(
        [](const char* name, std::uint32_t, std::uint64_t*) {
          is_next = is_next || std::string(name) == "tessera::Solver::update_values";
        });
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
        [](const char*, std::uint32_t, std::uint64_t*) {
          if (is_next) std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
          is_next = false;
        });
    this->update(solver, bidiagonal(n, 1e39));
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
    EXPECT_GE(solver.setup_ms(), pause_ms) << "in the update that failed";
    EXPECT_GT(solver.hierarchy().setup_peak_bytes, 0U);
    EXPECT_EQ(solver.parameters().precision, Precision::same);
    EXPECT_EQ(
        this->count(solver, "setup was repeated for the new values: the hierarchy does not hold"),
        1);
    this->update(solver, bidiagonal(n, -0.5));
    EXPECT_EQ(this->count(solver, "setup was repeated"), 0);
    EXPECT_TRUE(solve_waves(this->exec, solver, n).converged());
  }
}

TYPED_TEST(RepeatedSetupTest, NoteOfAnUpdateThatFailsLeavesWithIncompleteFactorsToo) {
  using Space = typename TypeParam::Space;
  Solver<double, Space> solver(this->parameters(PreconditionerKind::ilu, Reuse::symbolic));
  auto huge = this->grid(20, 4.5);
  const auto plain = huge;
  // The first row's pivot over the second's entry below it.
  for (auto e = huge.offsets[0]; e < huge.offsets[2]; ++e)
    huge.values[e] = e < huge.offsets[1] ? 1e-300 : 1e300;
  this->setup(solver, plain);
  this->update(solver, huge);
  EXPECT_EQ(this->count(solver, "setup was repeated for the new values: their incomplete factors"),
            1);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::jacobi);
  this->update(solver, plain);
  EXPECT_EQ(this->count(solver, "setup was repeated"), 0);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::ilu);
}

/// With vectors that the second setup has to have, too.
TYPED_TEST(RepeatedSetupTest, ValuesAfterSomeThatWereNotFiniteAreSetUpAgain) {
  const auto problem = gallery_problem(this->exec, ProblemKind::elasticity2d, 20);
  const auto good = to_host(problem.A);
  auto bad = good;
  bad.values[11] = std::nan("");
  for (const auto kind : {PreconditionerKind::amg, PreconditionerKind::ilu}) {
    for (const Reuse reuse : {Reuse::none, Reuse::symbolic}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) +
                   std::to_string(static_cast<int>(reuse)));
      auto solver = set_up(this->exec, problem, this->parameters(kind, reuse));
      const int iterations = solve_waves(this->exec, solver, good.num_rows).iterations;
      for (int repetition = 0; repetition < 2; ++repetition) {
        expect_error(error_of([&] { this->update(solver, bad); }), ErrorKind::bad_input, {"NaN"});
        expect_error(error_of([&] { solve_waves(this->exec, solver, good.num_rows); }),
                     ErrorKind::precondition, {"before a setup that succeeded"});
      }
      auto moved = good;
      moved.columns[moved.offsets[8] - 1] += 1;
      expect_error(error_of([&] { this->update(solver, moved); }), ErrorKind::precondition,
                   {"the pattern of A changed"});
      this->update(solver, good);
      const auto result = solve_waves(this->exec, solver, good.num_rows);
      EXPECT_TRUE(result.converged());
      EXPECT_EQ(result.iterations, iterations);
      // What a setup refuses is no pattern for others.
      expect_error(error_of([&] { this->setup(solver, bad); }), ErrorKind::bad_input, {"NaN"});
      expect_error(error_of([&] { this->update(solver, good); }), ErrorKind::precondition,
                   {"before a setup that succeeded"});
    }
  }
}

/// Blocks of zeros at the start, more and fewer.
TYPED_TEST(RepeatedSetupTest, BlocksWithoutAnInverseAreThoseOfTheLastValues) {
  using Space = typename TypeParam::Space;
  for (const Reuse reuse : {Reuse::none, Reuse::symbolic}) {
    auto p = this->parameters(PreconditionerKind::block_jacobi, reuse);
    p.block_rows = 4;
    const auto plain = this->grid(20, 4.5);
    Solver<double, Space> solver(p);
    this->setup(solver, plain);
    for (const int singular : {2, 1, 0, 3}) {
      auto A = plain;
      std::fill_n(A.values.begin(), A.offsets[singular * p.block_rows], 0.0);
      this->update(solver, A);
      EXPECT_EQ(this->count(solver, " no inverse"), singular > 0 ? 1 : 0) << singular;
      EXPECT_EQ(
          this->count(solver, std::to_string(singular) + (singular == 1 ? " block" : " blocks") +
                                  " of block_jacobi"),
          singular > 0 ? 1 : 0);
    }
  }
}

}  // namespace tessera::test::repeated_setup_test
