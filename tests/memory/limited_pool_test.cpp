// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory of the device that runs out: within a pool of so many bytes, and because nobody has as
/// much as is asked for.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/array_pool.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/out_of_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tessera::test::limited_pool_test {

using Space = DeviceSpace;

/// More than any machine has.
constexpr std::size_t too_many = std::size_t(1) << 46;

TEST(OutOfMemory, IsKnownByWhatKokkosThrows) {
  const Space exec;
  const auto allocate_too_much = [&] { allocate<double>(exec, "tessera::test", too_many); };
  try {
    allocate_too_much();
    FAIL() << "somebody has as much";
  } catch (const std::exception& error) {
    EXPECT_TRUE(is_out_of_memory(error)) << error.what();
  }
  allocate<double>(exec, "tessera::test", 1000);  // and a smaller one is had
  expect_error(error_of([&] {
                 detail::with_memory_errors([] { return std::string("here"); }, allocate_too_much);
               }),
               ErrorKind::out_of_memory,
               {"here: memory ran out", "tessera::test", "precision=float"});
  EXPECT_FALSE(is_out_of_memory(std::runtime_error("something else")));
  // What Kokkos says where its message does not get the memory for more.
  EXPECT_TRUE(is_out_of_memory(std::runtime_error("Kokkos ERROR: H")));
  EXPECT_FALSE(is_out_of_memory(std::runtime_error(
      "Kokkos ERROR: attempting to perform C-style memory management via kokkos_malloc")));
  EXPECT_FALSE(is_out_of_memory(Error(ErrorKind::io, "memory space failed to allocate")));
}

TEST(LimitedPool, GivesNoMoreThanItsBytes) {
  const Space exec;
  const ArrayPool<Space> pool(exec, true, 1000000);
  auto a = allocate<double>(exec, "tessera::test", 100000);
  EXPECT_THROW(allocate<double>(exec, "tessera::test", 100000), std::bad_alloc);
  EXPECT_THROW(allocate<float>(exec, "tessera::test", 10), std::bad_alloc) << "a chunk is more";
  a = {};
  EXPECT_NO_THROW(allocate<double>(exec, "tessera::test", 100000));
}

/// From too little for anything to enough: the setup says which step it was, and what is free by
/// then does for another.
TEST(LimitedPool, ASetupSaysWhereItRanOut) {
  const Space exec;
  const auto problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 150});
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg.reuse = amg::Reuse::symbolic;
  Solver<double, Space> solver(parameters);
  const auto x = zeros<double>(exec, problem.A.num_rows);
  int refused = 0, on_levels = 0;
  for (std::size_t limit = 0;; limit += std::size_t(1) << 18) {
    SCOPED_TRACE(limit);
    const ArrayPool<Space> pool(exec, true, limit);
    const auto error = error_of([&] { solver.setup(exec, problem.A); });
    if (!error) break;
    ++refused;
    ASSERT_EQ(error->kind(), ErrorKind::out_of_memory) << error->what();
    const std::string message = error->what();
    const bool is_on_level = message.starts_with("setup of level ");
    on_levels += is_on_level ? 1 : 0;
    EXPECT_TRUE(is_on_level || message.starts_with("setup, ")) << message;
    EXPECT_EQ(message_of(ErrorKind::precondition, [&] { solver.solve(exec, problem.b, x); }),
              "Solver::solve before a setup that succeeded; call Solver::setup first");
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(on_levels, 3);
  EXPECT_TRUE(solver.solve(exec, problem.b, x).converged());
}

TEST(LimitedPool, AnUpdateThatRanOutIsMadeUpFor) {
  const Space exec;
  const auto problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 60});
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  auto solver = set_up(exec, problem, parameters);
  const auto x = zeros<double>(exec, problem.A.num_rows);
  {
    const ArrayPool<Space> pool(exec, true, 0);
    expect_error(error_of([&] { solver.update_values(exec); }), ErrorKind::out_of_memory,
                 {"update_values"});
  }
  solver.update_values(exec);
  EXPECT_TRUE(solver.solve(exec, problem.b, x).converged());
}

TEST(LimitedPool, ASolveThatRanOutIsRepeated) {
  const Space exec;
  const auto problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 60});
  auto solver = set_up(exec, problem);
  const auto x = zeros<double>(exec, problem.A.num_rows);
  {
    const ArrayPool<Space> pool(exec, true, 0);
    expect_error(error_of([&] { solver.solve(exec, problem.b, x); }), ErrorKind::out_of_memory,
                 {"solve"});
  }
  EXPECT_TRUE(solver.solve(exec, problem.b, x).converged());
}

}  // namespace tessera::test::limited_pool_test
