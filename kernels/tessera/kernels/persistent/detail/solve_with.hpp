// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Runs a method with whichever preconditioner a solve within one launch is given.
#pragma once

#include "tessera/kernels/persistent/detail/cycle_steps.hpp"
#include "tessera/kernels/persistent/detail/run_solve.hpp"

#include <string>

namespace tessera::kernels::detail {

template <class View>
auto* data_or_null(const View& v) {
  return v.extent(0) > 0 ? v.data() : static_cast<decltype(v.data())>(nullptr);
}

/// Of the shared memory that a program would fill.
template <class Inner, class Space>
SharedBytes bytes_of(const StepProgram<Inner, Space>& program) {
  const auto bytes = program.bytes();
  const std::size_t all = bytes.of_one_block + bytes.of_others + bytes.of_vectors;
  return {bytes.of_one_block, bytes.of_others + bytes.of_vectors, all, all};
}

/// z = E program(D r) for a cooperative group of so many shares that wait for one another alone, or
/// 0.
template <class Scalar, class Inner, class Space>
CycleSteps<Scalar, Inner> cycle_steps(const Space& exec, StepProgram<Inner, Space>& program,
                                      const PersistentPreconditioner<Scalar, Space>& M,
                                      int waiting_shares) {
  CycleSteps<Scalar, Inner> steps{program.inside(exec), data_or_null(M.rows),
                                  data_or_null(M.columns)};
  if (waiting_shares > 0) steps.program.waits = program.waits(exec, waiting_shares);
  return steps;
}

/// `solve(make_M, bytes)` runs the method with the preconditioner `make_M(shares)`: see run_solve.
template <class Scalar, class Space, class Solve>
PersistentReport solve_with(const Space& exec, Ordinal num_rows,
                            const PersistentPreconditioner<Scalar, Space>& M, const Solve& solve) {
  for (const auto* const v : {&M.inverse_diagonal, &M.rows, &M.columns}) {
    if (v->extent(0) > 0) require_rows("a diagonal matrix of M", v->extent(0), num_rows);
  }
  // Nobody has made a program of no rows.
  const bool has_rows = num_rows > 0;
  const auto require_program = [&](const auto& program) {
    const auto& steps = program.steps();
    require(!steps.empty(), [] { return std::string("the program of M has no steps"); });
    require_rows("the last step of M's program", steps.back().num_rows, num_rows);
  };
  if (M.program != nullptr && has_rows) {
    require_program(*M.program);
    return solve([&](int shares) { return cycle_steps(exec, *M.program, M, shares); },
                 bytes_of(*M.program));
  }
  if constexpr (!std::is_same_v<Scalar, float>) {
    if (M.float_program != nullptr && has_rows) {
      require_program(*M.float_program);
      return solve([&](int shares) { return cycle_steps(exec, *M.float_program, M, shares); },
                   bytes_of(*M.float_program));
    }
  }
  if (M.factors != nullptr && has_rows) {
    require_rows("the diagonal of the factors of M", M.factors->num_rows(), num_rows);
    const std::size_t vector = M.factors->vector_bytes();
    const std::size_t all = M.factors->all_bytes();
    return solve(
        [&](int) { return M.factors->inside(); },
        SharedBytes{
            .of_each = M.factors->by_one_block() ? all : 0, .alone = vector, .alone_at_best = all});
  }
  if (M.blocks.extent(0) > 0) {
    require(M.block_rows >= 1 &&
                M.blocks.extent(0) == static_cast<std::size_t>(num_rows) * M.block_rows,
            [&] {
              return "the blocks of M have " + std::to_string(M.blocks.extent(0)) +
                     " entries, expected " + std::to_string(num_rows) + " times " +
                     std::to_string(M.block_rows);
            });
    return solve([&](int) { return DiagonalBlocks<Scalar>{M.blocks.data(), M.block_rows}; },
                 SharedBytes{});
  }
  return solve([&](int) { return DiagonalOrNone<Scalar>{data_or_null(M.inverse_diagonal)}; },
               SharedBytes{});
}

}  // namespace tessera::kernels::detail
