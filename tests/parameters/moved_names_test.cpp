// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What had another name is an error that names the new one, whatever it comes in by.
#include "tessera/parameters/moved_names.hpp"

#include "support/error_of.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

namespace tessera::parameters::moved_names_test {

/// A whole key and one of its values.
struct Case {
  std::string before;
  std::string now;
  std::string value;
};

const std::vector<Case> cases{
    {"amg.smoother.omega", "amg.smoother.jacobi.omega", "0.5"},
    {"amg.smoother.omega_over_radius", "amg.smoother.jacobi.omega_over_radius", "false"},
    {"amg.smoother.degree", "amg.smoother.chebyshev.degree", "3"},
    {"amg.smoother.eigenvalue_ratio", "amg.smoother.chebyshev.eigenvalue_ratio", "12"},
    {"solver.flexible", "solver.cg.flexible", "true"},
    {"solver.restart", "solver.gmres.restart", "30"},
    {"solver.damping", "solver.richardson.damping", "0.5"},
    {"solver.stagnation_window", "solver.richardson.stagnation_window", "20"}};

/// The error of setting a key of a new `SolveParameters` by `set(tree)`.
template <class Set>
std::string message_of(const Set& set) {
  SolveParameters p;
  ParameterTree tree(p);
  const auto error = test::error_of([&] { set(tree); });
  test::expect_error(error, ErrorKind::configuration, {});
  return error ? error->what() : "";
}

std::string value_of(const ParameterTree& tree, const std::string& key) {
  for (const auto& [name, value] : tree.values()) {
    if (name == key) return to_text(value);
  }
  return "not there";
}

TEST(MovedNames, HaveACaseEach) {
  ASSERT_EQ(moved_keys().size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(cases[i].before.ends_with(moved_keys()[i].before)) << cases[i].before;
}

TEST(MovedNames, AreNamedAndAreThereUnderTheNewOnes) {
  const auto expect_moved = [](const Case& c) {
    EXPECT_EQ(message_of([&](auto& tree) { tree.set_text(c.before, c.value, "-p"); }),
              "-p: " + c.before + " is now " + c.now);
    SolveParameters p;
    ParameterTree tree(p);
    tree.set_text(c.now, c.value, "-p");
    EXPECT_EQ(value_of(tree, c.now), c.value) << c.now;
  };
  for (const Case& c : cases) {
    expect_moved(c);
    if (!c.before.starts_with("amg.")) continue;
    const auto of_level = [](const std::string& key) { return "amg.levels.0." + key.substr(4); };
    expect_moved({of_level(c.before), of_level(c.now), c.value});
  }
}

TEST(MovedNames, AreNamedInAFile) {
  const auto message = [](const char* text) {
    return message_of([&](auto& tree) { set_from_json(tree, text, "c.json"); });
  };
  EXPECT_EQ(message(R"({"solver.restart": 30})"),
            "c.json: solver.restart is now solver.gmres.restart");
  EXPECT_EQ(message(R"({"amg": {"smoother": {"omega_over_radius": false}}})"),
            "c.json: amg.smoother.omega_over_radius is now "
            "amg.smoother.jacobi.omega_over_radius");
  EXPECT_EQ(message(R"({"amg": {"levels": [{}, {"smoother": {"degree": 3}}]}})"),
            "c.json: amg.levels.1.smoother.degree is now amg.levels.1.smoother.chebyshev.degree");
}

TEST(MovedNames, AreThoseOfTheirSectionsAlone) {
  EXPECT_EQ(moved_key("presolver.restart"), "") << "a section that ends alike";
  EXPECT_EQ(moved_key("solver.restarts"), "");
  EXPECT_EQ(moved_key("degree"), "");
  EXPECT_EQ(moved_key("solver.gmres.restart"), "");
  SolverParameters p;
  ParameterTree tree(p);
  const auto error = test::error_of([&] { tree.set_text("solver.restart", "3", "-p"); });
  ASSERT_TRUE(error) << "a tree without that section";
  EXPECT_EQ(std::string(error->what()).find("is now"), std::string::npos) << error->what();
}

TEST(MovedNames, AreKnownWhereTheyAreMisspelt) {
  const auto hint = [](const std::string& key) {
    return message_of([&](auto& tree) { tree.set_text(key, "3", "-p"); });
  };
  EXPECT_EQ(hint("amg.smoother.degre"),
            "-p: unknown parameter 'amg.smoother.degre'; did you mean "
            "'amg.smoother.chebyshev.degree'?");
  EXPECT_EQ(hint("solver.restrat"),
            "-p: unknown parameter 'solver.restrat'; did you mean 'solver.gmres.restart'?");
  EXPECT_EQ(hint("amg.levels.0.smoother.omga"),
            "-p: unknown parameter 'amg.levels.0.smoother.omga'; did you mean "
            "'amg.levels.0.smoother.jacobi.omega'?");
  EXPECT_EQ(hint("solver.residul"),
            "-p: unknown parameter 'solver.residul'; did you mean 'solver.residual'?");
}

TEST(MovedNames, OfValuesAreNamed) {
  for (const MovedValue& moved : moved_values()) {
    const std::string key(moved.key), before(moved.before), now(moved.now);
    EXPECT_EQ(message_of([&](auto& tree) { tree.set_text(key, before, "-p"); }),
              "-p: parameter '" + key + "': " + before + " is now " + now);
    EXPECT_EQ(message_of([&](auto& tree) { tree.set(key, ParameterValue(before), "list"); }),
              "list: parameter '" + key + "': " + before + " is now " + now);
    SolveParameters p;
    ParameterTree tree(p);
    tree.set_text(key, now, "-p");
    EXPECT_EQ(value_of(tree, key), now);
    EXPECT_EQ(moved_value("amg.cycle", before), "") << "another parameter's";
  }
  EXPECT_EQ(moved_value("solver.tiles", "falling"), "dynamic");
}

}  // namespace tessera::parameters::moved_names_test
