// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every matrix of the folder, solved with the defaults, sparse factors among them, by the
/// right-hand side of `tessera solve --rhs random`, and those of at most 2,000 rows by that of
/// `--rhs ones`, too: each solve ends as it is recorded, and none of the folder is without a
/// record.
#include "real_matrix.hpp"
#include "recorded_defaults.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

namespace tessera::test::every_matrix_test {

using Space = DeviceSpace;

std::string_view name_of(PreconditionerKind kind) {
  for (const auto& known : preconditioner_names)
    if (known.value == kind) return known.name;
  return "";
}

class EveryMatrix : public ::testing::TestWithParam<Recorded> {
 public:
  void expect(const char* which, const End& end, const kernels::Csr<double, Space>& A,
              const std::vector<double>& rhs) {
    SCOPED_TRACE(which);
    const Space exec;
    const std::size_t n = A.num_rows;
    const auto x = zeros<double>(exec, n);
    SolveParameters parameters;
    parameters.solver.max_iterations = iteration_limit(parameters.solver.max_iterations);
    auto solver = set_up(exec, A, parameters);
    const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
    const double residual = true_relative_residual(to_host(A), rhs, to_host(x));
    const auto picked = name_of(solver.parameters().preconditioner);  // factors after it, if any
    std::printf("%-20s %6zu rows  %-6s  %-8s %-14s %4d iterations  left %.2e  %.0f ms\n",
                GetParam().name, n, which, std::string(picked).c_str(),
                std::string(to_string(result.status)).c_str(), result.iterations, residual,
                solver.setup_ms() + result.solve_ms);
    EXPECT_LE(residual, 1 + 1e-8) << "that of the guess";
    if (result.converged()) {
      EXPECT_LE(residual, 1.001e-8);
    }
    if (asked_share() > 1) return;
    EXPECT_EQ(to_string(result.status), end.status);
    EXPECT_EQ(picked, end.preconditioner);
    if (result.converged()) {
      EXPECT_NEAR(result.iterations, end.iterations, count_tolerance(end.iterations));
    } else {
      EXPECT_LE(residual, end.left);
    }
  }
};

TEST_P(EveryMatrix, EndsAsRecorded) {
  const Recorded& m = GetParam();
  if (const auto why = why_unreadable(m.name); !why.empty()) GTEST_SKIP() << why;
  if (!may_factor<Space>()) GTEST_SKIP() << "recorded with sparse factors";
  const bool is_small = m.ones.preconditioner != nullptr;
  if (asked_share() > 1 && !is_small)
    GTEST_SKIP() << "left out where a share of the cases is asked for: it is large";
  const auto A = read_real_matrix(Space(), m.name);
  expect("random", m.random, A, command_random_rhs(A.num_rows));
  if (is_small) expect("ones", m.ones, A, std::vector<double>(A.num_rows, 1));
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, EveryMatrix, ::testing::ValuesIn(recorded_defaults),
                         [](const auto& test) { return std::string(test.param.name); });

/// A matrix that comes into the folder has to be recorded.
TEST(RealMatrices, EachOfTheFolderIsRecorded) {
  if (const auto why = why_unreadable(); !why.empty()) GTEST_SKIP() << why;
  std::set<std::string> known;
  for (const auto& m : recorded_defaults)
    known.insert(m.name);
  for (const auto& m : unsolved)
    EXPECT_TRUE(known.insert(m.name).second) << m.name << " is solved, too";
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(matrices())) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(".mtx.xz")) there.insert(file.substr(0, file.size() - 7));
  }
  std::ifstream index(matrices() / "INDEX.tsv");
  std::string line;
  std::getline(index, line);  // the columns' names
  while (std::getline(index, line))
    there.insert(line.substr(0, line.find('\t')));
  for (const auto& name : there)
    EXPECT_TRUE(known.contains(name)) << name << " is not in recorded_defaults.hpp";
}

}  // namespace tessera::test::every_matrix_test
