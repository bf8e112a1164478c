// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations that are replayed from recordings give the bits of those that are launched.
#include "same_solves.hpp"
#include "support/kept_work.hpp"

#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/solver/detail/recorded_work.hpp"

#include <memory>
#include <string>

namespace tessera::test::recorded_iteration_test {

TESSERA_TEST_SUITE(RecordedIteration, Scalars, TypeNames);

template <class Scalar, class Space>
struct Recorded {
  using Runner = detail::RecordedWork<Space, KeptWork<Space>>;
  Space exec;
  HostMatrix<Scalar> A = poisson<Scalar>(20, 20);
  TestOperator<Scalar, Space> op{exec, A};
  std::shared_ptr<CountingJacobi<Scalar, Space>> M =
      std::make_shared<CountingJacobi<Scalar, Space>>(exec, op.view());
  CapturedPreconditioner<Scalar, Space> captured{M};
  bool has_M = true;
  std::shared_ptr<Runner> runner = std::make_shared<Runner>(4);
  MultiVector<Scalar, Space> b = to_multivector(exec, random_vector<Scalar>(400 * 2, 6), 400, 2);
  MultiVector<Scalar, Space> x = allocate_multivector<Scalar>(exec, "tessera::test::x", 400, 2);
  MultiVector<Scalar, Space> y = allocate_multivector<Scalar>(exec, "tessera::test::y", 400, 2);

  Solved<Scalar> solved(KrylovSolver<Scalar, Space>& solver, const MultiVector<Scalar, Space>& to,
                        int k) {
    const std::pair<int, int> columns(0, k);
    Kokkos::deep_copy(exec, to, Scalar(0));
    const MultiVectorView<Scalar, Space> target = Kokkos::subview(to, Kokkos::ALL, columns);
    const ConstMultiVectorView<Scalar, Space> source = Kokkos::subview(b, Kokkos::ALL, columns);
    Solved<Scalar> result;
    result.result = solver.solve(exec, op, has_M ? &captured : nullptr, source, target);
    result.x = to_host(to);
    return result;
  }
};

TYPED_TEST(RecordedIteration, GivesTheSameBits) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    for (const bool flexible : {false, true}) {
      if (flexible && name != SolverName::cg) continue;
      for (const auto residual : {ResidualKind::recurrence, ResidualKind::true_residual}) {
        for (const bool refuses : {false, true}) {
          SCOPED_TRACE(name_of(name));
          KeptWork<Space>::refuses = refuses;
          Recorded<Scalar, Space> t;
          const SolverParameters p{.name = name,
                                   .tolerance = reachable_tolerance<Scalar>,
                                   .residual = residual,
                                   .ahead = RunAhead::on,
                                   .cg = {.flexible = flexible}};
          const auto plain = make_solver<Scalar, Space>(p);
          const auto solver = make_solver<Scalar, Space>(p);
          solver->set_runner(t.runner);
          std::size_t captures = 0;
          // One column twice, another number of columns, and other vectors.
          for (const auto& [k, other] : std::vector<std::pair<int, bool>>{
                   {1, false}, {1, false}, {2, false}, {2, true}, {1, true}}) {
            const bool known = captures == 1 && k == 1 && !other;
            const auto expected = t.solved(*plain, other ? t.y : t.x, k);
            // The plain solve has prepared M for itself.
            const auto launches = t.runner->num_launches();
            expect_same(t.solved(*solver, other ? t.y : t.x, k), expected);
            if (!known) ++captures;
            EXPECT_EQ(t.runner->num_captures(), refuses ? 0U : captures);
            EXPECT_EQ(t.runner->num_launches() > launches + 10, !refuses);
          }
          EXPECT_EQ(t.runner->failure(), refuses ? "this cannot be recorded" : "");
          solver->forget_recordings();
          const auto expected = t.solved(*plain, t.y, 1);
          expect_same(t.solved(*solver, t.y, 1), expected);
          EXPECT_EQ(t.runner->num_captures(), refuses ? 0U : captures + 1);
        }
      }
    }
  }
  KeptWork<Space>::refuses = false;
}

TESSERA_TYPED_TEST(RecordedIteration, IsMadeAgainWhenMHasMoved) {
  Recorded<Scalar, Space> t;
  const auto solver = make_solver<Scalar, Space>(
      {.name = SolverName::cg, .tolerance = reachable_tolerance<Scalar>});
  solver->set_runner(t.runner);
  t.solved(*solver, t.x, 1);
  t.solved(*solver, t.x, 1);
  EXPECT_EQ(t.runner->num_captures(), 1U);
  t.captured.forget();
  t.solved(*solver, t.x, 1);
  EXPECT_EQ(t.runner->num_captures(), 2U);
  t.captured.prepare(t.exec, 2);  // by another method that uses M
  t.solved(*solver, t.x, 1);
  EXPECT_EQ(t.runner->num_captures(), 3U);
}

/// A method that takes turns at several positions.
struct Turns {
  SolverName name;
  PreconditioningSide side = PreconditioningSide::right;
  std::size_t positions = 7;
};
const std::vector<Turns> methods_in_turns{{SolverName::gmres},
                                          {SolverName::gmres, PreconditioningSide::left},
                                          {SolverName::fgmres},
                                          {SolverName::richardson, PreconditioningSide::right, 2}};

SolverParameters parameters_of(const Turns& method, double tolerance) {
  return {.name = method.name,
          .tolerance = tolerance,
          .max_iterations = 90,
          .side = method.side,
          .gmres = {.restart = 7},
          .richardson = {.damping = 0.2}};
}

TYPED_TEST(RecordedIteration, OfEachPositionGivesTheSameBits) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const Turns& method : methods_in_turns) {
    for (const bool has_M : {true, false}) {
      for (const auto ahead : {RunAhead::on, RunAhead::off}) {
        for (const bool refuses : {false, true}) {
          SCOPED_TRACE(name_of(method.name) + (has_M ? ", M" : "") + (refuses ? ", refused" : ""));
          KeptWork<Space>::refuses = refuses;
          Recorded<Scalar, Space> t;
          t.has_M = has_M;
          SolverParameters p = parameters_of(method, reachable_tolerance<Scalar>);
          p.ahead = ahead;
          const auto plain = make_solver<Scalar, Space>(p);
          const auto solver = make_solver<Scalar, Space>(p);
          solver->set_runner(t.runner);
          std::size_t captures = 0;
          for (const int k : {1, 1, 2, 2}) {
            SCOPED_TRACE(k);
            const bool known = captures == method.positions * k;
            const auto expected = t.solved(*plain, t.x, k);
            ASSERT_GT(expected.result.iterations, 7 * method.positions);
            const auto launches = t.runner->num_launches();
            expect_same(t.solved(*solver, t.x, k), expected);
            if (!known) captures += method.positions;
            EXPECT_EQ(t.runner->num_captures(), refuses ? 0U : captures);
            const std::size_t launched = t.runner->num_launches() - launches;
            // Of a position's first runs the fourth is on the instance that records.
            const std::size_t iterations =
                expected.result.iterations - (known ? 0 : 4 * method.positions);
            EXPECT_GE(launched, refuses ? 0U : iterations);
            EXPECT_LE(launched, refuses ? 0U : iterations + 1);
          }
          EXPECT_EQ(t.runner->failure(), refuses ? "this cannot be recorded" : "");
        }
      }
    }
  }
  KeptWork<Space>::refuses = false;
}

TESSERA_TYPED_TEST(RecordedIteration, OfAPositionIsMadeAgainWhenWhatItHoldsHasMoved) {
  for (const Turns& method : methods_in_turns) {
    SCOPED_TRACE(name_of(method.name));
    Recorded<Scalar, Space> t;
    const auto solver =
        make_solver<Scalar, Space>(parameters_of(method, reachable_tolerance<Scalar>));
    solver->set_runner(t.runner);
    std::size_t recorded = 0;
    const auto expect_recorded = [&](std::size_t times) {
      recorded += times * method.positions;
      EXPECT_EQ(t.runner->num_captures(), recorded);
    };
    t.solved(*solver, t.x, 1);
    expect_recorded(1);
    t.solved(*solver, t.y, 1);
    expect_recorded(method.name == SolverName::richardson ? 1 : 0);
    t.captured.forget();
    t.solved(*solver, t.y, 1);
    expect_recorded(1);
    solver->forget_recordings();
    t.solved(*solver, t.y, 1);
    expect_recorded(1);
    t.solved(*solver, t.y, 2);
    expect_recorded(1);
  }
}

TESSERA_TYPED_TEST(RecordedIteration, OfShortSolvesIsMadeInALaterOne) {
  Recorded<Scalar, Space> t;
  const auto solver = make_solver<Scalar, Space>({.name = SolverName::gmres,
                                                  .tolerance = 1e-30,
                                                  .max_iterations = 6,
                                                  .gmres = {.restart = 30}});
  solver->set_runner(t.runner);
  // Six runs as they are, six on the instance that records, and then recordings.
  const std::vector<std::size_t> launches{0, 0, 6, 12};
  for (std::size_t solve = 0; solve < launches.size(); ++solve) {
    t.solved(*solver, t.x, 1);
    EXPECT_EQ(t.runner->num_launches(), launches[solve]) << solve;
    EXPECT_EQ(t.runner->num_captures(), solve < 2 ? 0U : 6U) << solve;
  }
}

/// What a runner does with work that comes to it: `1u` is run as it is where it comes first, `1w`
/// kernel by kernel, for a recording or from it.
struct Published {
  using Runner = detail::RecordedWork<HostSpace, KeptWork<HostSpace>>;
  HostSpace exec;
  Runner runner{3};
  int made = 0;
  std::string ran;

  std::string run(std::uintptr_t key, int position = 0) {
    const auto tells = [&](const char* what) {
      return [this, what, number = made](const HostSpace&) {
        ran += std::to_string(number) + what + " ";
      };
    };
    ++made;
    ran.clear();
    runner.run(exec, {key}, position, tells("w"), tells("u"));
    return ran;
  }
  /// At so many positions, one after the other.
  std::string cycle(std::uintptr_t key, int positions) {
    std::string all;
    for (int position = 0; position < positions; ++position)
      all += run(key, position);
    return all;
  }
};

TEST(RecordedWork, RunsAsItIsUntilItIsTime) {
  Published published;
  std::string ran;
  for (int i = 0; i < 6; ++i)
    ran += published.run(1);
  EXPECT_EQ(ran, "1u 2u 3w 4w 4w 4w ") << "the fourth is recorded, and replayed from then on";
  EXPECT_EQ(published.run(2), "7u ");
  EXPECT_EQ(published.run(1), "8u ");
  EXPECT_EQ(published.runner.num_captures(), 1U);
  EXPECT_EQ(published.runner.num_launches(), 3U);
}

TEST(RecordedWork, KeepsARecordingForEachPosition) {
  Published published;
  std::vector<std::string> cycles(6);
  for (std::string& cycle : cycles)
    cycle = published.cycle(1, 3);
  EXPECT_EQ(cycles, (std::vector<std::string>{"1u 2u 3u ", "4u 5u 6u ", "7w 8w 9w ", "10w 11w 12w ",
                                              "10w 11w 12w ", "10w 11w 12w "}));
  EXPECT_EQ(published.runner.num_captures(), 3U);
  EXPECT_EQ(published.runner.num_launches(), 9U);
  published.runner.forget();
  EXPECT_EQ(published.run(1, 1), "19u ");
  EXPECT_EQ(published.run(1, 2), "20u ");
}

TEST(RecordedWork, ALaterSolveRecordsWhatCameBefore) {
  Published published;
  published.runner.begin_solve();
  EXPECT_EQ(published.cycle(1, 2), "1u 2u ") << "two of the three runs that it takes";
  published.runner.begin_solve();
  EXPECT_EQ(published.cycle(1, 3), "3w 4w 5u ");
  published.runner.begin_solve();
  EXPECT_EQ(published.cycle(1, 3), "6w 7w 8w ");
  EXPECT_EQ(published.runner.num_captures(), 2U);
  published.runner.begin_solve();
  EXPECT_EQ(published.cycle(1, 3), "6w 7w 11w ");
  published.runner.begin_solve();
  published.runner.forget();
  EXPECT_EQ(published.run(1, 0), "12u ");
}

TEST(RecordedWork, KeepsNoMoreRecordingsThanItMay) {
  Published published;
  constexpr int most = Published::Runner::max_recordings;
  for (int i = 0; i < 5; ++i)
    published.cycle(1, most + 10);
  EXPECT_EQ(published.runner.num_captures(), std::size_t(most));
  EXPECT_EQ(published.run(1, most), std::to_string(5 * (most + 10) + 1) + "u ");
  EXPECT_EQ(published.run(1, most - 1), std::to_string(3 * (most + 10) + most) + "w ");
}

}  // namespace tessera::test::recorded_iteration_test
