// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves on tiles by a device that threads of the host emulate: tiles in shared memory, stored
/// again in a lower precision there and brought back, and rows of many tiles; the same bits on any
/// number of threads; and what a solve notes of lowered tiles.
#include "tessera/kernels/execution/instantiate.hpp"

#include "kernels_persistent/tiled_solves.hpp"
#include "support/instances.hpp"

#include <atomic>
#include <cmath>

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/emulated_device.hpp"

#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/run_tiled_solve.hpp"

namespace tessera::test {
namespace {

template <bool is_dynamic>
using Cg =
    kernels::detail::CgMethod<kernels::detail::TileShare<double, std::int32_t, 16, is_dynamic>>;
template <bool is_dynamic>
using Bicgstab = kernels::detail::BicgstabMethod<
    kernels::detail::TileShare<double, std::int32_t, 16, is_dynamic>>;

/// A solve that notes how many rows more lanes share than others.
template <class Method>
struct SolveWithLongRowsCounted {
  Method method;
  std::atomic<int>* long_rows;

  template <class Group>
  void operator()(Group& group) const {
    group.for_each_share([&](int number) {
      const auto share = method.make_share(group, number);
      if (group.lane() == 0 && share.long_rows_of_tiles != nullptr)
        *long_rows += share.long_rows_of_tiles->count;
    });
    group.synchronize_lanes();
    kernels::detail::TiledSolveWork<Method>{method}(group);
  }
};

/// A solve by an emulated device.
template <class Method>
struct EmulatedTiledSolve {
  std::atomic<int> long_rows = 0;
  kernels::PersistentOutcome outcome{PersistentEnd::barrier_timeout, 0, 0, 0, 0, 1, 1};
  std::vector<double> x, history;
  std::vector<double> work = std::vector<double>(kernels::detail::num_tile_notes, 0.0);

  EmulatedTiledSolve(const HostMatrix<double>& A, const std::vector<double>& b, bool jacobi,
                     const Shape& shape, const DynamicRanges& ranges,
                     bool is_dynamic = Method::is_dynamic) {
    const HostSpace exec;
    const auto n = static_cast<std::size_t>(A.num_rows);
    const auto csr = make_csr<std::int32_t>(exec, A);
    const auto tiles = kernels::csr_to_mixed_tiles(exec, csr.view());
    const auto view = tiles.view();
    const auto d = kernels::inverse_diagonal(exec, csr.view());
    std::vector<double> vectors(n * Method::num_vectors), made(2001);
    const auto segments = static_cast<std::size_t>(view.num_tile_columns());
    std::vector<double> norms(segments * Method::num_norms);
    std::vector<std::uint8_t> levels(view.num_tiles());
    x.assign(n, 0.0);
    history.resize(2001);
    Method method{};
    auto& arguments = method.arguments;
    arguments.A.offsets = csr.offsets.data();
    arguments.A.columns = csr.columns.data();
    arguments.A.values = csr.values.data();
    arguments.A.num_rows = A.num_rows;
    arguments.A.num_entries = static_cast<std::int64_t>(A.num_entries());
    arguments.b = b.data();
    arguments.x = x.data();
    arguments.vectors = vectors.data();
    arguments.stride = n;
    arguments.history = made.data();
    arguments.reported_history = history.data();
    arguments.outcome = &outcome;
    arguments.limits.tolerance = 1e-9;
    arguments.lanes_per_row = shape.lanes_per_row;
    arguments.scratch_bytes = shape.scratch_bytes;
    method.preconditioner = {jacobi ? d.data() : nullptr};
    arguments.tiles = {view.tile_offsets.data(), view.keys.data(),
                       view.begins.data(),       view.words.data(),
                       view.num_tile_rows(),     static_cast<std::int64_t>(view.num_tiles())};
    arguments.segments = norms.data();
    arguments.segment_stride = segments;
    arguments.levels = levels.data();
    arguments.options.is_dynamic = is_dynamic;
    arguments.options.ranges = ranges;
    arguments.options.matrix_norm = kernels::inf_norm(exec, csr.view());
    arguments.work = work.data();
    EmulatedBarrierState board(shape.blocks);
    emulate(board, shape.blocks, shape.threads, shape.scratch_bytes,
            SolveWithLongRowsCounted<Method>{method, &long_rows});
    history.resize(outcome.iterations + 1);
  }

  bool has_returned() const { return work[kernels::detail::place_of_returned] != 0; }
  double raised() const { return work[kernels::detail::place_of_raised]; }
  double tiles_at(TileLevel level) const { return work[static_cast<int>(level)]; }
};

template <class Method>
void expect_solved(bool symmetric) {
  // Three systems that do not touch, with less and less on the right.
  const auto A = side_by_side(
      symmetric ? random_spd_matrix<double>(33, 0.2) : nonsymmetric_matrix<double>(33), 3);
  auto b = some_vector<double>(A.num_rows);
  const double weights[] = {1, 1e-6, 1e-13};
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] *= weights[i / 33];
  const auto expected = dense_solve(A, b);
  // All in shared memory, a part of the tiles, nothing; one block and several.
  for (const Shape& shape : {Shape{1, 64, 1, 60000}, Shape{1, 32, 4, 12000}, Shape{2, 32, 1, 30000},
                             Shape{3, 32, 2, 5000}, Shape{2, 32, 32, 0}}) {
    SCOPED_TRACE(name_of(shape));
    {
      const bool jacobi = shape.blocks != 2;
      const EmulatedTiledSolve<Method> solved(A, b, jacobi, shape, DynamicRanges{});
      EXPECT_EQ(solved.outcome.end, PersistentEnd::converged);
      EXPECT_GT(solved.outcome.iterations, 5);
      EXPECT_LT(solved.outcome.iterations, 60);
      expect_near(solved.x, expected, 1e-7);
      if (!Method::is_dynamic) continue;
      EXPECT_FALSE(solved.has_returned());
      if (shape.scratch_bytes >= 30000) {
        EXPECT_GT(solved.tiles_at(TileLevel::fp32), 0);
        EXPECT_GT(solved.tiles_at(TileLevel::half) + solved.tiles_at(TileLevel::fp8), 0);
      }
    }
    // Everything in fp8 from the second iteration on, and then back.
    if (Method::is_dynamic) {
      const EmulatedTiledSolve<Method> reckless(A, b, false, shape, {1e30, 1e30, 1e30, 0});
      EXPECT_EQ(reckless.outcome.end, PersistentEnd::converged);
      expect_near(reckless.x, expected, 1e-7);
      if (shape.scratch_bytes >= 30000) {
        EXPECT_TRUE(reckless.has_returned());
        EXPECT_GT(reckless.raised(), 0);
      }
    }
  }
}

/// Tiles in shared memory that were stored in few bits come back from the matrix.
template <class Method>
void expect_raised(test::Method which) {
  const auto A = with_long_numbers(poisson<double>(64));
  const auto b = quiet_but_for_the_first<double>(64, which, 1e-9);
  const auto expected = dense_solve(A, b);
  for (const Shape& shape : {Shape{1, 32, 1, 60000}, Shape{2, 32, 2, 30000}}) {
    const EmulatedTiledSolve<Method> solved(A, b, true, shape, DynamicRanges{});
    EXPECT_EQ(solved.outcome.end, PersistentEnd::converged);
    EXPECT_FALSE(solved.has_returned());
    expect_near(solved.x, expected, 1e-6);
    EXPECT_GT(solved.tiles_at(TileLevel::fp8), 0);
    EXPECT_GT(solved.tiles_at(TileLevel::half), 0);
    EXPECT_GT(solved.tiles_at(TileLevel::fp64), 0);
    EXPECT_GT(solved.raised(), 5);
  }
}

/// What goes on after a launch that had to go back up.
TEST(TiledDeviceTest, NoTileIsLoweredWhereOptionsSaySo) {
  const auto A = random_spd_matrix<double>(60, 0.2);
  const EmulatedTiledSolve<Cg<true>> solved(A, some_vector<double>(60), false, {1, 64, 1, 60000},
                                            {1e30, 1e30, 1e30, 0}, false);
  EXPECT_EQ(solved.outcome.end, PersistentEnd::converged);
  EXPECT_EQ(solved.tiles_at(TileLevel::fp8) + solved.raised(), 0);
  EXPECT_GT(solved.tiles_at(TileLevel::fp64), 0);
}

/// The residual may grow over the start of the solve, not over that of each launch.
TEST(TiledDeviceTest, TheNextLaunchDivergesWhereTheSolveWould) {
  using kernels::detail::divergence_limit_of_next;
  PersistentLimits limits{.divergence_limit = 1e8};
  PersistentReport report;
  report.reference_norm = 2;
  report.history = {1, 32};
  report.residual_norm = 64;
  EXPECT_EQ(divergence_limit_of_next(limits, report), 1e8 / 32);
  report.residual_norm = 1;
  EXPECT_EQ(divergence_limit_of_next(limits, report), 1e8);
  report.history = {128, 32};
  report.residual_norm = 64;
  EXPECT_EQ(divergence_limit_of_next(limits, report), 4e8);
}

template <class Method>
void expect_solved_with_long_rows() {
  // Of 19, 38 and 157 tiles, all in shared memory, and heads and a part of the tiles or neither.
  for (const std::int32_t n : {300, 600, 2500}) {
    const auto A = arrow(n);
    const auto b = some_vector<double>(n);
    for (const Shape& shape : {Shape{1, 64, 1, 400000}, Shape{2, 32, 2, 6000}}) {
      const EmulatedTiledSolve<Method> solved(A, b, true, shape, DynamicRanges{});
      EXPECT_EQ(solved.outcome.end, PersistentEnd::converged) << n;
      EXPECT_LE(residual_norms(A, b, solved.x, 1)[0], 1e-8 * norm_of(b)) << n;
      // Those of both rows of tiles, where they have eight times as many as the mean, 4.
      EXPECT_EQ(solved.long_rows, n == 300 ? 0 : 32) << n;
    }
  }
}

TEST(TiledDeviceTest, CgWithLongRows) {
  expect_solved_with_long_rows<Cg<false>>();
  expect_solved_with_long_rows<Cg<true>>();
}
TEST(TiledDeviceTest, BicgstabWithLongRows) { expect_solved_with_long_rows<Bicgstab<false>>(); }

TEST(TiledDeviceTest, LanesShareRowsWhereThereAreLanesToSpare) {
  using kernels::detail::tiled_lanes_per_row;
  // Four tiles each.
  EXPECT_EQ(tiled_lanes_per_row(1000, 7.9, 0), 1);
  EXPECT_EQ(tiled_lanes_per_row(1000, 8, 0), 2);
  EXPECT_EQ(tiled_lanes_per_row(1000, 1000, 0), 32);
  // One each, as far as lanes go round.
  EXPECT_EQ(tiled_lanes_per_row(4096, 4.75, 16384), 4);
  EXPECT_EQ(tiled_lanes_per_row(4096, 4.75, 16383), 2);
  EXPECT_EQ(tiled_lanes_per_row(4096, 1.9, 16384), 1);
  EXPECT_EQ(tiled_lanes_per_row(4096, 100, 4096), 16);
}

TEST(TiledDeviceTest, Cg) { expect_solved<Cg<false>>(true); }
TEST(TiledDeviceTest, CgInDynamicPrecision) { expect_solved<Cg<true>>(true); }
TEST(TiledDeviceTest, Bicgstab) { expect_solved<Bicgstab<false>>(false); }
TEST(TiledDeviceTest, BicgstabInDynamicPrecision) { expect_solved<Bicgstab<true>>(false); }
TEST(TiledDeviceTest, CgPromotesTilesThatAreReactivated) { expect_raised<Cg<true>>(Method::cg); }
TEST(TiledDeviceTest, BicgstabPromotesTilesThatAreReactivated) {
  expect_raised<Bicgstab<true>>(Method::bicgstab);
}

}  // namespace
}  // namespace tessera::test

#endif

namespace tessera::test {
namespace {

TEST(TiledThreadsTest, SameBitsOnAnyNumberOfThreads) {
  const auto A = random_spd_matrix<double>(3000, 0.003);
  std::vector<double> b(A.num_rows);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = std::sin(static_cast<double>(i));
  for (const bool is_dynamic : {false, true}) {
    std::vector<std::vector<double>> results;
    for (const HostSpace& exec : instances()) {
      const auto csr = make_csr<std::int32_t>(exec, A);
      const auto tiles = kernels::csr_to_mixed_tiles(exec, csr.view());
      const auto rhs = to_device(exec, b);
      const auto x = to_device(exec, std::vector<double>(b.size(), 0.0));
      kernels::TiledWorkspace<double, HostSpace> workspace;
      kernels::TileOptions options;
      options.is_dynamic = is_dynamic;
      const auto report =
          kernels::persistent_cg(exec, workspace, csr.view(), tiles.view(),
                                 Array<double, HostSpace>(), rhs, x, {.tolerance = 1e-12}, options);
      results.push_back(to_host(x));
      results.back().insert(results.back().end(), report.history.begin(), report.history.end());
      for (const std::int64_t count : report.work.tiles)
        results.back().push_back(static_cast<double>(count));
    }
    expect_same_bits(results, "x, history and tiles");
  }
}

}  // namespace
}  // namespace tessera::test
