// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by the group of a device run by threads of the host: what only a device's path does is
/// tested where there is no device.
#include "tessera/kernels/execution/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/emulated_device.hpp"
#include "kernels_persistent/persistent_solves.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/cycle_steps.hpp"
#include "tessera/kernels/persistent/detail/factor_steps.hpp"
#include "tessera/kernels/persistent/factors_inside.hpp"
#include "tessera/smoother/ilu_smoother.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

/// All in shared memory, some vectors, a part of the entries, nothing; one block and several.
const std::vector<Shape> all_shapes{{1, 64, 1, 60000}, {1, 32, 4, 2500}, {1, 32, 1, 0},
                                    {2, 32, 1, 30000}, {3, 32, 2, 2200}, {3, 32, 8, 900},
                                    {2, 64, 32, 0}};
/// With M made by `make(A, in_first, d)`, from the inverse diagonal or, not `in_first`, without it.
template <class Method, class Make>
void expect_solved(bool symmetric, const Make& make, const std::vector<Shape>& shapes) {
  const auto A = symmetric ? poisson<double>(9, 8) : nonsymmetric_matrix<double>(70);
  const auto b = random_vector<double>(A.num_rows);
  const auto expected = dense_solve(A, b);
  for (const Shape& shape : shapes) {
    const bool in_full = shape.blocks != 2;
    const EmulatedSolve<Method> solved(
        A, b, [&](const double* d) { return make(A, in_full, d); }, shape);
    SCOPED_TRACE(name_of(shape));
    EXPECT_EQ(solved.outcome.end, kernels::PersistentEnd::converged);
    EXPECT_LE(solved.history.back(), 1e-9);
    EXPECT_GT(solved.outcome.iterations, 2);
    EXPECT_LT(solved.outcome.iterations, 60);
    expect_near(solved.x, expected, 1e-7);
  }
}

using Diagonal = kernels::detail::DiagonalOrNone<double>;
using Blocks = kernels::detail::DiagonalBlocks<double>;
template <class M>
using Rows = kernels::detail::KrylovShare<double, std::int32_t, M>;
template <class M>
using Cg = kernels::detail::CgMethod<Rows<M>>;
template <class M>
using Bicgstab = kernels::detail::BicgstabMethod<Rows<M>>;

Diagonal make_diagonal(const HostMatrix<double>&, bool jacobi, const double* d) {
  return {jacobi ? d : nullptr};
}

TEST(DeviceGroupTest, SolvesByCg) { expect_solved<Cg<Diagonal>>(true, make_diagonal, all_shapes); }
TEST(DeviceGroupTest, SolvesByBicgstab) {
  expect_solved<Bicgstab<Diagonal>>(false, make_diagonal, all_shapes);
}

/// Blocks of three rows, or of eleven.
struct MakeBlocks {
  mutable Array<double, HostSpace> inverses;
  Blocks operator()(const HostMatrix<double>& A, bool small, const double*) const {
    const int rows = small ? 3 : 11;
    inverses =
        kernels::inverse_blocks(HostSpace(), make_csr<std::int32_t>(HostSpace(), A).view(), rows);
    return {inverses.data(), rows};
  }
};
TEST(DeviceGroupTest, SolvesWithBlocks) {
  expect_solved<Cg<Blocks>>(true, MakeBlocks(), {{1, 32, 1, 60000}, {3, 32, 2, 2200}});
  expect_solved<Bicgstab<Blocks>>(false, MakeBlocks(), {{2, 64, 4, 9000}, {3, 32, 1, 0}});
}

/// Four sweeps of Jacobi and a product with a dense matrix, whose steps are run by one block
/// or all, so that each kind of matrix is staged and not, and vectors are one block's own or not.
template <class Inner>
struct MakeProgram {
  mutable Array<Inner, HostSpace> d, values;
  mutable kernels::Csr<Inner, HostSpace, std::int32_t> matrix;
  mutable kernels::StepProgram<Inner, HostSpace> program;
  mutable Array<double, HostSpace> dense;
  std::size_t one_block_entries = 0;
  double off_diagonal = 0.01;  ///< of the dense matrix; 0 leaves M symmetric

  kernels::detail::CycleSteps<double, Inner> operator()(const HostMatrix<double>& A, bool,
                                                        const double* diagonal) const {
    using kernels::Step;
    using kernels::StepKind;
    const HostSpace exec;
    const auto n = static_cast<std::size_t>(A.num_rows);
    matrix = kernels::convert_values<Inner>(exec, make_csr<std::int32_t>(exec, A));
    d = allocate<Inner>(exec, "tessera::test", n);
    dense = allocate<double>(exec, "tessera::test", n * n);
    for (std::size_t i = 0; i < n; ++i)
      d(i) = static_cast<Inner>(0.6 * diagonal[i]);
    for (std::size_t i = 0; i < n * n; ++i)
      dense(i) = i % (n + 1) == 0 ? 1.01 : off_diagonal;
    std::vector<Step<Inner>> steps{{.kind = StepKind::scale, .num_rows = A.num_rows}};
    steps[0].d = d.data();
    steps[0].b = 0;
    steps[0].y = 2;
    for (int sweep = 0; sweep < 4; ++sweep) {
      Step<Inner> step{.kind = StepKind::jacobi, .num_rows = A.num_rows};
      step.num_entries = matrix.num_entries();
      step.offsets = matrix.offsets.data();
      step.columns = matrix.columns.data();
      step.values = matrix.values.data();
      step.d = d.data();
      step.b = 0;
      step.x = 2 + sweep;
      step.y = 3 + sweep;
      steps.push_back(step);
    }
    steps.push_back({.kind = StepKind::dense, .num_rows = A.num_rows});
    steps.back().dense = dense.data();
    steps.back().x = 6;
    steps.back().y = 1;
    program = kernels::StepProgram<Inner, HostSpace>(steps, {n, n, n, n, n},
                                                     {.one_block_entries = one_block_entries});
    return {program.inside(exec), nullptr, nullptr};
  }
};

template <class Inner>
void expect_solved_with_program(std::size_t one_block_entries, const std::vector<Shape>& shapes) {
  using M = kernels::detail::CycleSteps<double, Inner>;
  MakeProgram<Inner> make{};
  make.one_block_entries = one_block_entries;
  expect_solved<Bicgstab<M>>(false, make, shapes);
  make.off_diagonal = 0;
  expect_solved<Cg<M>>(true, make, shapes);
}

// The steps, their matrices, some of these, nothing in shared memory; none of the steps by one
// block, and all but the dense one.
TEST(DeviceGroupTest, SolvesWithAProgram) {
  expect_solved_with_program<double>(0, {{3, 32, 2, 60000}, {2, 32, 4, 9000}});
}
TEST(DeviceGroupTest, SolvesWithAProgramOfOneBlock) {
  expect_solved_with_program<double>(2000, {{1, 32, 1, 90000}, {3, 32, 2, 60000}, {2, 32, 1, 0}});
}
TEST(DeviceGroupTest, SolvesWithAProgramInFloat) {
  expect_solved_with_program<float>(2000, {{2, 32, 2, 60000}});
}

/// Incomplete factors, by one block or by all.
struct MakeFactors {
  int lanes = 1, walkers = 32, warps = 1;
  bool by_one_block = false;
  mutable IluPreconditioner<double, HostSpace> ilu = IluPreconditioner<double, HostSpace>();
  mutable kernels::FactorsInside<double, HostSpace> inside = {};

  kernels::detail::FactorSteps<double> operator()(const HostMatrix<double>& A, bool,
                                                  const double*) const {
    const HostSpace exec;
    const auto matrix = make_csr<std::int32_t>(exec, A);
    ilu.initialize(exec, matrix);
    EXPECT_TRUE(ilu.compute(exec, matrix.view()));
    inside = {exec, ilu.factors().lower(), ilu.factors().upper()};
    auto steps = inside.inside();
    steps.lanes = lanes;
    steps.walkers = walkers;
    steps.warps = warps;
    steps.by_one_block = by_one_block;
    return steps;
  }
};

void expect_solved_with_factors(const MakeFactors& make, const std::vector<Shape>& shapes) {
  using M = kernels::detail::FactorSteps<double>;
  expect_solved<Cg<M>>(true, make, shapes);
  expect_solved<Bicgstab<M>>(false, make, shapes);
}

// All of both factors in shared memory, a part of one, nothing.
TEST(DeviceGroupTest, SolvesWithFactorsInOneBlock) {
  expect_solved_with_factors({}, {{1, 32, 1, 60000}, {1, 64, 2, 7000}});
  expect_solved_with_factors({.lanes = 4, .walkers = 64}, {{1, 96, 2, 4000}, {1, 32, 1, 0}});
}
TEST(DeviceGroupTest, SolvesWithFactorsByOneBlockOfSeveral) {
  expect_solved_with_factors({.by_one_block = true}, {{3, 32, 1, 60000}});
  expect_solved_with_factors({.lanes = 2, .walkers = 64, .by_one_block = true}, {{2, 64, 1, 3000}});
}
TEST(DeviceGroupTest, SolvesWithFactorsWhoseRowsWait) {
  expect_solved_with_factors({.warps = 3}, {{2, 64, 1, 9000}});
  expect_solved_with_factors({.lanes = 4, .warps = 100}, {{3, 32, 2, 0}});
}

/// A row that waits for one that nobody solves for.
struct MissingRow {
  kernels::detail::PlainLevels<double> T;
  const double* b;
  double* x;
  std::atomic<int>* failed;

  template <class Group>
  void operator()(Group& group) const {
    group.for_each_share([&](int share) {
      if (share == 0)
        kernels::detail::SynchronizationFreeRows<double>{T, 1, 1, b, x}(group, share,
                                                                        [](int, double) {});
    });
    group.barrier();
    if (group.has_failed()) ++*failed;
  }
};

TEST(DeviceGroupTest, RowsThatTimeOutFail) {
  using Sentinel = kernels::detail::Sentinel<double>;
  const std::vector<std::int32_t> rows{0, 1}, level_offsets{0, 2}, offsets{0, 0, 1}, columns{2};
  const std::vector<double> values{1}, b{3, 4};
  std::vector<double> x(3, Sentinel::value());
  std::atomic<int> failed = 0;
  EmulatedBarrierState board(2);
  emulate(board, 2, 32, 0,
          MissingRow{{2, 1, rows.data(), level_offsets.data(), offsets.data(), columns.data(),
                      values.data(), nullptr},
                     b.data(),
                     x.data(),
                     &failed},
          {0, 20'000'000});
  EXPECT_EQ(failed, 2 * 32);
  EXPECT_EQ(x[0], 3);
  EXPECT_TRUE(std::isnan(x[1]));
  EXPECT_NE(*board.words().given_up, 0);
}

/// A row far longer than the others, by all lanes of a block, by a warp, and in two shares.
TEST(DeviceGroupTest, SolvesWithLongRows) {
  for (const std::int32_t n : {300, 2500}) {
    const auto A = arrow(n);
    const auto b = random_vector<double>(n);
    for (const Shape& shape : {Shape{1, 64, 1, 200000}, Shape{2, 32, 2, 4000}}) {
      const auto make = [](const double* d) { return Diagonal{d}; };
      const EmulatedSolve<Cg<Diagonal>> by_cg(A, b, make, shape);
      const EmulatedSolve<Bicgstab<Diagonal>> by_bicgstab(A, b, make, shape);
      for (const auto* const x : {&by_cg.x, &by_bicgstab.x})
        EXPECT_LE(residual_norms(A, b, *x, 1)[0], 1e-8 * norm_of(b)) << n;
      EXPECT_EQ(by_cg.outcome.end, kernels::PersistentEnd::converged);
      EXPECT_EQ(by_bicgstab.outcome.end, kernels::PersistentEnd::converged);
    }
  }
}

}  // namespace

#endif
