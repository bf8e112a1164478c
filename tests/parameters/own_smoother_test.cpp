// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A smoother that the program registers, named by parameters.

#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "support/own_smoother.hpp"
#include "support/solves.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

namespace tessera::parameters::own_smoother_test {

SolveResult solve(const SolveParameters& parameters) {
  const HostSpace exec;
  const auto problem =
      make_problem<double, HostSpace>(exec, {.problem = ProblemKind::poisson2d, .n = 60});
  auto solver = test::set_up(exec, problem.A, parameters);
  MultiVector<double, HostSpace> x("x", problem.A.num_rows, 1);
  return solver.solve(exec, problem.b, x);
}

/// Parameters for multigrid of several levels, by name.
class OwnSmootherTest : public ::testing::Test {
 protected:
  OwnSmootherTest() {
    test::own_l1_jacobi();
    p.preconditioner = PreconditionerKind::amg;
    p.amg.coarse_size = 30;
  }
  void set(const std::string& key, const std::string& text) {
    ParameterTree(p).set_text(key, text, "-p");
  }

  SolveParameters p;
};

TEST_F(OwnSmootherTest, IsInListsSchemasAndErrors) {
  ParameterTree tree(p);
  EXPECT_NE(parameter_table(tree).find("l1-Jacobi again"), std::string::npos);
  const auto schema = nlohmann::json::parse(json_schema(tree));
  EXPECT_NE(schema.dump().find("\"own_l1_jacobi\""), std::string::npos);
  test::expect_error(test::error_of([&] { set("amg.smoother.type", "own_l1_jacobbi"); }),
                     ErrorKind::configuration, {"jacobi", "own_l1_jacobi"});
  set("amg.smoother.type", "own_l1_jacobi");
  EXPECT_EQ(p.amg.smoother.type, test::own_l1_jacobi());
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
  test::expect_error(test::error_of([&] { solve(p); }), ErrorKind::configuration,
                     {"own_in_float is not registered for a matrix of double"});
  set("precision", "float");
  EXPECT_TRUE(solve(p).converged());
}

}  // namespace tessera::parameters::own_smoother_test
