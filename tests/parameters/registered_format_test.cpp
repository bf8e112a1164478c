// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A registered storage format by name: where parameters name one, in help and in the schema.
#include "core/registered_formats.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

namespace tessera::parameters::registered_format_test {

class RegisteredFormat : public ::testing::Test {
 protected:
  StorageFormat copied = test::copied_format();
  SolveParameters p;
  ParameterTree tree{p};
};

TEST_F(RegisteredFormat, IsSetByName) {
  tree.set_text("amg.storage.format", "copied", "-p amg.storage.format=copied");
  EXPECT_EQ(p.amg.storage.format, copied);
  set_from_json(tree, R"({"amg": {"levels": [{"A": {"format": "csr"}}]}})", "c.json");
  tree.set_text("amg.levels.1.A.format", "copied", "-p");
  ASSERT_EQ(p.amg.levels.size(), 2u);
  EXPECT_EQ(p.amg.levels[0].A.format, StorageFormat::csr);
  EXPECT_EQ(p.amg.levels[1].A.format, copied);
  for (const auto& [key, value] : tree.values()) {
    const bool is_set = key == "amg.storage.format" || key == "amg.levels.1.A.format";
    if (is_set) {
      EXPECT_EQ(to_text(value), "copied") << key;
    }
  }
}

TEST_F(RegisteredFormat, IsInHelpSchemaAndErrors) {
  EXPECT_NE(parameter_table(tree).find("copied"), std::string::npos);
  EXPECT_NE(json_schema(tree).find("copied"), std::string::npos);
  test::expect_error(test::error_of([&] { tree.set_text("amg.storage.format", "copie", "-p"); }),
                     ErrorKind::configuration, {"copie", "least_bytes", "coo", "copied"});
}

/// A tree lists what was registered when it was made, and later registrations leave it alone.
TEST_F(RegisteredFormat, IsKnownToTreesMadeAfterwards) {
  const StorageFormat later =
      register_format("later", "registered after a tree was made", test::MakeNothing());
  EXPECT_THROW(tree.set_text("amg.storage.format", "later", "-p"), Error);
  tree.set_text("amg.storage.format", "copied", "-p");
  EXPECT_EQ(p.amg.storage.format, copied);
  SolveParameters q;
  ParameterTree other(q);
  other.set_text("amg.storage.format", "later", "-p");
  EXPECT_EQ(q.amg.storage.format, later);
}

TEST_F(RegisteredFormat, IsTheFinestLevelsByParameters) {
  using Space = HostSpace;
  const Space exec;
  tree.set_text("preconditioner", "amg", "-p");
  tree.set_text("amg.levels.0.A.format", "copied", "-p");
  tree.set_text("amg.levels.1.A.format", "csr", "-p");
  const auto problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 60});
  auto solver = test::set_up(exec, problem.A, p);
  const MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  EXPECT_TRUE(solver.solve(exec, problem.b, x).converged());
  const auto levels = solver.hierarchy().levels;
  ASSERT_GE(levels.size(), 2u);
  EXPECT_EQ(levels[0].A.format, "copied");
  EXPECT_EQ(levels[1].A.format, "csr");
}

}  // namespace tessera::parameters::registered_format_test
