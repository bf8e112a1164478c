// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setup and solve of Tessera on a gallery problem, timed as its peers are: what the comparison
/// programs share.
#pragma once

#include "support/hashed_values.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/solve.hpp"

#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::perf {

/// What solved: an iteration around a part of the matrix, or all of it, factored or inverted.
enum class SolveMethod {
  iterative,
  direct,  ///< sparse factors of the whole matrix, from the start
  fallback,  ///< the same after iterations that did badly
  dense  ///< a dense inverse of the whole matrix
};

NLOHMANN_JSON_SERIALIZE_ENUM(SolveMethod, {{SolveMethod::iterative, "iterative"},
                                           {SolveMethod::direct, "direct"},
                                           {SolveMethod::fallback, "fallback"},
                                           {SolveMethod::dense, "dense"}})

/// One setup and one solve.
struct Timing {
  double setup_ms = 0;
  double solve_ms = 0;
  int iterations = 0;
  double relative_residual = 0;
  SolveMethod method = SolveMethod::iterative;

  double total_ms() const { return setup_ms + solve_ms; }
};

/// The middle value by `key`.
template <class Key>
double median(const std::vector<Timing>& runs, Key key) {
  std::vector<double> values;
  for (const auto& run : runs)
    values.push_back(key(run));
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The medians of several runs.
inline Timing medians(const std::vector<Timing>& runs) {
  return {median(runs, [](const Timing& t) { return t.setup_ms; }),
          median(runs, [](const Timing& t) { return t.solve_ms; }), runs.back().iterations,
          runs.back().relative_residual};
}

/// One line of the table.
inline void print_row(const std::string& name, const Timing& t) {
  std::printf("%-34s %10.1f %10.1f %10.1f %6d %12.3e\n", name.c_str(), t.setup_ms, t.solve_ms,
              t.total_ms(), t.iterations, t.relative_residual);
}

inline void print_header() {
  std::printf("%-34s %10s %10s %10s %6s %12s\n", "median", "setup ms", "solve ms", "total ms",
              "iter", "residual");
}

inline nlohmann::json to_json(const std::string& name, const Timing& t) {
  return {{"name", name},
          {"setup_ms", t.setup_ms},
          {"solve_ms", t.solve_ms},
          {"total_ms", t.total_ms()},
          {"iterations", t.iterations},
          {"true_relative_residual", t.relative_residual}};
}

/// What a Solver solved with; `direct_at_once`: factors were picked in its setup.
inline SolveMethod method_of(const SolveParameters& parameters, const HierarchyInfo& hierarchy,
                             bool direct_at_once) {
  if (parameters.preconditioner == PreconditionerKind::direct)
    return direct_at_once ? SolveMethod::direct : SolveMethod::fallback;
  if (parameters.preconditioner != PreconditionerKind::amg || hierarchy.levels.size() != 1)
    return SolveMethod::iterative;
  const std::string& way = hierarchy.levels.front().aggregation;
  if (way.starts_with("dense ")) return SolveMethod::dense;
  return way.starts_with("sparse ") ? SolveMethod::direct : SolveMethod::iterative;
}

/// Tessera: setup and solve from scratch, x0 = 0; the solution in `x`.
template <class Space>
Timing run_tessera(const Space& exec, const kernels::Csr<double, Space>& A,
                   const MultiVector<double, Space>& b, const SolveParameters& parameters,
                   const MultiVector<double, Space>& x,
                   const ConstMultiVectorView<double, Space>& near_nullspace = {},
                   int block_size = 0) {
  Kokkos::deep_copy(exec, x, 0.0);
  exec.fence("tessera::perf");
  Timing timing;
  Kokkos::Timer timer;
  Solver<double, Space> solver(parameters);
  solver.setup(exec, A, near_nullspace, block_size);
  exec.fence("tessera::perf");
  timing.setup_ms = timer.seconds() * 1e3;
  const bool direct_at_once = solver.parameters().preconditioner == PreconditionerKind::direct;
  timer.reset();
  const auto result = solver.solve(exec, b, x);
  timing.solve_ms = timer.seconds() * 1e3;
  timing.method = method_of(solver.parameters(), solver.hierarchy(), direct_at_once);
  timing.iterations = result.iterations;
  timing.relative_residual = result.true_relative_residual;
  return timing;
}

/// The same where nobody asks for the solution.
template <class Space>
Timing run_tessera(const Space& exec, const kernels::Csr<double, Space>& A,
                   const MultiVector<double, Space>& b, const SolveParameters& parameters) {
  return run_tessera(exec, A, b, parameters,
                     allocate_multivector<double>(exec, "tessera::perf::x", A.num_rows, 1));
}

/// b = A 1.
template <class Space>
MultiVector<double, Space> row_sums(const Space& exec, const kernels::Csr<double, Space>& A) {
  const auto ones = allocate_multivector<double>(exec, "tessera::perf::ones", A.num_cols, 1);
  const auto b = allocate_multivector<double>(exec, "tessera::perf::b", A.num_rows, 1);
  Kokkos::deep_copy(exec, ones, 1.0);
  const auto plan = kernels::analyse_spmv(exec, A.view());
  kernels::spmv(exec, plan, 1.0, A.view(), ones, 0.0, b);
  return b;
}

/// Hashed values in [-1, 1).
template <class Space>
MultiVector<double, Space> random_vector(const Space& exec, Ordinal n) {
  const auto v = allocate_multivector<double>(exec, "tessera::perf::random", n, 1);
  Kokkos::parallel_for("tessera::perf::random", Kokkos::RangePolicy<Space>(exec, 0, n),
                       FillHashed<Space>{0, v});
  return v;
}

}  // namespace tessera::perf
