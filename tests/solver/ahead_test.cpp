// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations that are queued before the host knows how the last one went give the bits of those
/// that are not.
#include "same_solves.hpp"

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/converting_preconditioner.hpp"
#include "tessera/solver/detail/iteration_queue.hpp"
#include "tessera/solver/iteration_control.hpp"

#include <stdexcept>

namespace tessera::test::ahead_test {

TESSERA_TEST_SUITE(Ahead, Scalars, TypeNames);

template <class Scalar>
std::vector<HostMatrix<Scalar>> matrices() {
  return {poisson<Scalar>(17, 13), random_spd_matrix<Scalar>(200, 0.05, 1), hilbert<Scalar>(30),
          nonsymmetric_matrix<Scalar>(50, 5)};
}

/// One, or three that end at other iterations, one of them at the start.
template <class Scalar>
std::vector<Scalar> right_hand_sides(const HostMatrix<Scalar>& A, int k) {
  auto b = random_vector<Scalar>(A.num_rows * k, 6);
  if (k == 3) {
    std::fill(b.begin(), b.begin() + A.num_rows, Scalar(0));
    std::fill(b.end() - A.num_rows + 1, b.end(), Scalar(0));
  }
  return b;
}

TESSERA_TYPED_TEST(Ahead, SolvesAreTheSameToTheBit) {
  int number = 0;
  for (const auto& A : matrices<Scalar>()) {
    ++number;
    for (const int k : {1, 3}) {
      const auto b = right_hand_sides(A, k);
      for (const With with : {With::nothing, With::jacobi}) {
        for (const bool flexible : {false, true}) {
          for (const int limit : {2, 9, 300}) {
            for (const auto residual : {ResidualKind::recurrence, ResidualKind::true_residual}) {
              SCOPED_TRACE(std::to_string(number) + ", k " + std::to_string(k) + ", limit " +
                           std::to_string(limit) + (flexible ? ", flexible" : ""));
              SolverParameters p{.name = SolverName::cg,
                                 .tolerance = reachable_tolerance<Scalar>,
                                 .max_iterations = limit,
                                 .residual = residual,
                                 .divergence_limit = 10,
                                 .ahead = RunAhead::off,
                                 .cg = {.flexible = flexible}};
              const auto expected = solve<Space>(p, A, b, k, with);
              p.ahead = RunAhead::on;
              expect_same(solve<Space>(p, A, b, k, with), expected);
            }
          }
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(Ahead, SolvesOfGmresAreTheSameToTheBit) {
  int number = 0;
  for (const auto& A : matrices<Scalar>()) {
    ++number;
    for (const int k : {1, 3}) {
      const auto b = right_hand_sides(A, k);
      for (const auto name : {SolverName::gmres, SolverName::fgmres}) {
        for (const auto side : {PreconditioningSide::right, PreconditioningSide::left}) {
          if (name == SolverName::fgmres && side == PreconditioningSide::left) continue;
          // Cycles that end full, by the limit, and by the tolerance.
          for (const auto& [restart, limit] :
               std::vector<std::pair<int, int>>{{1, 5}, {7, 9}, {7, 300}, {60, 300}}) {
            SCOPED_TRACE(std::to_string(number) + ", k " + std::to_string(k) + ", restart " +
                         std::to_string(restart) + ", limit " + std::to_string(limit));
            SolverParameters p{.name = name,
                               .tolerance = reachable_tolerance<Scalar>,
                               .max_iterations = limit,
                               .divergence_limit = 10,
                               .side = side,
                               .ahead = RunAhead::off,
                               .gmres = {.restart = restart}};
            const auto expected = solve<Space>(p, A, b, k, With::jacobi);
            p.ahead = RunAhead::on;
            expect_same(solve<Space>(p, A, b, k, With::jacobi), expected);
          }
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(Ahead, ALoggerThatStopsGetsTheIterateItSaw) {
  for (const auto& A : {poisson<Scalar>(17, 13), hilbert<Scalar>(30)}) {
    const auto b = random_vector<Scalar>(A.num_rows, 6);
    for (int last = 1; last < 8; ++last) {
      const auto stop = [last](const IterationInfo& now) { return now.iteration < last; };
      SolverParameters p{.name = SolverName::cg, .tolerance = 1e-15, .max_iterations = last};
      const auto expected = solve<Space>(p, A, b, 1, With::jacobi);
      p.max_iterations = 100;
      for (const auto ahead : {RunAhead::off, RunAhead::on}) {
        p.ahead = ahead;
        const auto stopped = solve<Space>(p, A, b, 1, With::jacobi, {}, stop);
        EXPECT_EQ(stopped.x, expected.x) << last;
        EXPECT_EQ(stopped.result.iterations, last);
        EXPECT_EQ(stopped.result.residual_history, expected.result.residual_history);
      }
    }
  }
}

TESSERA_TYPED_TEST(Ahead, AfterALoggerThatThrowsTheSolverWorks) {
  const auto A = poisson<Scalar>(17, 13);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(A.num_rows, 6), A.num_rows, 1);
  const auto solver = make_solver<Scalar, Space>(
      {.name = SolverName::cg, .tolerance = reachable_tolerance<Scalar>, .ahead = RunAhead::on});
  const auto zero = std::vector<Scalar>(A.num_rows, Scalar(0));
  const auto x = to_multivector(exec, zero, A.num_rows, 1);
  solver->solve(exec, op, nullptr, b, x);
  const auto expected = to_host(x);
  Kokkos::deep_copy(exec, x, Scalar(0));
  solver->set_logger([](const IterationInfo& now) -> bool {
    if (now.iteration == 3) throw std::logic_error("enough");
    return true;
  });
  EXPECT_THROW(solver->solve(exec, op, nullptr, b, x), std::logic_error);
  solver->set_logger({});
  Kokkos::deep_copy(exec, x, Scalar(0));
  EXPECT_TRUE(solver->solve(exec, op, nullptr, b, x).converged());
  EXPECT_EQ(to_host(x), expected);
}

/// One iteration of CG, or one vector of GMRES's basis.
TESSERA_TYPED_TEST(Ahead, OneOfThemTooManyAtMost) {
  const auto A = poisson<Scalar>(30, 30);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(900, 6), 900, 1);
  const auto x = to_multivector(exec, std::vector<Scalar>(900, Scalar(0)), 900, 1);
  CountingJacobi<Scalar, Space> M(exec, op.view());
  for (const SolverName name : {SolverName::cg, SolverName::fgmres}) {
    for (const auto ahead : {RunAhead::off, RunAhead::on}) {
      SCOPED_TRACE(name_of(name));
      SolverParameters p{
          .name = name, .tolerance = 1e-4, .ahead = ahead, .gmres = {.restart = 200}};
      const int ahead_by = ahead == RunAhead::on ? 1 : 0;
      M.calls = 0;
      Kokkos::deep_copy(exec, x, Scalar(0));
      const auto solver = make_solver<Scalar, Space>(p);
      int most = 0;
      solver->set_logger([&](const IterationInfo& now) -> bool {
        most = std::max(most, M.calls - now.iteration);
        return true;
      });
      const auto result = solver->solve(exec, op, &M, b, x);
      EXPECT_TRUE(result.converged());
      EXPECT_LE(M.calls, result.iterations + ahead_by);
      if (name == SolverName::fgmres) {
        EXPECT_EQ(most, ahead_by) << "vectors made when a residual is read";
      }
      // The limits are known: nothing is queued beyond them or beyond the basis.
      M.calls = 0;
      p.max_iterations = 9;
      p.gmres.restart = 3;
      p.tolerance = 1e-30;
      Kokkos::deep_copy(exec, x, Scalar(0));
      EXPECT_EQ((make_solver<Scalar, Space>(p)->solve(exec, op, &M, b, x)).iterations, 9);
      EXPECT_EQ(M.calls, 9);
    }
  }
}

TEST(IterationControl, PredictsTheEnd) {
  const std::vector<double> one{1};
  const std::vector<int> no_event{0};
  detail::IterationControl control;
  control.start({.tolerance = 1e-4, .max_iterations = 10}, {}, 1, nullptr);
  ASSERT_EQ(control.begin(one, one, one), detail::Step::proceed);
  control.begin_cycle(one, 1e-16);
  EXPECT_TRUE(control.predicts_end()) << "nothing is known yet";
  control.advance(std::vector<double>{1e-2}, no_event, 0);
  EXPECT_FALSE(control.predicts_end()) << "1e-4 comes next, the target is 1e-8";
  EXPECT_EQ(control.iterations_left(), 9);
  control.advance(std::vector<double>{1e-5}, no_event, 0);
  EXPECT_TRUE(control.predicts_end()) << "1e-8 comes next";
  control.advance(std::vector<double>{1e-7}, no_event, 0);
  control.advance(std::vector<double>{0.9e-7}, no_event, 0);
  EXPECT_TRUE(control.predicts_end()) << "three times the gain would do";
  control.advance(std::vector<double>{1e-3}, no_event, 0);
  EXPECT_FALSE(control.predicts_end()) << "the residual has grown";
}

/// Which iterations were queued and read, and when.
std::string order_of(int iterations, const std::function<bool(int)>& ahead_after, bool* one_more) {
  const HostSpace exec;
  std::string order;
  int reads = 0;
  detail::IterationQueue<HostSpace> queue;
  *one_more = queue.run(
      exec, [&](int i) { order += "q" + std::to_string(i) + " "; },
      [&] { return ahead_after(reads); },
      [&](int place) {
        EXPECT_EQ(place, reads % 2);
        order += "r" + std::to_string(reads) + " ";
        return ++reads < iterations;
      });
  return order;
}

TEST(IterationQueue, IsAtMostOneIterationAhead) {
  bool one_more = true;
  EXPECT_EQ(order_of(3, [](int) { return false; }, &one_more), "q0 r0 q1 r1 q2 r2 ");
  EXPECT_FALSE(one_more);
  EXPECT_EQ(order_of(3, [](int) { return true; }, &one_more), "q0 q1 r0 q2 r1 q3 r2 ");
  EXPECT_TRUE(one_more);
  EXPECT_EQ(order_of(
                4, [](int reads) { return reads == 1 || reads == 2; }, &one_more),
            "q0 r0 q1 q2 r1 q3 r2 r3 ");
  EXPECT_FALSE(one_more);
}

/// Jacobi in float for vectors in double, which tells so or not.
template <class Space>
class JacobiInFloat : public ConvertingPreconditioner<Space> {
 public:
  using typename Preconditioner<double, Space>::ConstVectors;
  using typename Preconditioner<double, Space>::Vectors;
  JacobiInFloat(const Space& exec, const HostMatrix<float>& A, bool tells)
      : m_op(exec, A), m_inner(exec, m_op.view()), m_tells(tells) {}
  void prepare(const Space& exec, int k) override { m_inner.prepare(exec, k); }
  Preconditioner<float, Space>* in_float() override { return m_tells ? &m_inner : nullptr; }
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    ++calls;
    const auto rf = allocate_multivector<float>(exec, "tessera::test", r.extent(0), r.extent(1));
    const auto zf = allocate_multivector<float>(exec, "tessera::test", r.extent(0), r.extent(1));
    kernels::copy<double, float, Space>(exec, r, rf);
    m_inner.apply(exec, rf, zf);
    kernels::copy<float, double, Space>(exec, zf, z);
    exec.fence("tessera::test: converted");
  }
  int calls = 0;

 private:
  TestOperator<float, Space> m_op;
  JacobiPreconditioner<float, Space> m_inner;
  bool m_tells;
};

TESSERA_TYPED_TEST(Ahead, APreconditionerInFloatIsGivenFloatsAndTheBitsAreTheSame) {
  const auto A = poisson<double>(30, 20);
  const TestOperator<double, Space> op(exec, A);
  for (const int k : {1, 3}) {
    const auto b = to_multivector(exec, random_vector<double>(600 * k, 6), 600, k);
    for (const bool flexible : {false, true}) {
      for (const auto residual : {ResidualKind::recurrence, ResidualKind::true_residual}) {
        std::vector<Solved<double>> solved;
        for (const bool tells : {false, true}) {
          const auto zero = std::vector<double>(600 * k, 0);
          const auto x = to_multivector(exec, zero, 600, k);
          JacobiInFloat<Space> M(exec, poisson<float>(30, 20), tells);
          const auto solver = make_solver<double, Space>({.name = SolverName::cg,
                                                          .tolerance = 1e-10,
                                                          .residual = residual,
                                                          .cg = {.flexible = flexible}});
          const auto result = solver->solve(exec, op, &M, b, x);
          EXPECT_TRUE(result.converged());
          solved.push_back({result, to_host(x)});
          EXPECT_EQ(M.calls == 0, tells && residual == ResidualKind::recurrence);
        }
        expect_same(solved[1], solved[0]);
      }
    }
  }
}

}  // namespace tessera::test::ahead_test
