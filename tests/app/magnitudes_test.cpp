// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command with right-hand sides of any magnitude.

#include <cmath>
#include <vector>

#include "app/command_fixture.hpp"
#include "support/host_values.hpp"

namespace tessera::app::magnitudes_test {

constexpr int rows = 24 * 24;
constexpr double magnitudes[] = {1e-300, 1e-200, 1e-162, 1e-155, 1, 1e153, 1e200, 1e300};

class MagnitudesOfCommand : public CommandTest {
 protected:
  /// b.mtx, a column for each factor of the same numbers.
  void write_rhs(const std::vector<double>& factors) const {
    std::ostringstream text;
    text.precision(17);
    text << "%%MatrixMarket matrix array real general\n" << rows << ' ' << factors.size() << '\n';
    for (const double factor : factors)
      for (int i = 0; i < rows; ++i)
        text << factor * std::sin(1 + 3.7 * i) << '\n';
    write("b.mtx", text.str());
  }
  /// x.mtx, column after column.
  std::vector<double> solution() const {
    std::istringstream text(read("x.mtx"));
    std::string banner;
    std::getline(text, banner);
    std::size_t n = 0, k = 0;
    text >> n >> k;
    std::vector<double> x;
    for (std::string number; text >> number;)
      x.push_back(std::stod(number));
    EXPECT_EQ(x.size(), n * k);
    return x;
  }
  int iterations(const std::string& precision, int exit_code = 0) const {
    const Outcome outcome =
        run("solve --problem poisson2d --n 24 --rhs b.mtx -o x.mtx --report r.json "
            "-p preconditioner=amg -p solver.tolerance=1e-5 --precision " +
            precision);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    return report("r.json")["iterations"].get<int>();
  }
};

TEST_F(MagnitudesOfCommand, TakeTheIterationsOfOneInEveryPrecision) {
  for (const char* precision : {"auto", "double", "mixed", "float"}) {
    SCOPED_TRACE(precision);
    write_rhs({1});
    const int expected = iterations(precision);
    const auto x_of_one = solution();
    write_rhs({std::begin(magnitudes), std::end(magnitudes)});
    EXPECT_EQ(iterations(precision), expected);
    const auto x = solution();
    ASSERT_EQ(x.size(), std::size(magnitudes) * x_of_one.size());
    for (std::size_t j = 0; j < std::size(magnitudes); ++j) {
      std::vector<double> at_one(x.begin() + j * rows, x.begin() + (j + 1) * rows);
      for (double& value : at_one)
        value /= magnitudes[j];
      EXPECT_LT(test::relative_difference(at_one, x_of_one), 1e-4) << magnitudes[j];
    }
  }
}

TEST_F(MagnitudesOfCommand, DenormalRightHandSidesAreNoFalseSuccess) {
  write_rhs({1e-322});
  iterations("double", 2);  // not converged
  EXPECT_EQ(report("r.json")["status"], "stagnated");
}

}  // namespace tessera::app::magnitudes_test
