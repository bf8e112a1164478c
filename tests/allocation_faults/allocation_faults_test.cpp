// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A setup, a solve or an update whose n-th allocation fails, for each n: an `Error` that names the
/// step, nothing leaked, and a solver that solves afterwards. A program by itself, for its
/// `operator new`.
#include "allocation_faults/failing_allocations.hpp"
#include "support/error_of.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::test::allocation_faults_test {

using Space = HostSpace;
using TestedSolver = Solver<double, Space>;
using allocations::Refused;

struct FaultCase {
  const char* name;
  GalleryParameters gallery;
  std::function<void(SolveParameters&)> choose;
  double shift = 0;  ///< taken off the diagonal: CG breaks down then, and GMRES goes on
  bool is_sampled = false;  ///< n grows by a sixth from one to the next
};

std::ostream& operator<<(std::ostream& out, const FaultCase& c) { return out << c.name; }

/// What a call came to.
struct Outcome {
  bool ran_out = false;  ///< an `Error` of that kind was thrown
  std::string message;  ///< of what was thrown
  long requests = 0;
  bool refused = false;
  bool optional = false;
};

template <class Call>
Outcome outcome_of(Refused which, long number, const Call& call) {
  Outcome outcome;
  const auto end = [&] {
    outcome.requests = allocations::number();
    outcome.refused = allocations::has_refused();
    outcome.optional = allocations::was_optional();
    allocations::refuse(Refused::none);
  };
  allocations::refuse(which, number);
  try {
    call();
    end();
  } catch (const std::exception& thrown) {
    end();
    const auto* const error = dynamic_cast<const Error*>(&thrown);
    outcome.ran_out = error != nullptr && error->kind() == ErrorKind::out_of_memory;
    outcome.message = thrown.what();
  }
  return outcome;
}

class AllocationFaults : public ::testing::TestWithParam<FaultCase> {
 protected:
  using ConstVectors = TestedSolver::ConstVectors;
  using Vectors = TestedSolver::Vectors;

  AllocationFaults() : m_problem(make_problem<double, Space>(m_exec, GetParam().gallery)) {
    allocations::take_over_suitesparse();
    m_parameters.preconditioner = PreconditionerKind::amg;
    m_parameters.amg.coarse_size = 10;
    m_parameters.solver.tolerance = 1e-8;
    GetParam().choose(m_parameters);
    const auto& A = m_problem.A;
    for (Ordinal i = 0; i < A.num_rows; ++i)
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
        if (A.columns(e) == i) A.values(e) -= GetParam().shift;
    // What is made at a first use, by us or by others, is there from here on.
    const double* const b = m_problem.b.data();
    for (int j = 0; j < 3; ++j)
      m_b.insert(m_b.end(), b, b + m_problem.A.num_rows);
    m_x.resize(m_b.size());
    TestedSolver solver(m_parameters);
    set_up(solver);
    for (const int columns : {1, 3})
      m_expected[columns] = solution(solver, columns);
    solver.update_values(m_exec);
  }

  void set_up(TestedSolver& solver) const {
    solver.setup(m_exec, m_problem.A, m_problem.near_nullspace, m_problem.block_size);
  }

  /// From zero, for the first `columns` right-hand sides.
  SolveStatus solve(TestedSolver& solver, int columns) {
    std::fill(m_x.begin(), m_x.end(), 0.0);
    const auto n = static_cast<std::size_t>(m_problem.A.num_rows);
    return solver
        .solve(m_exec, ConstVectors(m_b.data(), n, columns), Vectors(m_x.data(), n, columns))
        .status;
  }
  std::vector<double> solution(TestedSolver& solver, int columns) {
    EXPECT_EQ(solve(solver, columns), SolveStatus::converged);
    return m_x;
  }
  void expect_solution(TestedSolver& solver, int columns) {
    EXPECT_EQ(solution(solver, columns), m_expected.at(columns)) << columns << " columns";
  }

  /// For each n that `next_after` takes a solver: `prepare`, then `call` with its n-th allocation
  /// refused, or all from there on, then `recover`.
  template <class Prepare, class Call, class Recover>
  void refuse_each(const char* what, Refused which, const Prepare& prepare, const Call& call,
                   const Recover& recover) {
    long refused = 0, optional = 0, n = 1;
    for (bool is_over = false; !is_over && !HasFailure();) {
      SCOPED_TRACE(std::string(what) + " without allocation " + std::to_string(n));
      const long live = allocations::live();
      {
        TestedSolver solver(m_parameters);
        prepare(solver);
        const Outcome outcome = outcome_of(which, n, [&] { call(solver); });
        is_over = outcome.requests < n;
        optional += outcome.optional;
        refused += outcome.refused;
        EXPECT_EQ(outcome.ran_out, outcome.refused && !outcome.optional) << outcome.message;
        if (outcome.ran_out && which == Refused::one) {
          EXPECT_TRUE(outcome.message.starts_with(what) ||
                      outcome.message.starts_with("setup of level "))
              << outcome.message;
        }
        recover(solver, outcome.ran_out);
      }
      EXPECT_EQ(allocations::live(), live) << "blocks are leaked";
      n = next_after(n, which);
    }
    EXPECT_GT(refused, 10) << what;
    std::cout << what << ": " << refused << " refused, " << optional << " of them optional, of "
              << n << " allocations\n";
  }

  /// Every n up to 50, then, in steps that differ from case to case, a sixth or so; of a sampled
  /// case some 50 up to the last. With TESSERA_TEST_EVERY_ALLOCATION every n up to 2500, which
  /// takes minutes; every seventh beyond, and where all allocations from there on are refused.
  static long next_after(long n, Refused which) {
    static const bool is_every = std::getenv("TESSERA_TEST_EVERY_ALLOCATION") != nullptr;
    if (GetParam().is_sampled && !is_every) return n + 1 + n / (which == Refused::rest ? 3 : 6);
    if (which == Refused::rest || n >= 2500) return n + 7;
    if (is_every || n < 50) return n + 1;
    const std::string_view name = GetParam().name;
    return n + 5 + static_cast<long>((name.size() + static_cast<std::size_t>(n)) % 3);
  }

  void refuse_in_setup(Refused which) {
    refuse_each(
        "setup", which, [](TestedSolver&) {}, [&](TestedSolver& solver) { set_up(solver); },
        [&](TestedSolver& solver, bool ran_out) {
          if (ran_out) {
            EXPECT_EQ(error_of([&] { solve(solver, 1); })->kind(), ErrorKind::precondition);
            set_up(solver);
          }
          expect_solution(solver, 1);
        });
  }

  Space m_exec;
  Problem<double, Space> m_problem;
  SolveParameters m_parameters;
  std::vector<double> m_b, m_x;  ///< of three columns
  std::map<int, std::vector<double>> m_expected;
};

TEST_P(AllocationFaults, InASetup) { refuse_in_setup(Refused::one); }

TEST_P(AllocationFaults, InASetupAndTheRestOfIt) { refuse_in_setup(Refused::rest); }

TEST_P(AllocationFaults, InASolve) {
  refuse_each(
      "solve", Refused::one, [&](TestedSolver& solver) { set_up(solver); },
      [&](TestedSolver& solver) { solve(solver, 3); },
      [&](TestedSolver& solver, bool) { expect_solution(solver, 3); });
}

TEST_P(AllocationFaults, InASolveOfMoreColumns) {
  refuse_each(
      "solve", Refused::one,
      [&](TestedSolver& solver) {
        set_up(solver);
        expect_solution(solver, 1);
      },
      [&](TestedSolver& solver) { solve(solver, 3); },
      [&](TestedSolver& solver, bool) {
        expect_solution(solver, 1);
        expect_solution(solver, 3);
      });
}

TEST_P(AllocationFaults, InAnUpdate) {
  refuse_each(
      "update_values", Refused::one, [&](TestedSolver& solver) { set_up(solver); },
      [&](TestedSolver& solver) { solver.update_values(m_exec); },
      [&](TestedSolver& solver, bool) {
        solver.update_values(m_exec);
        expect_solution(solver, 1);
      });
}

/// A solve that goes on with another choice, which may fail half-way.
class AllocationFaultsOfAFallback : public AllocationFaults {};

TEST_P(AllocationFaultsOfAFallback, InASolve) {
  bool has_lost_solver = false;
  refuse_each(
      "solve", Refused::one, [&](TestedSolver& solver) { set_up(solver); },
      [&](TestedSolver& solver) { solve(solver, 1); },
      [&](TestedSolver& solver, bool) {
        if (const auto error = error_of([&] { solve(solver, 1); })) {
          EXPECT_EQ(error->kind(), ErrorKind::precondition) << error->what();
          has_lost_solver = true;
          solver.update_values(m_exec);
        }
        EXPECT_EQ(solve(solver, 1), SolveStatus::converged);
      });
  EXPECT_TRUE(has_lost_solver);
}

INSTANTIATE_TEST_SUITE_P(Systems, AllocationFaultsOfAFallback,
                         ::testing::Values(FaultCase{
                             "GmresAfterABreakdown",
                             {.problem = ProblemKind::poisson2d, .n = 8},
                             [](SolveParameters& p) { p.solver.tolerance = 1e-3; },
                             0.6}),
                         [](const auto& c) { return std::string(c.param.name); });

FaultCase of(
    const char* name, ProblemKind problem, int n,
    std::function<void(SolveParameters&)> choose = [](SolveParameters&) {}) {
  return {name, {.problem = problem, .n = n}, std::move(choose)};
}

INSTANTIATE_TEST_SUITE_P(
    Systems, AllocationFaults,
    ::testing::Values(
        of("PlainLevels", ProblemKind::poisson2d, 14,
           [](SolveParameters& p) { p.precision = Precision::same; }),
        of("MixedPrecision", ProblemKind::poisson2d, 14,
           [](SolveParameters& p) {
             p.precision = Precision::single;
             p.amg.cycle = amg::CycleType::k;
           }),
        of("ElasticityForNewValues", ProblemKind::elasticity2d, 10,
           [](SolveParameters& p) {
             p.amg.reuse = amg::Reuse::symbolic;
             p.amg.smoother.type = SmootherType::chebyshev;
           }),
        of("TilesForNewValues", ProblemKind::elasticity3d, 4,
           [](SolveParameters& p) {
             p.amg.reuse = amg::Reuse::symbolic;
             p.amg.storage.format = StorageFormat::mbsr;
           }),
        of("NonsymmetricByGmres", ProblemKind::convdiff2d, 14,
           [](SolveParameters& p) {
             p.solver.name = SolverName::gmres;
             p.amg.smoother.type = SmootherType::ilu;
           }),
        of("NonsymmetricByBicgstab", ProblemKind::convdiff2d, 14,
           [](SolveParameters& p) {
             p.preconditioner = PreconditionerKind::ilu;
             p.solver.name = SolverName::bicgstab;
           }),
        FaultCase{"ByUnknownInPowersOfTwo",
                  {.problem = ProblemKind::elasticity2d, .n = 8, .numbering = Numbering::unknowns},
                  [](SolveParameters& p) {
                    p.precision = Precision::single;
                    p.equilibration = Equilibration::powers_of_two;
                  }},
        of("NonsymmetricToAUnitDiagonal", ProblemKind::convdiff2d, 14,
           [](SolveParameters& p) { p.equilibration = Equilibration::unit_diagonal; }),
        of("SingularInPairs", ProblemKind::neumann2d, 10,
           [](SolveParameters& p) { p.amg.coarsening = amg::CoarseningKind::pairwise; }),
        of("InCoarseAndFinePoints", ProblemKind::poisson2d, 16,
           [](SolveParameters& p) {
             p.amg.coarsening = amg::CoarseningKind::classical;
             p.amg.coarse_size = 30;
           }),
        of("Direct", ProblemKind::poisson2d, 16,
           [](SolveParameters& p) { p.preconditioner = PreconditionerKind::direct; }),
        of("DirectNonsymmetric", ProblemKind::convdiff2d, 12,
           [](SolveParameters& p) { p.preconditioner = PreconditionerKind::direct; }),
        of("ByItself", ProblemKind::poisson2d, 14,
           [](SolveParameters& p) { p.preconditioner = PreconditionerKind::automatic; })),
    [](const auto& c) { return std::string(c.param.name); });

FaultCase sampled(const char* name, ProblemKind problem, int n,
                  std::function<void(SolveParameters&)> choose) {
  return {name, {.problem = problem, .n = n}, std::move(choose), 0, true};
}

/// In coarse and fine points, as no system above has them, relaxed as none is.
FaultCase by_points(const char* name, ProblemKind problem,
                    std::function<void(amg::ClassicalParameters&, SmootherParameters&)> choose) {
  return sampled(name, problem, problem == ProblemKind::elasticity2d ? 10 : 16,
                 [choose = std::move(choose)](SolveParameters& p) {
                   p.amg.coarsening = amg::CoarseningKind::classical;
                   p.amg.coarse_size = 30;
                   choose(p.amg.classical, p.amg.smoother);
                 });
}

INSTANTIATE_TEST_SUITE_P(
    SystemsOfPoints, AllocationFaults,
    ::testing::Values(sampled("ByReduction", ProblemKind::convdiff2d, 14,
                              [](SolveParameters& p) {
                                p.amg.coarsening = amg::CoarseningKind::reduction;
                              }),
                      by_points("FrontsRelaxedApart", ProblemKind::poisson2d,
                                [](amg::ClassicalParameters& p, SmootherParameters& smoother) {
                                  p.splitting = amg::PointSplitting::advancing_front;
                                  smoother.type = SmootherType::l1_jacobi;
                                  smoother.points = RelaxationPoints::cf;
                                }),
                      by_points("AggressiveInTwoStages", ProblemKind::poisson2d,
                                [](amg::ClassicalParameters& p, SmootherParameters& smoother) {
                                  p.aggressive_levels = 1;
                                  smoother.type = SmootherType::fsai;
                                }),
                      by_points("AggressiveInPasses", ProblemKind::poisson2d,
                                [](amg::ClassicalParameters& p, SmootherParameters& smoother) {
                                  p.aggressive_levels = 1;
                                  p.aggressive_interpolation =
                                      amg::AggressiveInterpolation::multipass;
                                  smoother.type = SmootherType::two_stage_gauss_seidel;
                                }),
                      by_points("NodesByGaussSeidel", ProblemKind::elasticity2d,
                                [](amg::ClassicalParameters& p, SmootherParameters& smoother) {
                                  p.systems = amg::SystemSplitting::nodes;
                                  smoother.type = SmootherType::gauss_seidel;
                                })),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace tessera::test::allocation_faults_test
