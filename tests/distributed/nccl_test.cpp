// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// NCCL's communicator: what it refuses, and, on a GPU, one process by itself.
#include "distributed/shares.hpp"

#include "tessera/distributed/nccl/nccl_communicator.hpp"
#include "tessera/distributed/nccl/nccl_library.hpp"
#include "tessera/distributed/nccl/own_devices.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tessera::test::nccl_test {

using distributed::nccl_communicator;
namespace nccl = distributed::nccl;

/// The variable that names the library, until the end of a scope.
class NamedLibrary {
 public:
  explicit NamedLibrary(const char* name) {
    const char* const before = std::getenv(nccl::library_variable);
    m_before = before != nullptr ? before : "";
    setenv(nccl::library_variable, name, 1);
  }
  NamedLibrary(const NamedLibrary&) = delete;
  NamedLibrary& operator=(const NamedLibrary&) = delete;
  ~NamedLibrary() { setenv(nccl::library_variable, m_before.c_str(), 1); }

 private:
  std::string m_before;
};

TEST(DistributedNccl, IsOfGpusAlone) {
  expect_error(error_of([] { nccl_communicator(all_processes(), HostSpace()); }),
               ErrorKind::configuration, {"GPUs", HostSpace::name(), "mpi_communicator"});
  expect_error(error_of([] { nccl_communicator(nullptr, HostSpace()); }), ErrorKind::precondition,
               {"null"});
}

TEST(DistributedNccl, SaysWhatToDoWithoutItsLibrary) {
  expect_error(error_of([] { nccl::load_library("/nowhere/libnccl.so"); }),
               ErrorKind::configuration,
               {"cannot be loaded", "/nowhere/libnccl.so", nccl::library_variable});
#if defined(__linux__)
  expect_error(error_of([] { nccl::load_library("libm.so.6"); }), ErrorKind::configuration,
               {"libm.so.6", "is not NCCL", "ncclGetVersion"});
#endif
  {
    const NamedLibrary named("/nowhere/else.so");
    EXPECT_EQ(nccl::library_name(), "/nowhere/else.so");
    expect_error(error_of([] { nccl::load_library(); }), ErrorKind::configuration,
                 {"/nowhere/else.so"});
  }
  const NamedLibrary unnamed("");
  EXPECT_NE(nccl::library_name().find("ccl.so."), std::string::npos);
}

TEST(DistributedNccl, TakesOneProcessADevice) {
  const auto& processes = *all_processes();
  const std::int64_t rank = processes.rank();
  const std::int64_t last = processes.size() - 1;
  // Devices differ in either half of their numbers.
  nccl::require_own_devices(processes, {rank, 7});
  nccl::require_own_devices(processes, {7, rank});
  if (last == 0) return;
  const auto error =
      error_of([&] { nccl::require_own_devices(processes, {7, rank == last ? 0 : rank}); });
  expect_error(error, ErrorKind::configuration,
               {"processes 0 and " + std::to_string(last), "same GPU", "mpi_communicator"});
}

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
/// On a process that does not find the library, or that shares its GPU, all throw.
TEST(DistributedNccl, RefusesOnAllProcesses) {
  {
    const NamedLibrary named(process() == num_processes() - 1 ? "/nowhere/libnccl.so" : "");
    expect_error(error_of([] { nccl_communicator(all_processes(), Space()); }),
                 ErrorKind::configuration, {"cannot be loaded"});
  }
  if (error_of([] { nccl::load_library(); })) GTEST_SKIP() << "there is no NCCL";
  if (Kokkos::num_devices() >= num_processes()) GTEST_SKIP() << "each process has a GPU";
  expect_error(error_of([] { nccl_communicator(all_processes(), Space()); }),
               ErrorKind::configuration, {"same GPU"});
}

/// A communicator of one process sums by NCCL, on whatever GPU, and solves as one without.
TEST(DistributedNccl, SolvesByItself) {
  if (error_of([] { nccl::load_library(); })) GTEST_SKIP() << "there is no NCCL";
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 16};
  const SharedProblem problem(gallery, 1, 0);
  const Share share(problem.host);
  const Space exec;
  for (const bool overlaps : {true, false}) {
    const auto by_nccl = nccl_communicator(distributed::alone(), exec, {.overlaps = overlaps});
    ASSERT_NE(by_nccl->ordered(), nullptr);
    std::vector<SolveResult> results;
    std::vector<std::vector<double>> solutions;
    for (const auto& processes : {distributed::alone(), by_nccl}) {
      distributed::Parameters p;
      p.gather_rows = 200;
      DistributedSolver solver(processes, p);
      solver.setup(exec, share.rows());
      const Vectors x = zeros(problem.num_rows());
      results.push_back(solver.solve(exec, waves(0, problem.num_rows()), x));
      solutions.push_back(on_host(x));
    }
    EXPECT_TRUE(results[1].converged());
    EXPECT_EQ(results[0].iterations, results[1].iterations);
    EXPECT_EQ(solutions[0], solutions[1]);  // sums of one process are its own
  }
}

bool says(const DistributedSolver& solver, const std::string& what) {
  return std::ranges::any_of(solver.description(), [&](const std::string& line) {
    return line.find(what) != std::string::npos;
  });
}

/// Iterations that are replayed from a graph beside those that are launched kernel by kernel:
/// the same bits, whatever comes between the solves.
TEST(DistributedNccl, RecordsIterations) {
  if (error_of([] { nccl::load_library(); })) GTEST_SKIP() << "there is no NCCL";
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 24};
  const SharedProblem problem(gallery, 1, 0);
  const Share share(problem.host);
  const int n = problem.num_rows();
  const Space exec;
  for (const bool overlaps : {true, false}) {
    SCOPED_TRACE(overlaps);
    const auto by_nccl = nccl_communicator(distributed::alone(), exec, {.overlaps = overlaps});
    if (!by_nccl->ordered()->can_be_recorded()) GTEST_SKIP() << "this NCCL cannot be recorded";
    distributed::Parameters p;
    p.gather_rows = 200;
    p.rows_per_process = 1;
    p.solve.solver.tolerance = 1e-12;
    p.solve.amg.reuse = amg::Reuse::symbolic;
    DistributedSolver recorded(by_nccl, p);
    p.solve.graph = false;
    DistributedSolver plain(by_nccl, p);
    recorded.setup(exec, share.rows());
    plain.setup(exec, share.rows());
    const Vectors x = zeros(n), y = zeros(n);
    const auto expect_same = [&](const Vectors& b, const char* what) {
      SCOPED_TRACE(what);
      for (const auto& v : {x, y})
        Kokkos::deep_copy(v, 0.0);
      const auto result = recorded.solve(exec, b, x);
      const auto expected = plain.solve(exec, b, y);
      EXPECT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_EQ(result.iterations, expected.iterations);
      EXPECT_EQ(result.residual_history, expected.residual_history);
      EXPECT_EQ(on_host(x), on_host(y));
    };
    for (int round = 0; round < 4; ++round)
      expect_same(waves(0, n), "again");
    EXPECT_TRUE(says(recorded, "recordings: 1, launches of them: "));
    EXPECT_FALSE(says(recorded, "launches of them: 0")) << recorded.description().back();
    EXPECT_FALSE(says(plain, "recordings"));
    expect_same(waves(5, n), "another right-hand side");
    expect_same(zeros(n), "zeros");
    expect_same(waves(0, n), "after zeros");
    EXPECT_TRUE(says(recorded, "recordings: 1,")) << recorded.description().back();
    recorded.cycle_traffic(exec);
    const Vectors two = zeros(n, 2);
    recorded.apply_preconditioner(exec, waves(0, n, 2), two);
    for (int round = 0; round < 4; ++round)
      expect_same(waves(0, n), "after a cycle for two columns");
    EXPECT_TRUE(says(recorded, "recordings: 2,")) << recorded.description().back();
    auto values = problem.host.values;
    for (double& value : values)
      value *= 2;
    recorded.update_values(exec, on_device(values));
    plain.update_values(exec, on_device(values));
    for (int round = 0; round < 4; ++round)
      expect_same(waves(0, n), "new values");
    EXPECT_TRUE(says(recorded, "recordings: 3,")) << recorded.description().back();
    for (const std::string& note : recorded.hierarchy().notes)
      EXPECT_EQ(note.find("kernel by kernel"), std::string::npos) << note;
  }
}

/// Cycles in float look at the size of each residual, for which the host waits.
TEST(DistributedNccl, LaunchesWhatTheHostWaitsFor) {
  if (error_of([] { nccl::load_library(); })) GTEST_SKIP() << "there is no NCCL";
  const SharedProblem problem({.problem = ProblemKind::poisson3d, .n = 16}, 1, 0);
  const Share share(problem.host);
  const Space exec;
  distributed::Parameters p;
  p.gather_rows = 200;
  p.solve.precision = Precision::single;
  p.solve.solver.name = SolverName::cg;
  DistributedSolver solver(nccl_communicator(distributed::alone(), exec), p);
  solver.setup(exec, share.rows());
  const Vectors x = zeros(problem.num_rows());
  for (int round = 0; round < 4; ++round) {
    Kokkos::deep_copy(x, 0.0);
    EXPECT_TRUE(solver.solve(exec, waves(0, problem.num_rows()), x).converged());
  }
  EXPECT_FALSE(says(solver, "recordings"));
}
#endif

}  // namespace tessera::test::nccl_test
