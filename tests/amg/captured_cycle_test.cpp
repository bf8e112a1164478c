// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Cycles that are replayed as a graph: the same bits, and nothing in a cycle that cannot be
/// recorded.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/smoother/smoother_needs.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/make_solver.hpp"

#include <limits>
#include <vector>

namespace tessera::test::captured_cycle_test {

template <class Param>
class CapturedCycleTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  static constexpr bool replays = kernels::has_launch_graphs<Space>;
  Space exec;

  template <class Number = Scalar>
  Problem<Number, Space> problem(ProblemKind kind, int n) {
    return make_problem<Number, Space>(exec, {.problem = kind, .n = n});
  }

  template <class Number = Scalar>
  std::shared_ptr<amg::Multigrid<Number, Space>> grid(const kernels::Csr<Number, Space>& A,
                                                      const amg::Parameters& parameters = {},
                                                      int block_size = 1) {
    auto result = std::make_shared<amg::Multigrid<Number, Space>>(parameters);
    result->setup(exec, A, {}, block_size);
    return result;
  }

  /// Two cycles of these parameters, of which one is captured.
  void expect_cycle_replayed(const kernels::Csr<Scalar, Space>& A,
                             const amg::Parameters& parameters, int k = 1) {
    const auto plain = grid(A, parameters);
    expect_replayed<Scalar>(grid(A, parameters), *plain, A.num_rows, k);
  }

  /// `M`, captured, gives the bits of `plain` at each application, and is replayed.
  template <class Number>
  void expect_replayed(std::shared_ptr<Preconditioner<Number, Space>> M,
                       Preconditioner<Number, Space>& plain, std::size_t n, int k = 1) {
    CapturedPreconditioner<Number, Space> captured(std::move(M));
    const auto r = allocate_multivector<Number>(exec, "tessera::test::r", n, k);
    const auto z = allocate_multivector<Number>(exec, "tessera::test::z", n, k);
    const auto expected = allocate_multivector<Number>(exec, "tessera::test::expected", n, k);
    for (int i = 0; i < 4; ++i) {
      Kokkos::deep_copy(exec, r, to_multivector(exec, random_vector<Number>(n * k, 30 + i), n, k));
      Kokkos::deep_copy(exec, z, std::numeric_limits<Number>::quiet_NaN());
      captured.apply(exec, r, z);
      plain.apply(exec, r, expected);
      EXPECT_EQ(to_host(z), to_host(expected)) << i;
    }
    EXPECT_EQ(captured.failure(), "");
    EXPECT_EQ(captured.num_captures(), replays ? 1U : 0U);
    EXPECT_EQ(captured.num_launches(), replays ? 3U : 0U);
  }
};
TYPED_TEST_SUITE(CapturedCycleTest, Scalars, TypeNames);

TYPED_TEST(CapturedCycleTest, ACycleOfAnyKindIsReplayed) {
  const auto p = this->problem(ProblemKind::poisson3d, 14);
  for (const auto cycle : {amg::CycleType::v, amg::CycleType::w}) {
    for (const auto& smoother : smoother_type_names) {
      const SmootherType type = smoother.value;
      if (type == SmootherType::automatic || type == SmootherType::ilu) continue;
      for (const int k : {1, 3}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(cycle)) + " " + std::string(smoother.name) +
                     " " + std::to_string(k));
        amg::Parameters parameters;
        parameters.cycle = cycle;
        parameters.coarse_size = 20;  // three levels, of which a W-cycle visits one twice
        parameters.smoother.type = type;
        parameters.smoother.sweeps = 2;
        this->expect_cycle_replayed(p.A, parameters, k);
      }
    }
  }
}

/// Fine and coarse points apart, and the polynomial of a reduction, which restricts before it
/// relaxes.
TYPED_TEST(CapturedCycleTest, ACycleOfPointsIsReplayed) {
  const auto p = this->problem(ProblemKind::poisson3d, 10);
  amg::Parameters parameters;
  parameters.coarse_size = 20;
  for (const int k : {1, 3}) {
    parameters.coarsening = amg::CoarseningKind::classical;
    for (const SmootherType type :
         {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
      SCOPED_TRACE(std::string(smoother_name(type)) + " " + std::to_string(k));
      parameters.smoother.type = type;
      parameters.smoother.points = RelaxationPoints::cf;
      this->expect_cycle_replayed(p.A, parameters, k);
    }
    SCOPED_TRACE("reduction " + std::to_string(k));
    parameters.coarsening = amg::CoarseningKind::reduction;
    parameters.smoother = {};
    for (const bool relax_coarse : {false, true}) {
      parameters.reduction.relax_coarse = relax_coarse;
      this->expect_cycle_replayed(p.A, parameters, k);
    }
  }
}

TYPED_TEST(CapturedCycleTest, ACycleWithARelaxedCoarsestLevelIsReplayed) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  amg::Parameters parameters;
  parameters.max_levels = 2;
  parameters.max_dense_size = 10;
  this->expect_cycle_replayed(p.A, parameters);
}

TYPED_TEST(CapturedCycleTest, ACycleInFloatUnderDoubleIsReplayed) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->template problem<double>(ProblemKind::poisson3d, 16);
  const auto A = kernels::convert_values<float>(this->exec, p.A);
  using Mixed = amg::MixedPrecisionPreconditioner<Space>;
  const auto M = std::make_shared<Mixed>(this->template grid<float>(A), A.num_rows);
  Mixed plain(this->template grid<float>(A), A.num_rows);
  this->template expect_replayed<double>(M, plain, p.A.num_rows, 2);
}

TYPED_TEST(CapturedCycleTest, AnIterationWithItsCycleIsReplayed) {
  TESSERA_TEST_TYPES(TypeParam);
  constexpr bool replays = TestFixture::replays;
  const auto p = this->template problem<double>(ProblemKind::poisson3d, 16);
  const CrsMatrix<double, Space> A(this->exec, p.A);
  const auto n = static_cast<std::size_t>(p.A.num_rows);
  struct Method {
    SolverName name;
    std::size_t recordings;  ///< 0: one for each iteration of a cycle
    PreconditioningSide side = PreconditioningSide::right;
  };
  for (const auto& [name, recordings, side] :
       {Method{SolverName::cg, 1}, Method{SolverName::bicgstab, 1},
        Method{SolverName::richardson, 2}, Method{SolverName::gmres, 0},
        Method{SolverName::gmres, 0, PreconditioningSide::left}, Method{SolverName::fgmres, 0}}) {
    // The third of GMRES's records what the second has run on its stream.
    const int solves = recordings > 0 ? 2 : 4;
    for (const bool in_float : {false, true}) {
      for (const int k : {1, 3}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(name)) + (in_float ? ", float" : "") + ", k " +
                     std::to_string(k));
        std::shared_ptr<Preconditioner<double, Space>> M;
        if (in_float) {
          M = std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(
              this->template grid<float>(kernels::convert_values<float>(this->exec, p.A)),
              p.A.num_rows);
        } else {
          M = this->template grid<double>(p.A);
        }
        CapturedPreconditioner<double, Space> captured(M, 100000);
        const auto b = to_multivector(this->exec, random_vector<double>(n * k, 7), n, k);
        const auto x = allocate_multivector<double>(this->exec, "tessera::test::x", n, k);
        std::vector<std::vector<double>> solutions;
        std::vector<std::vector<double>> histories;
        for (const bool recorded : {false, true}) {
          SolverParameters parameters{
              .name = name, .tolerance = 1e-11, .cg = {.flexible = in_float}};
          parameters.ahead = recorded ? RunAhead::automatic : RunAhead::off;
          parameters.side = side;
          const auto solver = make_solver<double, Space>(parameters);
          std::shared_ptr<IterationRunner<Space>> runner;
          if (recorded) runner = make_recording_runner<Space>(2);
          solver->set_runner(runner);
          EXPECT_EQ(runner != nullptr, recorded && replays);
          for (int solve = 0; solve < solves; ++solve) {
            Kokkos::deep_copy(this->exec, x, 0.0);
            const auto result = solver->solve(this->exec, A, &captured, b, x);
            EXPECT_TRUE(result.converged());
            solutions.push_back(to_host(x));
            histories.push_back(result.residual_history);
          }
          if (runner != nullptr) {
            EXPECT_EQ(runner->failure(), "");
            const std::size_t most = histories.back().size();  // with one too many
            EXPECT_GE(runner->num_captures(), recordings > 0 ? recordings : 5U);
            EXPECT_LE(runner->num_captures(), recordings > 0 ? recordings : most);
            EXPECT_GT(runner->num_launches(), 5U);
          }
          captured.forget();
        }
        for (std::size_t i = 1; i < solutions.size(); ++i) {
          EXPECT_EQ(solutions[i], solutions[0]) << i;
          EXPECT_EQ(histories[i], histories[0]) << i;
        }
      }
    }
  }
}

TYPED_TEST(CapturedCycleTest, ACycleThatChangesPrecisionIsReplayed) {
  const auto p = this->problem(ProblemKind::poisson3d, 14);
  for (const auto cycle : {amg::CycleType::v, amg::CycleType::w, amg::CycleType::k}) {
    for (const std::size_t boundary : {0, 1, 2}) {
      amg::Parameters parameters;
      parameters.cycle = cycle;
      parameters.coarse_size = 20;
      parameters.levels.assign(boundary + 1, amg::uniform_choice(parameters));
      parameters.levels[boundary].vectors = amg::VectorScalar::float32;
      this->expect_cycle_replayed(p.A, parameters, 2);
    }
  }
}

TYPED_TEST(CapturedCycleTest, SolvesAreTheSameWithAndWithoutGraphs) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto kind : {ProblemKind::poisson3d, ProblemKind::convdiff2d, ProblemKind::neumann2d,
                          ProblemKind::elasticity2d}) {
    const auto p = this->problem(kind, kind == ProblemKind::poisson3d ? 12 : 24);
    for (const auto name : {SolverName::automatic, SolverName::bicgstab, SolverName::gmres,
                            SolverName::fgmres, SolverName::richardson}) {
      std::vector<std::vector<Scalar>> solutions;
      std::vector<int> iterations;
      for (const bool graph : {false, true}) {
        SolveParameters parameters;
        parameters.graph = graph;
        parameters.preconditioner = PreconditionerKind::amg;
        parameters.solver.name = name;
        parameters.solver.tolerance = std::is_same_v<Scalar, float> ? 1e-4 : 1e-8;
        parameters.solver.max_iterations = 60;
        parameters.solver.gmres.restart = 8;
        parameters.amg.coarse_size = 20;
        auto solver = set_up(this->exec, p, parameters);
        const auto x = allocate_multivector<Scalar>(this->exec, "tessera::test", p.A.num_rows, 1);
        int count = 0;
        // The second solve finds recordings of the first.
        for (int solve = 0; solve < 2; ++solve) {
          Kokkos::deep_copy(this->exec, x, Scalar(0));
          count += solver.solve(this->exec, p.b, x).iterations;
        }
        solutions.push_back(to_host(x));
        iterations.push_back(count);
      }
      EXPECT_EQ(iterations[1], iterations[0]);
      EXPECT_EQ(solutions[1], solutions[0]);
    }
  }
}

}  // namespace tessera::test::captured_cycle_test
