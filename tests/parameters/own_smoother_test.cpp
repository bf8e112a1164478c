// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A smoother that the program registers, named by parameters, in whole solves.

#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "support/own_smoother.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

#include <vector>

namespace tessera::parameters::own_smoother_test {

struct Outcome {
  SolveResult result;
  std::vector<std::string> smoothers;  ///< of all levels
};

template <class Space>
Outcome solve(const SolveParameters& parameters) {
  const Space exec;
  const auto problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 60});
  Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A);
  MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  Outcome outcome{solver.solve(exec, problem.b, x), {}};
  for (const auto& level : solver.hierarchy().levels)
    outcome.smoothers.push_back(level.smoother);
  return outcome;
}

/// Parameters for multigrid of several levels, by name.
class OwnSmootherTest : public ::testing::Test {
 protected:
  OwnSmootherTest() {
    test::own_l1_jacobi();
    configure(R"({"preconditioner": "amg", "amg": {"coarse_size": 30}})");
  }
  void set(const std::string& key, const std::string& text) {
    ParameterTree(p).set_text(key, text, "-p");
  }
  void configure(const std::string& text) {
    ParameterTree tree(p);
    set_from_json(tree, text, "c.json");
  }

  SolveParameters p;
};

TEST_F(OwnSmootherTest, SolvesAsTheOneThatItRepeats) {
  set("amg.smoother.type", "l1_jacobi");
  const Outcome expected = solve<HostSpace>(p);
  set("amg.smoother.type", "own_l1_jacobi");
  EXPECT_EQ(p.amg.smoother.type, test::own_l1_jacobi());
  const Outcome outcome = solve<HostSpace>(p);
  EXPECT_TRUE(outcome.result.converged());
  EXPECT_EQ(outcome.result.iterations, expected.result.iterations);
  EXPECT_EQ(outcome.result.true_relative_residual, expected.result.true_relative_residual);
  ASSERT_GE(outcome.smoothers.size(), 3U);
  EXPECT_EQ(outcome.smoothers[0], "own_l1_jacobi");
  EXPECT_EQ(outcome.smoothers[1], "own_l1_jacobi");
}

TEST_F(OwnSmootherTest, WorksOnLevelsInFloat) {
  set("amg.smoother.type", "own_l1_jacobi");
  set("precision", "float");
  EXPECT_TRUE(solve<HostSpace>(p).result.converged());
}

TEST_F(OwnSmootherTest, IsOneLevelsWhereAskedFor) {
  configure(R"({"amg": {"levels": [{"smoother": {"type": "jacobi"}},
                                   {"smoother": {"type": "own_l1_jacobi"}}]}})");
  set("amg.levels.2.smoother.type", "chebyshev");
  const Outcome outcome = solve<DeviceSpace>(p);
  EXPECT_TRUE(outcome.result.converged());
  ASSERT_GE(outcome.smoothers.size(), 3U);
  EXPECT_EQ(outcome.smoothers[0], "jacobi");
  EXPECT_EQ(outcome.smoothers[1], "own_l1_jacobi");
}

TEST_F(OwnSmootherTest, IsInListsSchemasAndErrors) {
  ParameterTree tree(p);
  EXPECT_NE(parameter_table(tree).find("l1-Jacobi again"), std::string::npos);
  const auto schema = nlohmann::json::parse(json_schema(tree));
  EXPECT_NE(schema.dump().find("\"own_l1_jacobi\""), std::string::npos);
  test::expect_error(test::error_of([&] { set("amg.smoother.type", "own_l1_jacobbi"); }),
                     ErrorKind::configuration, {"jacobi", "own_l1_jacobi"});
  set("amg.smoother.type", "own_l1_jacobi");
  EXPECT_NE(to_json(ParameterTree(p).values()).find("\"own_l1_jacobi\""), std::string::npos);
}

TEST_F(OwnSmootherTest, OfAnotherTypeIsAnErrorOfTheSetup) {
  using Inputs = SmootherInputs<float, HostSpace, std::int32_t>;
  register_smoother("own_in_float", "for matrices in float", {.entries = true},
                    [](const HostSpace& exec, const Inputs& inputs) {
                      return test::MakeOwnSmoother{}(exec, inputs);
                    });
  set("amg.smoother.type", "own_in_float");
  set("precision", "same");
  test::expect_error(test::error_of([&] { solve<HostSpace>(p); }), ErrorKind::configuration,
                     {"own_in_float is not registered for a matrix of double"});
  set("precision", "float");
  EXPECT_TRUE(solve<HostSpace>(p).result.converged());
}

}  // namespace tessera::parameters::own_smoother_test
