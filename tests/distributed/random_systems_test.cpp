// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Random systems, shares and parameters: what a solve says of itself is compared with residuals of
/// the whole matrix.
#include "distributed/shares.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace tessera::test::random_systems_test {

/// The same on all processes.
struct RandomSystem {
  std::vector<std::map<std::int64_t, double>> rows;
  std::vector<std::int64_t> starts;  ///< of the shares
  int columns = 1;
  double scale = 1;
  distributed::Parameters parameters;

  explicit RandomSystem(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](int count) {
      return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    const int n = std::vector<int>{1, 2, 7, 60, 400}[static_cast<std::size_t>(below(5))];
    const bool symmetric = below(2) == 0;
    const int per_row = 1 + below(6);
    scale = std::vector<double>{1, 1, 1e-120, 1e120, 1e-9}[static_cast<std::size_t>(below(5))];
    columns = 1 + below(3);
    rows.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      for (int e = 0; e < per_row; ++e) {
        const int j = below(n);
        const double value = -static_cast<double>(1 + below(100)) / 100;
        if (j == i) continue;
        rows[static_cast<std::size_t>(i)][j] = value;
        if (symmetric) rows[static_cast<std::size_t>(j)][i] = value;
      }
    }
    for (int i = 0; i < n; ++i) {
      double sum = 0.05;
      for (const auto& entry : rows[static_cast<std::size_t>(i)])
        sum -= entry.second;
      rows[static_cast<std::size_t>(i)][i] = sum;
    }
    starts = {0};
    for (int p = 1; p < num_processes(); ++p)
      starts.push_back(below(n + 1));
    starts.push_back(n);
    std::sort(starts.begin(), starts.end());
    auto& p = parameters;
    p.gather_rows = std::vector<int>{1, 5, 50, 10000}[static_cast<std::size_t>(below(4))];
    p.solve.preconditioner = std::vector{
        PreconditionerKind::automatic, PreconditionerKind::amg, PreconditionerKind::jacobi,
        PreconditionerKind::none}[static_cast<std::size_t>(below(4))];
    p.solve.solver.name = std::vector{SolverName::automatic, SolverName::bicgstab,
                                      SolverName::gmres}[static_cast<std::size_t>(below(3))];
    p.solve.solver.gmres.restart = 1 + below(40);
    p.solve.solver.max_iterations = below(8) == 0 ? below(4) : 500;
    p.solve.precision = below(4) == 0 ? Precision::single : Precision::automatic;
    p.solve.amg.reuse = below(2) == 0 ? amg::Reuse::symbolic : amg::Reuse::none;
  }

  HostShare share() const {
    HostShare own;
    for (auto i = starts[static_cast<std::size_t>(process())];
         i < starts[static_cast<std::size_t>(process()) + 1]; ++i) {
      for (const auto& [column, value] : rows[static_cast<std::size_t>(i)])
        own.push(column, scale * value);
      own.end_row();
    }
    return own;
  }

  /// ||b - A x|| / ||b|| of column j, in long double, the same on all processes.
  double residual(const Vectors& b, const Vectors& x, int j) const {
    const auto whole = [&](const Vectors& v) {
      std::vector<double> all(rows.size(), 0.0);
      const auto own = on_host(v);
      for (std::size_t i = 0; i < v.extent(0); ++i)
        all[static_cast<std::size_t>(starts[static_cast<std::size_t>(process())]) + i] =
            own[static_cast<std::size_t>(j) * v.extent(0) + i];
      all_processes()->sum(std::span<double>(all));
      return all;
    };
    const auto all_b = whole(b);
    const auto all_x = whole(x);
    long double above = 0;
    long double below = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      long double rest = all_b[i];
      for (const auto& [column, value] : rows[i])
        rest -= static_cast<long double>(scale * value) * all_x[static_cast<std::size_t>(column)];
      above += rest * rest;
      below += static_cast<long double>(all_b[i]) * all_b[i];
    }
    return static_cast<double>(std::sqrt(above / below));
  }
};

TEST(DistributedRandomSystems, AreSolvedAsTheySay) {
  const Space exec;
  int converged = 0;
  constexpr unsigned count = 120;
  for (unsigned seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    const RandomSystem system(seed);
    const Share share(system.share());
    const int n = static_cast<int>(share.offsets.extent(0)) - 1;
    const auto first = system.starts[static_cast<std::size_t>(process())];
    distributed::Solver<Space> solver(all_processes(), system.parameters);
    try {
      solver.setup(exec, share.rows());
      for (const int columns : {system.columns, 1}) {
        const auto b = waves(first, n, columns);
        const Vectors x = zeros(n, columns);
        const auto result = solver.solve(exec, b, x);
        ASSERT_EQ(result.columns.size(), static_cast<std::size_t>(columns));
        for (int j = 0; j < columns; ++j) {
          const auto& column = result.columns[static_cast<std::size_t>(j)];
          const double residual = system.residual(b, x, j);
          EXPECT_NEAR(column.true_relative_residual, residual, 1e-3 * residual + 1e-13) << j;
          if (column.status == SolveStatus::converged) {
            EXPECT_LE(residual, 1.001e-8) << j;
          }
          EXPECT_LE(residual, 1.001) << to_string(column.status);
        }
        converged += result.converged() ? 1 : 0;
        EXPECT_LE(result.iterations, system.parameters.solve.solver.max_iterations);
        if (system.parameters.solve.solver.max_iterations == 500) {
          EXPECT_NE(result.status, SolveStatus::not_a_number);
        }
        solver.update_values(exec, share.values);
      }
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(converged, static_cast<int>(count)) << "of " << 2 * count;
  RecordProperty("converged", converged);
}

}  // namespace tessera::test::random_systems_test
