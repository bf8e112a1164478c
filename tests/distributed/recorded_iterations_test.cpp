// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations over several processes that are replayed from a recording give the bits of those that
/// are launched: by graphs of the device where each process has a GPU for itself, on hosts by work
/// that is kept.
#include "distributed/in_order.hpp"
#include "distributed/shares.hpp"
#include "support/kept_work.hpp"

#include "tessera/distributed/agreed_recorder.hpp"
#include "tessera/distributed/krylov.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/multigrid.hpp"
#include "tessera/distributed/vector_projector.hpp"

#include <functional>
#include <string>
#include <utility>

namespace tessera::test::recorded_iterations_test {

using distributed::Communicator;
using distributed::IterationRecorder;
using distributed::Krylov;
using distributed::Multigrid;
using Recorder = std::shared_ptr<IterationRecorder<Space>>;
constexpr int runs_before = 4;

template <class Any>
Recorder recorder_on(const std::shared_ptr<const Communicator>& processes) {
  if constexpr (kernels::is_host_space<Any>)
    return std::make_shared<distributed::AgreedRecorder<Any, KeptWork<Any>>>(processes,
                                                                             runs_before);
  else
    return distributed::make_iteration_recorder<Any>(processes, runs_before);
}

class DistributedRecording : public InOrderTest {
 protected:
  void TearDown() override { KeptWork<Space>::refuses = false; }
};

/// A problem, multigrid for it, and two methods: one whose iterations are recorded, and one whose
/// are not.
struct Pair {
  std::shared_ptr<const Communicator> processes;
  Space exec;
  SharedProblem problem;
  Share share;
  distributed::Numbered<Space> A;
  distributed::MultigridParameters given;
  std::unique_ptr<Multigrid<Space>> multigrid;
  std::shared_ptr<const SparseOperator<double, Space>> op;
  std::unique_ptr<Krylov<Space>> plain, recorded;
  Recorder recorder;
  std::uint64_t revision = 0;
  std::unique_ptr<distributed::VectorProjector<Space>> constant;  ///< of a singular problem

  Pair(std::shared_ptr<const Communicator> all, const GalleryParameters& gallery,
       SolverParameters p = {}, int rows_per_process = 1)
      : processes(std::move(all)),
        problem(gallery),
        share(problem.host),
        A(distributed::numbered(exec, processes, share.rows())),
        recorder(recorder_on<Space>(processes)) {
    if (gallery.problem == ProblemKind::neumann2d)
      constant = distributed::VectorProjector<Space>::constant(exec, processes, problem.num_rows());
    given.gather_rows = 60;
    given.rows_per_process = rows_per_process;
    given.block_size = problem.own.block_size;
    given.solve.precision = Precision::same;
    given.solve.amg.reuse = amg::Reuse::symbolic;
    p.name = SolverName::cg;
    plain = distributed::make_krylov<Space>(p);
    recorded = distributed::make_krylov<Space>(p);
    recorded->set_recorder(recorder);
    multigrid = std::make_unique<Multigrid<Space>>(exec, given, A.matrix, problem.near_nullspace());
    take_operator(A.matrix);
  }

  void take_operator(const distributed::Matrix<Space>& matrix) {
    op = distributed::make_operator<double>(exec, matrix, StorageParameters{});
    ++revision;
  }
  void update(double factor) {
    auto values = problem.host.values;
    for (double& value : values)
      value *= factor;
    const auto next = distributed::with_values(exec, A, on_device(values));
    multigrid->update(exec, next);
    take_operator(next);
  }
  SolveResult solve(Krylov<Space>& method, const Vectors& b, const Vectors& x) {
    distributed::System<Space> system;
    system.processes = processes;
    system.A = op.get();
    system.revision = &revision;
    system.nullspace = system.left_nullspace = constant.get();
    system.M = [this](const Space& instance, const auto& r, const auto& z) {
      if (r.extent(1) != applied_columns) ++revision;
      applied_columns = r.extent(1);
      multigrid->apply(instance, r, z);
    };
    return method.solve(exec, system, b, x);
  }
  /// By both, from zero; the same of both. Returns how many iterations were replayed.
  std::size_t expect_same(const Vectors& b, const Vectors& x,
                          SolveStatus status = SolveStatus::converged) {
    const Vectors other = zeros(problem.num_rows(), static_cast<int>(b.extent(1)));
    const SolveResult expected = solve(*plain, b, other);
    Kokkos::deep_copy(x, 0.0);
    const std::size_t before = recorder->num_launches();
    const SolveResult result = solve(*recorded, b, x);
    EXPECT_EQ(result.status, status) << to_string(result.status);
    EXPECT_EQ(result.status, expected.status);
    EXPECT_EQ(result.iterations, expected.iterations);
    EXPECT_EQ(result.residual_history, expected.residual_history);
    EXPECT_EQ(on_host(x), on_host(other));
    return recorder->num_launches() - before;
  }
  Vectors waves_of(int shift, int columns = 1) const {
    return waves(problem.first + shift, problem.num_rows(), columns);
  }

 private:
  std::size_t applied_columns = 0;
};

TEST_F(DistributedRecording, GivesTheSameBits) {
  for (const auto& [kind, n] :
       std::vector<std::pair<ProblemKind, int>>{{ProblemKind::poisson3d, 9},
                                                {ProblemKind::elasticity3d, 5},
                                                {ProblemKind::neumann2d, 20}}) {
    for (const int rows_per_process : {1, 200}) {
      SCOPED_TRACE(std::string(to_string(kind)) + ' ' + std::to_string(rows_per_process));
      Pair pair(processes, {.problem = kind, .n = n}, {.tolerance = 1e-10}, rows_per_process);
      const Vectors x = zeros(pair.problem.num_rows());
      const Vectors two = zeros(pair.problem.num_rows(), 2);
      const auto status =
          kind == ProblemKind::neumann2d ? SolveStatus::least_squares : SolveStatus::converged;
      const auto b = pair.waves_of(0);
      const std::size_t first = pair.expect_same(b, x, status);
      EXPECT_GT(first, 0U);
      EXPECT_EQ(pair.recorder->num_captures(), 1U);
      // All but the first iteration from now on; b is in no recording.
      EXPECT_GT(pair.expect_same(b, x, status), first);
      EXPECT_GT(pair.expect_same(pair.waves_of(5), x, status), first);
      EXPECT_EQ(pair.expect_same(zeros(pair.problem.num_rows()), x), 0U);
      EXPECT_GT(pair.expect_same(b, x, status), first);
      EXPECT_EQ(pair.recorder->num_captures(), 1U);
      // Another x, and another number of columns, which moves memory of the cycle's.
      EXPECT_GT(pair.expect_same(pair.waves_of(0, 2), two, status), 0U);
      EXPECT_GT(pair.expect_same(b, x, status), 0U);
      EXPECT_EQ(pair.recorder->num_captures(), 3U);
      pair.update(3);
      EXPECT_GT(pair.expect_same(b, x, status), 0U);
      EXPECT_EQ(pair.recorder->num_captures(), 4U);
      EXPECT_EQ(pair.recorder->failure(), "");
    }
  }
}

/// Whose first iteration, which has no direction before it, is not of the recording.
TEST_F(DistributedRecording, OfFlexibleConjugateGradients) {
  Pair pair(processes, {.problem = ProblemKind::poisson3d, .n = 9},
            {.tolerance = 1e-10, .cg = {.flexible = true}});
  const Vectors x = zeros(pair.problem.num_rows(), 2);
  const std::size_t first = pair.expect_same(pair.waves_of(0, 2), x);
  EXPECT_GT(first, 0U);
  EXPECT_GT(pair.expect_same(pair.waves_of(5, 2), x), first);
  EXPECT_EQ(pair.recorder->num_captures(), 1U);
}

/// b - A x is of a b that is another in each solve.
TEST_F(DistributedRecording, IsNotOfTrueResiduals) {
  Pair pair(processes, {.problem = ProblemKind::poisson3d, .n = 9},
            {.residual = ResidualKind::true_residual});
  const Vectors x = zeros(pair.problem.num_rows());
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(pair.expect_same(pair.waves_of(round), x), 0U);
  EXPECT_EQ(pair.recorder->num_captures(), 0U);
}

TEST_F(DistributedRecording, EndsWhereOthersDo) {
  for (const int limit : {0, 1, 2, 6, 7}) {
    SCOPED_TRACE(limit);
    Pair pair(processes, {.problem = ProblemKind::poisson2d, .n = 30},
              {.tolerance = 1e-12, .max_iterations = limit});
    const Vectors x = zeros(pair.problem.num_rows(), 2);
    for (int round = 0; round < 3; ++round)
      pair.expect_same(pair.waves_of(0, 2), x, SolveStatus::max_iterations);
    EXPECT_EQ(pair.recorder->num_captures(), 3 * limit > runs_before ? 1U : 0U);
  }
  Pair late(processes, {.problem = ProblemKind::poisson2d, .n = 30}, {.time_limit_s = 1e-9});
  const Vectors x = zeros(late.problem.num_rows());
  late.expect_same(late.waves_of(0), x, SolveStatus::time_limit);

  // A NaN on one process, and one process's logger, whichever way the iterations run.
  Pair pair(processes, {.problem = ProblemKind::poisson2d, .n = 30}, {.tolerance = 1e-12});
  for (int round = 0; round < 2; ++round)
    pair.expect_same(pair.waves_of(0), x);
  const bool is_last = process() == num_processes() - 1;
  for (auto* const method : {pair.plain.get(), pair.recorded.get()})
    method->set_logger(
        [is_last](const IterationInfo& info) { return !is_last || info.iteration < 3; });
  EXPECT_GT(pair.expect_same(pair.waves_of(0), x, SolveStatus::interrupted), 0U);
  for (auto* const method : {pair.plain.get(), pair.recorded.get()})
    method->set_logger({});
  const Vectors spoilt = pair.waves_of(0);
  if (is_last) Kokkos::deep_copy(Kokkos::subview(spoilt, 0, 0), std::nan(""));
  const Vectors y = zeros(pair.problem.num_rows());
  EXPECT_EQ(pair.solve(*pair.recorded, spoilt, y).status, SolveStatus::not_a_number);
  EXPECT_GT(pair.expect_same(pair.waves_of(0), x), 0U);
}

/// Columns that end at different iterations, and one of zeros.
TEST_F(DistributedRecording, OfColumnsThatEndApart) {
  Pair pair(processes, {.problem = ProblemKind::poisson2d, .n = 30});
  const int rows = pair.problem.num_rows();
  const Vectors b = pair.waves_of(0, 3);
  Kokkos::deep_copy(Kokkos::subview(b, Kokkos::ALL, 1), 1.0);
  Kokkos::deep_copy(Kokkos::subview(b, Kokkos::ALL, 2), 0.0);
  const Vectors x = zeros(rows, 3);
  for (int round = 0; round < 3; ++round)
    pair.expect_same(b, x);
  EXPECT_EQ(pair.recorder->num_captures(), 1U);
}

/// Where one process cannot record, all go on kernel by kernel.
TEST_F(DistributedRecording, IsOfAllProcessesOrNone) {
  if constexpr (!kernels::is_host_space<Space>) GTEST_SKIP() << "a GPU refuses nothing here";
  Pair pair(processes, {.problem = ProblemKind::poisson3d, .n = 9});
  const bool is_last = process() == num_processes() - 1;
  KeptWork<Space>::refuses = is_last;
  const Vectors x = zeros(pair.problem.num_rows());
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(pair.expect_same(pair.waves_of(0), x), 0U);
  EXPECT_EQ(pair.recorder->failure(),
            is_last ? "this cannot be recorded" : "another process could not");
  EXPECT_EQ(pair.recorder->num_captures(), 0U);
}

/// What a communicator that fails asks for: nothing of it is held any more.
TEST_F(DistributedRecording, IsDroppedWhenTheCommunicatorFails) {
  Pair pair(processes, {.problem = ProblemKind::poisson3d, .n = 9});
  const Vectors x = zeros(pair.problem.num_rows());
  EXPECT_GT(pair.expect_same(pair.waves_of(0), x), 0U);
  auto* const recordings = dynamic_cast<Communicator::Ordered::Recordings*>(pair.recorder.get());
  ASSERT_NE(recordings, nullptr);
  recordings->drop();
  EXPECT_EQ(pair.recorder->failure(), "the communicator has failed");
  EXPECT_EQ(pair.expect_same(pair.waves_of(0), x), 0U);
}

/// Messages that the host waits for have no recordings, whatever the space.
TEST(DistributedRecordings, AreOfStreams) {
  EXPECT_EQ(distributed::make_iteration_recorder<Space>(all_processes(), 1), nullptr);
  EXPECT_EQ(distributed::make_iteration_recorder<HostSpace>(all_processes(), 1), nullptr);
}

}  // namespace tessera::test::recorded_iterations_test
