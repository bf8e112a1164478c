// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening that the program registers, named by parameters and with some of its own, in whole
/// solves.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "support/own_coarsening.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace tessera::parameters {
namespace own_coarsening_test {

constexpr int side = 60;

/// The hierarchy of a solve that has to converge.
std::vector<LevelInfo> solved_levels(const SolveParameters& parameters) {
  const HostSpace exec;
  const auto problem = test::gallery_problem(exec, ProblemKind::poisson2d, side);
  auto solver = test::set_up(exec, problem.A, parameters);
  const std::vector<LevelInfo> levels = solver.hierarchy().levels;
  EXPECT_TRUE(test::solve_waves(exec, solver, problem.A.num_rows).converged());
  return levels;
}

/// Parameters for multigrid of several levels, by name.
class OwnCoarseningTest : public ::testing::Test {
 protected:
  OwnCoarseningTest() {
    test::own_groups();
    configure(R"({"preconditioner": "amg", "amg": {"coarse_size": 30}})");
  }
  void set(const std::string& key, const std::string& text) {
    ParameterTree(p).set_text(key, text, "-p");
  }
  void configure(const std::string& text) {
    ParameterTree tree(p);
    set_from_json(tree, text, "c.json");
  }
  /// The first of its parameters, for all levels.
  int length() const { return std::get<int>(p.amg.registered.values(test::own_groups())[0]); }

  SolveParameters p;
};

TEST_F(OwnCoarseningTest, TakesParametersOfEachKindFromJson) {
  configure(R"({"amg": {"coarsening": "own_groups",
                        "own_groups": {"length": 3, "weight": 2, "follows": true,
                                       "gives": "P_and_R"}}})");
  const auto values = p.amg.registered.values(test::own_groups());
  const auto own = with_values(test::OwnGroupsParameters{}, values);
  EXPECT_EQ(own.length, 3);
  EXPECT_EQ(own.weight, 2.0);
  EXPECT_TRUE(own.follows);
  EXPECT_EQ(own.gives, test::GroupsGive::P_and_R);
  EXPECT_EQ(own.fault, test::GroupsFault::none);
  EXPECT_EQ(solved_levels(p)[1].rows, side * side / 3);
  // What a report says of the parameters sets the same again.
  SolveParameters again;
  ParameterTree tree(again);
  set_from_json(tree, to_json(ParameterTree(p).values()), "report.json");
  EXPECT_EQ(again.amg.coarsening, test::own_groups());
  EXPECT_EQ(again.amg.registered.values(test::own_groups()), values);
}

TEST_F(OwnCoarseningTest, IsOneLevelsWhereAskedFor) {
  configure(R"({"amg": {"levels": [
      {"coarsening": {"type": "own_groups", "own_groups": {"length": 6}}},
      {"coarsening": {"type": "smoothed_aggregation"}}]}})");
  set("amg.levels.0.coarsening.own_groups.length", "5");
  EXPECT_EQ(length(), 2) << "of all levels";
  const auto levels = solved_levels(p);
  ASSERT_GE(levels.size(), 3U);
  EXPECT_EQ(levels[0].coarsening, "own_groups");
  EXPECT_EQ(levels[1].rows, side * side / 5);
  EXPECT_EQ(levels[1].coarsening, "smoothed_aggregation");
}

TEST_F(OwnCoarseningTest, IsInListsSchemasAndErrors) {
  ParameterTree tree(p);
  const std::string table = parameter_table(tree);
  EXPECT_NE(table.find("own_groups       groups of consecutive unknowns"), std::string::npos);
  EXPECT_NE(table.find("amg.own_groups: groups of consecutive unknowns"), std::string::npos);
  EXPECT_NE(table.find("amg.own_groups.length = 2"), std::string::npos);
  EXPECT_NE(table.find("amg.levels.N.coarsening.own_groups.weight"), std::string::npos);
  const auto schema = nlohmann::json::parse(json_schema(tree));
  const auto& amg = schema["properties"]["amg"]["properties"];
  const auto& names = amg["coarsening"]["enum"];
  EXPECT_NE(std::find(names.begin(), names.end(), "own_groups"), names.end());
  EXPECT_EQ(amg["own_groups"]["properties"]["length"]["maximum"], 100);
  const auto refused = [&](const std::string& key, const std::string& text,
                           std::initializer_list<std::string> parts) {
    test::expect_error(test::error_of([&] { set(key, text); }), ErrorKind::configuration, parts);
  };
  refused("amg.coarsening", "own_grops", {"did you mean 'own_groups'?"});
  refused("amg.own_groups.lenght", "3",
          {"unknown parameter", "did you mean 'amg.own_groups.length'?"});
  refused("amg.levels.0.coarsening.own_groups.lenght", "3",
          {"did you mean 'amg.levels.0.coarsening.own_groups.length'?"});
  refused("amg.own_groups.length", "101", {"out of range", "from 0 to 100"});
  refused("amg.own_groups.gives", "Q", {"one of: P, P_and_R, product"});
  refused("amg.own_groups", "3", {"is a section", "amg.own_groups.length"});
}

/// A tree lists what was registered when it was made. Later registrations leave it alone, though
/// they put parameters between its own.
TEST_F(OwnCoarseningTest, IsKnownToTreesMadeAfterwards) {
  ParameterTree tree(p);
  tree.set_text("amg.levels.0.coarsening.type", "pairwise", "-p");
  amg::register_coarsening("own_later", "registered after a tree was made",
                           test::OwnGroupsParameters{}, test::MakeOwnGroups{});
  test::expect_error(test::error_of([&] { tree.set_text("amg.coarsening", "own_later", "-p"); }),
                     ErrorKind::configuration, {"no value 'own_later'", "own_groups"});
  EXPECT_THROW(tree.set_text("amg.own_later.length", "3", "-p"), Error);
  tree.set_text("amg.levels.0.smoother.sweeps", "3", "-p");
  tree.set_text("amg.levels.0.A.format", "coo", "-p");
  tree.set_text("amg.own_groups.length", "7", "-p");
  EXPECT_EQ(p.amg.levels[0].smoother.sweeps, 3);
  EXPECT_EQ(p.amg.levels[0].A.format, StorageFormat::coo);
  EXPECT_EQ(length(), 7);
  EXPECT_NO_THROW(set("amg.own_later.length", "3"));
  EXPECT_NO_THROW(set("amg.coarsening", "own_later"));
}

/// Values stay where a tree has found them.
TEST_F(OwnCoarseningTest, MayBeAssignedBelowATree) {
  ParameterTree tree(p);
  tree.set_text("amg.own_groups.length", "5", "-p");
  p = SolveParameters();
  EXPECT_EQ(length(), 2);
  tree.set_text("amg.own_groups.length", "6", "-p");
  EXPECT_EQ(length(), 6);
}

/// A section of its name lies beside all other parameters of multigrid.
TEST_F(OwnCoarseningTest, HasANameThatNoParameterHas) {
  const ParameterTree tree(p);
  std::vector<std::string> keys;
  for (const auto& parameter : tree.parameters())
    keys.push_back(parameter.key);
  for (const auto& list : tree.lists()) {
    keys.push_back(list.key);
    for (const auto& parameter : list.parameters)
      if (parameter.key.starts_with("coarsening."))
        keys.push_back("amg." + parameter.key.substr(std::string("coarsening.").size()));
  }
  int number = 0;
  for (const std::string& key : keys) {
    if (!key.starts_with("amg.")) continue;
    const std::string name = key.substr(4, key.find('.', 4) - 4);
    test::expect_error(test::error_of([&] {
                         amg::register_coarsening(name, "", test::OwnGroupsParameters{},
                                                  test::MakeOwnGroups{});
                       }),
                       ErrorKind::precondition, {"cannot be registered as " + name});
    ++number;
  }
  EXPECT_GT(number, 30);
}

TEST_F(OwnCoarseningTest, OfAnotherTypeIsAnErrorOfTheSetup) {
  using Fine = amg::FineLevel<float, HostSpace, std::int32_t>;
  amg::register_coarsening("own_float_groups", "for matrices in float", [](const Fine& fine) {
    return test::MakeOwnGroups{}(fine, test::OwnGroupsParameters{});
  });
  set("amg.coarsening", "own_float_groups");
  set("precision", "same");
  test::expect_error(test::error_of([&] { solved_levels(p); }), ErrorKind::configuration,
                     {"own_float_groups is not registered for a matrix of double"});
  set("precision", "float");
  const auto levels = solved_levels(p);
  EXPECT_EQ(levels[0].coarsening, "own_float_groups");
  EXPECT_EQ(levels[1].precision, "float");
}

}  // namespace own_coarsening_test
}  // namespace tessera::parameters
