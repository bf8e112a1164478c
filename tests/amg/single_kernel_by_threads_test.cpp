// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a device's crew does with the steps of coarse levels, by a thread of the host for each
/// lane: the same code, so that a barrier too few is a race for the thread sanitizer, and one that
/// not all of them come to does not end.
#include "amg/systems.hpp"
#include "support/random_matrix.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/single_kernel.hpp"
#include "tessera/kernels/persistent/detail/run_steps.hpp"

#include <gtest/gtest.h>

// Functions of the host alone cannot be called from those of a device.
#if !TESSERA_HAVE_DEVICE

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

namespace tessera::test {
namespace {

constexpr int warp = 32;

/// What the threads of a crew share.
class Places {
 public:
  Places(int workers, int lanes, std::size_t scratch_bytes)
      : num_workers(workers),
        num_lanes(lanes),
        all(workers * lanes),
        said(static_cast<std::size_t>(workers) * lanes) {
    for (int w = 0; w < workers; ++w) {
      of_worker.push_back(std::make_unique<std::barrier<>>(lanes));
      scratch.emplace_back(scratch_bytes / sizeof(std::uint64_t) + 1);
    }
    for (int w = 0; w < workers * lanes / warp; ++w)
      of_warp.push_back(std::make_unique<std::barrier<>>(warp));
  }

  int num_workers;
  int num_lanes;
  std::barrier<> all;
  std::vector<std::unique_ptr<std::barrier<>>> of_worker;
  std::vector<std::unique_ptr<std::barrier<>>> of_warp;
  std::vector<double> said;
  std::vector<std::vector<std::uint64_t>> scratch;
};

/// A crew as its work sees it.
class ThreadCrew {
 public:
  ThreadCrew(Places& places, int thread) : m_places(places), m_thread(thread) {}

  int num_shares() const { return m_places.num_workers; }
  int num_lanes() const { return m_places.num_lanes; }
  int lane() const { return m_thread % m_places.num_lanes; }
  std::byte* scratch() const {
    return reinterpret_cast<std::byte*>(m_places.scratch[worker()].data());
  }
  template <class Function>
  void for_each_share(const Function& function) const {
    function(worker());
  }
  template <class Function>
  void for_each(std::int64_t, const Function&) const {}
  bool has_failed() const { return false; }
  void barrier() { m_places.all.arrive_and_wait(); }
  void synchronize_lanes() const { m_places.of_worker[worker()]->arrive_and_wait(); }
  template <class T>
  T sum_of_lanes(T value, int lanes) const {
    auto& of_warp = *m_places.of_warp[m_thread / warp];
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      m_places.said[m_thread] = value;
      of_warp.arrive_and_wait();
      value += static_cast<T>(m_places.said[m_thread ^ distance]);
      of_warp.arrive_and_wait();
    }
    return value;
  }

 private:
  int worker() const { return m_thread / m_places.num_lanes; }

  Places& m_places;
  int m_thread;
};

/// The number of entries of each vector that some step writes.
template <class Scalar>
std::vector<std::size_t> lengths_of(const std::vector<kernels::Step<Scalar>>& steps) {
  std::vector<std::size_t> lengths(2, 0);
  for (const auto& step : steps) {
    for (const int v : {step.y, step.p, step.scaled}) {
      if (v == kernels::no_vector) continue;
      lengths.resize(std::max<std::size_t>(lengths.size(), v + 1), 0);
      lengths[v] = step.num_rows;
    }
  }
  return lengths;
}

template <class Scalar>
std::vector<Scalar> by_threads(const std::vector<kernels::Step<Scalar>>& steps,
                               const std::vector<Scalar>& b, int workers, int lanes) {
  std::vector<std::size_t> begins;
  std::size_t end = 0;
  for (const std::size_t length : lengths_of(steps)) {
    begins.push_back(end);
    end += length;
  }
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  std::vector<Scalar> work(end, nan);
  std::vector<Scalar> x(b.size(), nan);
  using Work = kernels::detail::RunSteps<Scalar>;
  const Work run{steps.data(),  static_cast<int>(steps.size()),
                 begins.data(), static_cast<int>(begins.size()),
                 work.data(),   b.data(),
                 x.data()};
  Places places(workers, lanes, Work::scratch_bytes(steps.size(), begins.size()));
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < workers * lanes; ++thread) {
    threads.emplace_back([&places, &run, thread] {
      ThreadCrew crew(places, thread);
      run(crew);
    });
  }
  threads.clear();
  return x;
}

template <class Scalar>
void expect_cycle(ProblemKind kind, int n, const amg::Parameters& parameters) {
  const HostSpace exec;
  GalleryParameters gallery;
  gallery.problem = kind;
  gallery.n = n;
  const auto p = make_problem<Scalar, HostSpace>(exec, gallery);
  amg::Multigrid<Scalar, HostSpace> grid(parameters);
  grid.setup(exec, p.A);
  ASSERT_GE(grid.levels().size(), 2U);
  const auto b = random_vector<Scalar>(p.A.num_rows, 4);
  const auto z = to_multivector(exec, b, b.size());
  grid.apply(exec, to_multivector(exec, b, b.size()), z);
  const auto expected = to_host(z);
  double scale = 0;
  for (const Scalar value : expected)
    scale = std::max(scale, std::abs(static_cast<double>(value)));

  std::vector<std::vector<Scalar>> results;
  // All steps by all workers; some by one; all by one, with workers that have nothing to do.
  for (const std::size_t one_block : {std::size_t{0}, std::size_t{200}, std::size_t{1} << 40}) {
    const auto program =
        amg::coarse_program(parameters.cycle, grid.hierarchy(), 0, true, {one_block, 100});
    for (const auto [workers, lanes] : {std::pair(1, 64), std::pair(3, 32)}) {
      results.push_back(by_threads(program.steps(), b, workers, lanes));
      EXPECT_EQ(results.back(), results.front()) << workers << " workers of " << lanes;
    }
  }
  const double tolerance = 2000 * std::numeric_limits<Scalar>::epsilon() * scale;
  for (std::size_t i = 0; i < b.size(); ++i)
    ASSERT_NEAR(results.front()[i], expected[i], tolerance) << i;
}

TEST(SingleKernelByThreads, IsTheCycle) {
  for (const auto cycle : {amg::CycleType::v, amg::CycleType::w, amg::CycleType::f}) {
    for (const auto type : {SmootherType::jacobi, SmootherType::chebyshev}) {
      amg::Parameters parameters;
      parameters.coarse_size = 10;
      parameters.cycle = cycle;
      parameters.smoother.type = type;
      parameters.smoother.sweeps = cycle == amg::CycleType::v ? 2 : 1;
      SCOPED_TRACE(std::to_string(static_cast<int>(cycle)) + " " +
                   std::to_string(static_cast<int>(type)));
      expect_cycle<double>(ProblemKind::poisson2d, 14, parameters);
      expect_cycle<float>(ProblemKind::convdiff2d, 14, parameters);
    }
  }
  amg::Parameters relaxed;
  relaxed.coarse_sweeps = 3;
  relaxed.coarse_size = 10;
  expect_cycle<double>(ProblemKind::poisson3d, 5, relaxed);
}

}  // namespace
}  // namespace tessera::test

#endif
