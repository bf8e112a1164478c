// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solvers of their own on several threads at once, each on an instance of its own. A program by
/// itself, because nothing is recorded in it any more.
#include "support/device.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"

#include <future>
#include <thread>
#include <vector>

namespace tessera::test::concurrent_solvers_test {

TEST(RecordingThreads, NobodyRecordsOnceASecondThreadHasCome) {
  auto lock = kernels::lock_recording();
  ASSERT_TRUE(lock.owns_lock());
  kernels::announce_thread();
  EXPECT_TRUE(kernels::lock_recording().owns_lock());
  auto second = std::async(std::launch::async, [] {
    kernels::announce_thread();
    return kernels::lock_recording().owns_lock();
  });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  lock.unlock();
  EXPECT_FALSE(second.get());
  EXPECT_FALSE(kernels::lock_recording().owns_lock());
}

template <class Scalar, class Space>
struct TimesTwo {
  Array<Scalar, Space> values;
  KOKKOS_FUNCTION void operator()(int k) const { values(k) *= 2; }
};

template <class Param>
class ConcurrentSolvers : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);

  void SetUp() override {
#ifdef KOKKOS_ENABLE_THREADS
    if (std::is_same_v<Space, Kokkos::Threads>)
      GTEST_SKIP() << "Kokkos::Threads starts no kernel from another thread than the first";
#endif
  }

  struct Answer {
    SolveStatus status = SolveStatus::breakdown;
    int iterations = 0;
    std::vector<Scalar> x, x_of_new_values;

    bool operator==(const Answer&) const = default;
  };

  /// One of four systems and methods: set up, solved, given other values, solved again.
  static Answer answer(const Space& exec, int number) {
    constexpr GalleryParameters problems[] = {{.problem = ProblemKind::poisson3d, .n = 14},
                                              {.problem = ProblemKind::convdiff2d, .n = 40},
                                              {.problem = ProblemKind::elasticity2d, .n = 16},
                                              {.problem = ProblemKind::poisson2d, .n = 45}};
    constexpr PreconditionerKind preconditioners[] = {
        PreconditionerKind::automatic, PreconditionerKind::amg, PreconditionerKind::amg,
        PreconditionerKind::ilu};
    const auto problem = make_problem<Scalar, Space, Offset>(exec, problems[number % 4]);
    SolveParameters parameters;
    parameters.preconditioner = preconditioners[number % 4];
    parameters.amg.reuse = amg::Reuse::symbolic;
    parameters.solver.tolerance = sizeof(Scalar) == 8 ? 1e-8 : 1e-4;
    auto solver = set_up(exec, problem, parameters);
    Answer found;
    const auto solution = [&] {
      const auto x = zeros<Scalar>(exec, problem.A.num_rows);
      const auto result = solver.solve(exec, problem.b, x);
      found.status = result.status;
      found.iterations += result.iterations;
      return to_host(x);
    };
    found.x = solution();
    Kokkos::parallel_for(
        "tessera::test::double_values",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<int>(problem.A.values.extent(0))),
        TimesTwo<Scalar, Space>{problem.A.values});
    solver.update_values(exec, problem.A);
    found.x_of_new_values = solution();
    return found;
  }
};
TYPED_TEST_SUITE(ConcurrentSolvers, Matrices, TypeNames);

TYPED_TEST(ConcurrentSolvers, GiveTheBitsThatEachGivesAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  std::vector<typename TestFixture::Answer> alone;
  for (int number = 0; number < 4; ++number) {
    alone.push_back(TestFixture::answer(exec, number));
    ASSERT_EQ(alone.back().status, SolveStatus::converged) << number;
    ASSERT_GT(alone.back().iterations, 2) << number;
  }
  for (const int count : {2, 8}) {
    // A host with fewer threads has no share for each: they take turns.
    const auto instances = exec.concurrency() < count ? std::vector<Space>(count, exec)
                                                      : Kokkos::Experimental::partition_space(
                                                            exec, std::vector<int>(count, 1));
    std::vector<typename TestFixture::Answer> together(count);
    std::vector<std::thread> threads;
    for (int number = 0; number < count; ++number) {
      threads.emplace_back(
          [&, number] { together[number] = TestFixture::answer(instances[number], number); });
    }
    for (auto& thread : threads)
      thread.join();
    for (int number = 0; number < count; ++number)
      EXPECT_TRUE(together[number] == alone[number % 4]) << number << " of " << count;
  }
}

}  // namespace tessera::test::concurrent_solvers_test
