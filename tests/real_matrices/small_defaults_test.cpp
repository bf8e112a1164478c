// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// All square matrices from real problems of at most 2,000 rows, solved with the defaults, sparse
/// factors among them, by the right-hand sides of `tessera solve --rhs random` and `--rhs ones`:
/// each solve ends as it is recorded.
#include "real_matrix.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tessera::test::small_defaults_test {

using Space = DeviceSpace;

struct End {
  int iterations;  ///< where it converges; those of others hang on rounding
  const char* status = "converged";
};

struct Matrix {
  const char* name;
  End random;
  End ones;

  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) { return out << m.name; }
};

constexpr Matrix matrices[] = {
    // Of real-defaults-d-epyc-2026-11-28.json.xz, by the command.
    {"Trefethen_2000", {10}, {10}},
    {"bcsstk26", {1}, {1}},
    {"plat1919", {0, "stagnated"}, {0, "stagnated"}},
    {"watt_1", {18}, {21}},
    {"watt_2", {1}, {2}},
    {"ex3", {2}, {5}},
    {"adder_dcop_05", {1}, {1}},
    {"bcsstk14", {31}, {31}},
    {"epb0", {27}, {11}},
    {"ex33", {5}, {5}},
    {"ex6", {0, "max_iterations"}, {0, "max_iterations"}},
    {"west1505", {1}, {1}},
    {"qh1484", {5}, {6}},
    {"bcsstk11", {1}, {1}},
    {"bcsstk12", {1}, {1}},
    {"bcsstm12", {31}, {31}},
    {"msc01440", {1}, {1}},
    {"nnc1374", {0, "stagnated"}, {0, "stagnated"}},
    {"rail_1357", {1}, {1}},
    {"plbuckle", {1}, {1}},
    {"mahindas", {1}, {1}},
    {"rdb1250", {38}, {11}},
    {"rdb1250l", {1}, {1}},
    {"bcsstk27", {1}, {1}},
    {"bcsstm27", {1}, {0, "stagnated"}},
    {"pores_2", {1}, {1}},
    {"M20PI_n", {0, "stagnated"}, {0, "stagnated"}},
    {"S20PI_n", {0, "stagnated"}, {0, "stagnated"}},
    {"rajat19", {4}, {4}},
    {"1138_bus", {32}, {34}},
    {"gre_1107", {31}, {31}},
    {"sherman4", {14}, {15}},
    {"bcsstk10", {1}, {1}},
    {"bcsstm10", {1}, {1}},
    {"bcsstk09", {31}, {31}},
    {"sherman2", {1}, {1}},
    {"bcsstk08", {39}, {31}},
    {"msc01050", {0, "stagnated"}, {0, "stagnated"}},
    {"orsirr_1", {6}, {6}},
    {"M20PI_n1", {0, "stagnated"}, {0, "stagnated"}},
    {"S20PI_n1", {0, "stagnated"}, {0, "stagnated"}},
    {"circuit204", {1}, {1}},
    {"cage8", {16}, {15}},
    // By the command of a day later; that record has none of fewer than 1,000 rows.
    {"bcsstm26", {1}, {1}},
    {"bcsstm11", {1}, {1}},
    {"bcsstm09", {1}, {1}},
    {"bcsstm08", {1}, {1}},
    {"olm1000", {1}, {1}},
    {"saylr3", {0, "least_squares"}, {0, "least_squares"}},
    {"sherman1", {18}, {19}},
    {"jpwh_991", {10}, {10}},
    {"nos3", {1}, {1}},
    {"nos2", {1}, {5}},
    {"gr_30_30", {10}, {10}},
    {"pde900", {8}, {8}},
    {"orsirr_2", {7}, {7}},
    {"bcsstk19", {1}, {5}},
    {"Si2", {11}, {12}},
    {"fs_760_3", {11}, {13}},
    {"685_bus", {19}, {21}},
    {"662_bus", {22}, {26}},
    {"steam2", {1}, {1}},
    {"bcsstk34", {168}, {145}},
    {"fs_541_1", {1}, {1}},
    {"494_bus", {20}, {21}},
    {"west0479", {3}, {3}},
    {"nos5", {31}, {31}},
    {"bcsstk06", {31}, {31}},
    {"bcsstm07", {1}, {1}},
    {"arc130", {1}, {1}},
    {"CAG_mat72", {1}, {1}},
    {"bcsstk01", {1}, {1}},
    {"Hamrle1", {1}, {1}},
    {"pores_1", {1}, {1}},
    {"LFAT5", {1}, {1}}};

class SmallDefaults : public ::testing::TestWithParam<Matrix> {
 public:
  void expect(const End& end, const kernels::Csr<double, Space>& A,
              const std::vector<double>& rhs) {
    const Space exec;
    const std::size_t n = A.num_rows;
    const auto x = zeros<double>(exec, n);
    SolveParameters parameters;
    parameters.solver.max_iterations = iteration_limit(parameters.solver.max_iterations);
    auto solver = set_up(exec, A, parameters);
    const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
    const double residual = true_relative_residual(to_host(A), rhs, to_host(x));
    std::printf("%-16s %5zu rows  %-14s %4d iterations  true relative residual %.2e\n",
                GetParam().name, n, std::string(to_string(result.status)).c_str(),
                result.iterations, residual);
    EXPECT_LE(residual, 1 + 1e-8) << "that of the guess";
    if (result.converged()) {
      EXPECT_LE(residual, 1.001e-8);
    }
    if (asked_share() > 1) return;
    EXPECT_EQ(to_string(result.status), end.status);
    if (result.converged()) {
      EXPECT_NEAR(result.iterations, end.iterations, count_tolerance(end.iterations));
    }
  }
};

TEST_P(SmallDefaults, EndAsRecorded) {
  const Matrix& m = GetParam();
  if (const auto why = why_unreadable(m.name); !why.empty()) GTEST_SKIP() << why;
  if (!may_factor<Space>()) GTEST_SKIP() << "recorded with sparse factors";
  const auto A = read_real_matrix(Space(), m.name);
  {
    SCOPED_TRACE("random");
    expect(m.random, A, command_random_rhs(A.num_rows));
  }
  SCOPED_TRACE("ones");
  expect(m.ones, A, std::vector<double>(A.num_rows, 1));
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, SmallDefaults, ::testing::ValuesIn(matrices),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::small_defaults_test
