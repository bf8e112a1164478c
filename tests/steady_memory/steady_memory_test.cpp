// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A program that solves for weeks needs no more memory than one that has solved a few times.
#include "support/solves.hpp"
#include "support/tools_observer.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/array_pool.hpp"

#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <fstream>

namespace tessera::test::steady_memory_test {

using Space = DeviceSpace;

/// Bytes of arrays that Kokkos has handed out and not taken back while it lives; one at a time.
class LiveArrays : public ToolsObserver<LiveArrays> {
 public:
  LiveArrays() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(allocate);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(free);
  }

  std::int64_t bytes() const { return m_bytes; }

 private:
  static void allocate(Kokkos::Profiling::SpaceHandle, const char*, const void*,
                       std::uint64_t bytes) {
    current().m_bytes += static_cast<std::int64_t>(bytes);
  }
  static void free(Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
    current().m_bytes -= static_cast<std::int64_t>(bytes);
  }

  std::int64_t m_bytes = 0;
};

/// What of the process lies in memory; 0 where the system does not tell.
std::int64_t resident_bytes() {
  std::int64_t size = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// What the C library has handed out and not taken back; 0 where it does not tell.
std::int64_t heap_bytes() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const auto info = ::mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

/// Runs `work` a thousand times, by when memory that is kept has settled, and `runs` times more.
template <class Work>
void expect_steady(int runs, const Work& work) {
  const LiveArrays arrays;
  for (int i = 0; i < 1000; ++i)
    work();
  Kokkos::fence("tessera::test: the warm-up is over");
  const auto live = arrays.bytes();
  const auto heap = heap_bytes();
  [[maybe_unused]] const auto resident = resident_bytes();
  for (int i = 0; i < runs; ++i)
    work();
  Kokkos::fence("tessera::test: all runs are over");
  EXPECT_EQ(arrays.bytes(), live);
  // The least that a run could leave comes to 32 bytes each.
  EXPECT_LT(heap_bytes() - heap, 16 * runs);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The allocator may cut its pages differently; a sanitizer keeps what was freed.
  EXPECT_LT(resident_bytes() - resident, std::int64_t(2) << 20U);
#endif
}

class SteadyMemory : public ::testing::TestWithParam<PreconditionerKind> {
 protected:
  SteadyMemory() {
    m_parameters.preconditioner = GetParam();
    m_parameters.amg.coarse_size = 20;  // for a hierarchy
  }

  void solve(Solver<double, Space>&& solver) { solve(solver); }
  void solve(Solver<double, Space>& solver) {
    Kokkos::deep_copy(m_exec, m_x, 0.0);
    ASSERT_TRUE(solver.solve(m_exec, m_problem.b, m_x).converged());
  }

  const Space m_exec{};
  const Problem<double, Space> m_problem =
      make_problem<double, Space>(m_exec, {.problem = ProblemKind::poisson2d, .n = 12});
  const MultiVector<double, Space> m_x = zeros<double>(m_exec, m_problem.A.num_rows);
  SolveParameters m_parameters;
};

TEST_P(SteadyMemory, OneSolverTenThousandTimes) {
  auto solver = set_up(m_exec, m_problem, m_parameters);
  expect_steady(10000, [&] { solve(solver); });
}

TEST_P(SteadyMemory, AThousandSolvers) {
  expect_steady(1000, [&] { solve(set_up(m_exec, m_problem, m_parameters)); });
}

/// With memory that the setups pass on: it is all in use or given back.
TEST_P(SteadyMemory, AThousandSetupsAndUpdatesOfOneSolver) {
  m_parameters.amg.reuse = amg::Reuse::symbolic;
  Solver<double, Space> solver(m_parameters);
  const ArrayPool<Space> pool(m_exec);
  expect_steady(1000, [&] {
    solver.setup(m_exec, m_problem.A, m_problem.near_nullspace, m_problem.block_size);
    solver.update_values(m_exec, m_problem.A);
    solve(solver);
  });
  EXPECT_LE(pool.idle_bytes(), std::size_t(2) << 20U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SteadyMemory,
                         ::testing::Values(PreconditionerKind::automatic, PreconditionerKind::amg,
                                           PreconditionerKind::ilu, PreconditionerKind::direct),
                         [](const auto& info) {
                           return std::string(
                               preconditioner_names[static_cast<std::size_t>(info.param)].name);
                         });

}  // namespace tessera::test::steady_memory_test
