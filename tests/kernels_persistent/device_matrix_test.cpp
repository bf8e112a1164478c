// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the matrix of a solve lies on a device, which threads of the host emulate: whatever lies
/// in registers and in shared memory, results are the same bits.
#include "tessera/kernels/execution/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/emulated_device.hpp"

#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"

#include <atomic>

namespace tessera::test {
namespace device_matrix_test {

using Diagonal = kernels::detail::DiagonalOrNone<double>;
using Rows = kernels::detail::KrylovShare<double, std::int32_t, Diagonal>::Holding;
using Cg = kernels::detail::CgMethod<Rows>;
using Bicgstab = kernels::detail::BicgstabMethod<Rows>;
using RowsWithoutRegisters = kernels::detail::KrylovShare<double, std::int32_t, Diagonal>;
using WindowedCg = kernels::detail::CgMethod<RowsWithoutRegisters::Windowed>;
using WindowedBicgstab = kernels::detail::BicgstabMethod<RowsWithoutRegisters::Windowed>;

constexpr int held_limit = kernels::detail::max_held_entries;

template <class Method>
EmulatedSolve<Method> solve(const HostMatrix<double>& A, const Shape& shape, int register_entries,
                            bool has_window = true) {
  auto b = random_vector<double>(A.num_rows);
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    if (A.offsets[i] == A.offsets[i + 1]) b[i] = 0;
  }
  return EmulatedSolve<Method>(
      A, b, [](const double* d) { return Diagonal{d}; }, shape, register_entries, has_window);
}

/// Symmetric, with rows of many lengths, some of them empty and the first one all but full.
HostMatrix<double> uneven_rows(std::int32_t n) {
  const auto is_empty = [](std::int32_t i) { return i % 11 == 5; };
  const auto is_there = [&](std::int32_t i, std::int32_t c) {
    if (is_empty(i) || is_empty(c)) return false;
    const auto low = std::min(i, c), high = std::max(i, c);
    return low == 0 || low == high || (low + high) % (2 + high % 9) == 0;
  };
  return by_rows<double>(n, n, [&](auto& A, std::int32_t i) {
    for (std::int32_t c = 0; c < n; ++c) {
      if (is_there(i, c)) A.push(c, i == c ? 9.0 + i % 5 : -0.3 / (1 + (i + c) % 7));
    }
  });
}

/// Registers hold nothing, less than they can and as much.
template <class Method>
void expect_same_bits_whatever_registers_hold(const HostMatrix<double>& A,
                                              const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    const auto expected = solve<Method>(A, shape, 0);
    ASSERT_EQ(expected.outcome.end, kernels::PersistentEnd::converged);
    for (const int register_entries : {3, held_limit}) {
      SCOPED_TRACE(std::to_string(shape.scratch_bytes) + " bytes, " +
                   std::to_string(register_entries) + " entries");
      const auto solved = solve<Method>(A, shape, register_entries);
      EXPECT_EQ(solved.x, expected.x);
      EXPECT_EQ(solved.history, expected.history);
    }
  }
}

TEST(DeviceMatrixTest, RegistersChangeNoBit) {
  const auto A = uneven_rows(90);
  std::int64_t longest = 0, shortest = 100;
  for (std::size_t i = 0; i + 1 < A.offsets.size(); ++i) {
    longest = std::max<std::int64_t>(longest, A.offsets[i + 1] - A.offsets[i]);
    shortest = std::min<std::int64_t>(shortest, A.offsets[i + 1] - A.offsets[i]);
  }
  ASSERT_GT(longest, 64) << "a row that more lanes share";
  ASSERT_EQ(shortest, 0);
  // Rows one after the other, and a part of the entries in shared memory; rows of two lanes; more
  // lanes than rows, and all in shared memory; nothing there.
  expect_same_bits_whatever_registers_hold<Cg>(
      A, {{1, 32, 1, 8000}, {2, 32, 2, 4000}, {1, 96, 1, 60000}});
  expect_same_bits_whatever_registers_hold<Bicgstab>(A, {{2, 32, 4, 0}});
}

/// What lanes hold, and what lies in shared memory, the latter of one share.
struct Parts {
  int held, staged_from, staged, columns_of_windows;

  bool operator==(const Parts&) const = default;
};

template <class Method>
struct NoteParts {
  Method method;
  std::atomic<int>* held;
  Parts* parts;  ///< of each share

  template <class Group>
  void operator()(Group& group) const {
    group.for_each_share([&](int number) {
      const auto share = method.make_share(group, number);
      *held += share.held.count;
      if (group.lane() == 0)
        parts[number] = {0, static_cast<int>(share.staged_begin),
                         static_cast<int>(share.staged_end - share.staged_begin),
                         share.window.length};
    });
  }
};

template <class Method = Cg>
Parts parts_of(const HostMatrix<double>& A, const Shape& shape, int register_entries,
               bool has_window = true) {
  const std::vector<std::int32_t> offsets(A.offsets.begin(), A.offsets.end());
  const auto n = static_cast<std::size_t>(A.num_rows);
  std::vector<double> vectors(n * Method::num_vectors), b(n), x(n);
  const Method method{{{offsets.data(), A.columns.data(), A.values.data(), A.num_rows,
                        static_cast<std::int64_t>(A.values.size()), 1},
                       b.data(),
                       x.data(),
                       vectors.data(),
                       n,
                       nullptr,
                       nullptr,
                       nullptr,
                       {},
                       shape.lanes_per_row,
                       shape.scratch_bytes,
                       register_entries,
                       has_window},
                      {nullptr}};
  std::atomic<int> held = 0;
  std::vector<Parts> parts(shape.blocks);
  EmulatedBarrierState board(shape.blocks);
  emulate(board, shape.blocks, shape.threads, shape.scratch_bytes,
          NoteParts<Method>{method, &held, parts.data()});
  Parts all = parts[0];
  all.held = held;
  for (std::size_t k = 1; k < parts.size(); ++k)
    all.columns_of_windows += parts[k].columns_of_windows;
  return all;
}

TEST(DeviceMatrixTest, SharedMemoryLeavesOutWhatRegistersHold) {
  const auto A = poisson<double>(12, 12);
  const auto all = static_cast<int>(A.values.size());
  const auto of_32_rows = static_cast<int>(A.offsets[32]);
  EXPECT_EQ(parts_of(A, {1, 32, 1, 60000}, held_limit), (Parts{of_32_rows, 0, all, 0}))
      << "room for all";
  const auto none = parts_of(A, {1, 32, 1, 15000}, 0);
  EXPECT_EQ(none.held, 0);
  EXPECT_EQ(none.staged_from, 0);
  ASSERT_LT(none.staged, all) << "no room for all";
  ASSERT_GT(none.staged, all - of_32_rows);
  EXPECT_EQ(parts_of(A, {1, 32, 1, 15000}, held_limit),
            (Parts{of_32_rows, all - none.staged, none.staged, 0}))
      << "with the registers there is";
  const auto few = parts_of(A, {1, 32, 1, 10000}, held_limit);
  EXPECT_EQ(few.staged_from, of_32_rows) << "not even so";
  EXPECT_LT(few.staged_from + few.staged, all);
  EXPECT_EQ(parts_of(A, {1, 160, 1, 60000}, 3).held, 144 * 3) << "more lanes than rows";
}

/// Columns that lie close together are fetched into shared memory by blocks that have several rows
/// per lane, or long ones, and the same bits come out of it.
TEST(DeviceMatrixTest, WindowsChangeNoBit) {
  const auto A = poisson<double>(8, 16);
  const Shape rows_in_turn{2, 32, 1, 60000}, of_two_lanes{2, 32, 2, 60000};
  EXPECT_EQ(parts_of(A, rows_in_turn, held_limit).columns_of_windows, 128 + 2 * 8);
  EXPECT_EQ(parts_of(A, rows_in_turn, held_limit, false).columns_of_windows, 0);
  EXPECT_EQ(parts_of(A, {2, 32, 1, 1400}, held_limit).columns_of_windows, 0) << "no room";
  EXPECT_EQ(parts_of(A, {2, 96, 1, 60000}, held_limit).columns_of_windows, 0) << "one row per lane";
  EXPECT_EQ(parts_of(A, {1, 32, 1, 60000}, held_limit).columns_of_windows, 0)
      << "whole vectors are there";
  const auto wide = poisson<double>(60, 4);
  EXPECT_EQ(parts_of(wide, {6, 32, 1, 60000}, held_limit).columns_of_windows, 0) << "far apart";
  for (const Shape& shape : {rows_in_turn, of_two_lanes}) {
    const auto expected = solve<Cg>(A, shape, held_limit, false);
    const auto solved = solve<Cg>(A, shape, held_limit);
    EXPECT_EQ(expected.outcome.end, kernels::PersistentEnd::converged);
    EXPECT_EQ(solved.x, expected.x);
    EXPECT_EQ(solved.history, expected.history);
  }
  EXPECT_EQ(solve<Bicgstab>(A, rows_in_turn, 0).x, solve<Bicgstab>(A, rows_in_turn, 0, false).x);
}

/// Where lanes hold no entries: the same bits with a window as without, of lanes that have several
/// rows, one, and a part of one; and as by lanes that hold what they can.
TEST(DeviceMatrixTest, WindowsOfLanesThatHoldNothingChangeNoBit) {
  const auto A = poisson<double>(8, 16);
  for (const int threads : {32, 96}) {
    const Parts parts = parts_of<WindowedCg>(A, {2, threads, 1, 60000}, 0);
    EXPECT_EQ(parts.columns_of_windows, 128 + 2 * 8) << threads;
    EXPECT_EQ(parts.held, 0);
  }
  for (const Shape& shape : {Shape{2, 32, 1, 60000}, Shape{2, 96, 1, 60000}, Shape{2, 32, 2, 60000},
                             Shape{2, 32, 2, 3500}}) {
    SCOPED_TRACE(name_of(shape) + ", " + std::to_string(shape.threads) + " threads");
    const auto expected = solve<WindowedCg>(A, shape, 0, false);
    const auto solved = solve<WindowedCg>(A, shape, 0);
    EXPECT_EQ(expected.outcome.end, kernels::PersistentEnd::converged);
    EXPECT_EQ(solved.x, expected.x);
    EXPECT_EQ(solved.history, expected.history);
    EXPECT_EQ(solve<Cg>(A, shape, held_limit).x, expected.x);
    EXPECT_EQ(solve<WindowedBicgstab>(A, shape, 0).x,
              solve<WindowedBicgstab>(A, shape, 0, false).x);
  }
}

}  // namespace device_matrix_test
}  // namespace tessera::test

#endif
