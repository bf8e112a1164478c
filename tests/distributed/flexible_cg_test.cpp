// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Flexible CG over processes around a preconditioner that is another one in each application.
#include "distributed/in_order.hpp"
#include "distributed/krylov_variants.hpp"

#include "tessera/distributed/distributed_operator.hpp"
#include "tessera/distributed/krylov.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solver/make_solver.hpp"

#include <memory>

namespace tessera::test::flexible_cg_test {

using namespace krylov_variants;

/// A diagonal that is another one in each application.
class Fickle : public Preconditioner<double, Space> {
 public:
  Fickle(const WholeRows& whole, const RowRange& range) : m_whole(whole), m_range(range) {}
  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    std::vector<double> d;
    for (std::int64_t i = m_range.first; i < m_range.first + m_range.count; ++i)
      d.push_back((1 + 0.3 * std::sin(static_cast<double>(i) + 5.0 * m_calls)) /
                  m_whole.rows[static_cast<std::size_t>(i)].at(i));
    ++m_calls;
    const auto on_space = on_device(d);
    kernels::multiply<double, Space>(exec, 1, on_space, r, z);
    exec.fence("tessera::test::Fickle");
  }

 private:
  const WholeRows& m_whole;
  RowRange m_range;
  int m_calls = 0;
};

SolverParameters conjugate_gradients(bool flexible, ResidualKind residual) {
  return {.name = SolverName::cg,
          .tolerance = 1e-8,
          .residual = residual,
          .cg = {.flexible = flexible}};
}

SolveResult solved_around(const Communicator& processes, const WholeRows& whole,
                          const SolverParameters& p, const Logger& logger = {}) {
  const Space exec;
  const RowRange range =
      odd_share(static_cast<int>(whole.rows.size()), processes->size(), processes->rank());
  const Share rows(whole.share(range));
  const auto A = distributed::numbered(exec, processes, rows.rows()).matrix;
  const auto op = distributed::make_operator<double>(exec, A, StorageParameters{});
  Fickle M(whole, range);
  distributed::System<Space> system;
  system.processes = processes;
  system.A = op.get();
  system.M = [&M](const Space& instance, const auto& r, const auto& z) { M.apply(instance, r, z); };
  const Vectors x = zeros(range.count, 3);
  const auto method = distributed::make_krylov<Space>(p);
  method->set_logger(logger);
  return method->solve(exec, system, right_hand_sides(range, 3), x);
}

SolveResult solved_by_one_around(const WholeRows& whole, const SolverParameters& p) {
  const Space exec;
  const RowRange range{0, static_cast<int>(whole.rows.size())};
  const Share rows(whole.share(range));
  const auto A = distributed::numbered(exec, distributed::alone(), rows.rows()).matrix;
  const CrsMatrix<double, Space, std::int64_t> op(exec, A.rows);
  Fickle M(whole, range);
  const Vectors x = zeros(range.count, 3);
  return make_solver<double, Space>(p)->solve(exec, op, &M, right_hand_sides(range, 3), x);
}

TEST(DistributedFlexibleCg, ToleratesAChangingPreconditioner) {
  const WholeRows whole = rows_of({.problem = ProblemKind::poisson2d, .n = 24});
  for (const auto residual : {ResidualKind::recurrence, ResidualKind::true_residual}) {
    const SolverParameters p = conjugate_gradients(true, residual);
    const SolveResult by_one = solved_by_one_around(whole, p);
    const SolveResult alone = solved_around(distributed::alone(), whole, p);
    const SolveResult together = solved_around(all_processes(), whole, p);
    ASSERT_TRUE(by_one.converged()) << to_string(by_one.status);
    ASSERT_TRUE(together.converged()) << to_string(together.status);
    EXPECT_EQ(together.iterations, alone.iterations);
    EXPECT_NEAR(together.iterations, by_one.iterations, 1);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(together.residual_history[i], by_one.residual_history[i],
                  1e-8 * by_one.residual_history[i])
          << i;
    const SolveResult plain =
        solved_around(all_processes(), whole, conjugate_gradients(false, residual));
    EXPECT_EQ(to_string(plain.status), "breakdown");
  }
}

class DistributedFlexibleCgInOrder : public InOrderTest {};

/// By sums that stay on the device, behind which come what processes wish.
TEST_F(DistributedFlexibleCgInOrder, IsThatOfTheHost) {
  const WholeRows whole = rows_of({.problem = ProblemKind::poisson2d, .n = 24});
  const SolverParameters p = conjugate_gradients(true, ResidualKind::recurrence);
  const SolveResult by_host = solved_around(all_processes(), whole, p);
  const SolveResult in_order = solved_around(processes, whole, p);
  EXPECT_EQ(to_string(in_order.status), "converged");
  EXPECT_NEAR(in_order.iterations, by_host.iterations, 1);
  const bool is_last = process() == num_processes() - 1;
  const SolveResult stopped = solved_around(
      processes, whole, p,
      [is_last](const IterationInfo& info) { return !is_last || info.iteration < 2; });
  EXPECT_EQ(to_string(stopped.status), "interrupted");
  EXPECT_EQ(stopped.iterations, 3);
}

}  // namespace tessera::test::flexible_cg_test
